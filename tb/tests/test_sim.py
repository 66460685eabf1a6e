"""Runs the pyuvm tests in the simulators that are installed; each case is one simulation.

Slow replays are not here: `make replay`, `make regress`.
"""

import os
import subprocess
import sys

import pytest

from tb.simulators import ROOT, SimulatorError, check_tools

#: (simulator, test, further options).
CASES = [
    ("verilator", "replay_gaia", []),
    ("verilator", "replay_gaia_gemma4", ["--envelope", "gpu"]),
    ("verilator", "smoke", []),
    ("verilator", "smoke_small", []),
    ("verilator", "registers", []),
    ("verilator", "back_pressure", []),
    ("verilator", "stamps", []),
    ("verilator", "mixed", []),
    ("verilator", "mixed_small", []),
    ("verilator", "mixed_stamps", []),
    ("verilator", "coincide", []),
    ("verilator", "passive", ["--limit", "1000"]),
    ("verilator", "protocol", []),
    ("verilator", "random_all", []),
    ("verilator", "resets", []),
    ("verilator", "cases", []),
    ("verilator", "shrink", []),
    ("verilator", "negative", []),
    ("icarus", "smoke", ["--limit", "600"]),
    ("icarus", "registers", []),
    ("icarus", "mixed", ["--limit", "400"]),
    ("icarus", "smoke", ["--arch", "linear", "--scorer", "ratio", "--limit", "200"]),
]


def _run(*options: str) -> subprocess.CompletedProcess:
    paths = [str(ROOT), str(ROOT / "model"), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, "-m", "tb.run", *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )


def _name(case: tuple) -> str:
    simulator, test, options = case
    return "-".join([simulator, test, *(o.strip("-") for o in options)])


@pytest.mark.parametrize(("simulator", "test", "options"), CASES, ids=map(_name, CASES))
def test_simulation(simulator: str, test: str, options: list[str]) -> None:
    """The run passes, by exit code and by its last line."""
    try:
        check_tools(simulator)
    except SimulatorError as missing:
        pytest.skip(str(missing))
    # A result of its own: these runs must not stand in for the ones a user asked for.
    label = f"pytest.{_name((simulator, test, options))}"
    done = _run("--sim", simulator, "--test", test, "--label", label, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{test} ({simulator}): passed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sim", "vcs"], "valid: verilator, icarus"),
        (["--test", "replay_gaya"], "valid: replay_gaia, "),
        (["--envelope", "moon"], "edge-tight, "),
        (["--scorer", "exact"], "valid: product, quotient"),
        (["--slots", "63"], "valid: 16, 32, 64, 128, 256"),
        (["--lanes", "3"], "valid: 1, 2, 4, 8, 16"),
        (["--arch", "linear", "--lanes", "4"], "expected 1 with ARCH=linear"),
        (["--scorer", "ratio"], "scorer ratio needs ARCH=linear or ARCH=sparse"),
        (["--seed", "x"], "expected a whole number"),
        (["--test", "replay_file"], "no trace"),
        (["--test", "replay_file", "--trace", "nowhere.csv"], "no such file"),
        (["--test", "smoke", "--trace", "x.csv"], "takes no trace"),
    ],
)
def test_wrong_option(options: list[str], message: str) -> None:
    """One line that says what would be right, and exit code 2."""
    done = _run(*options)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr
