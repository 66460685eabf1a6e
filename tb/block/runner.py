"""Builds and runs the block tests: one call a test, either simulator, replayable seeds."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from tb import simulators

ROOT = Path(__file__).resolve().parents[2]
SIM = os.environ.get("SIM", "verilator")
SEED = int(os.environ.get("SEED", "1"))
#: Folder for code coverage (Verilator), empty for none; tb/coverage/runs.py sets it.
COVERAGE = os.environ.get("UNISON_COVERAGE", "")

_ARGS = {
    "verilator": [
        *("-O3", "--assert", "-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique"),
        # Many lanes make functions that g++ takes minutes over.
        *("--output-split-cfuncs", "400"),
        *("-CFLAGS", "-O1"),
    ],
    "icarus": ["-Wno-timescale"],
}


def run_block(
    top: str,
    module: str,
    parameters: dict[str, int] | None = None,
    env: dict[str, str] | None = None,
    seed: int = SEED,
    bench: Sequence[Path] = (),
) -> None:
    """Build `top` with `parameters` and run the cocotb tests of `module` on it.

    bench: sources of the test bench, added to the RTL. SIM and SEED in the environment choose
    the simulator and the seed; a failure names the seed. Skips when the simulator is not
    installed.
    """
    if SIM not in simulators.SIMULATORS:
        raise ValueError(f"SIM: got {SIM!r}, expected one of {', '.join(simulators.SIMULATORS)}")
    try:
        simulators.check_tools(SIM)
    except simulators.SimulatorError as error:
        pytest.skip(str(error))
    if SIM == "verilator":
        # The runner calls make itself; without this a larger design fails on its PCH.
        os.environ["MAKEFLAGS"] = " -- CFG_CXXFLAGS_PCH_I=-include"
        folder = str(simulators.wrap_verilator())
        if folder not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    parameters = parameters or {}
    name = "-".join([SIM, top, *(f"{k}{v}" for k, v in parameters.items())])
    counted = bool(COVERAGE) and SIM == "verilator"
    name += "-coverage" * counted
    args = [*_ARGS[SIM], *(simulators.COVERAGE_ARGS if counted else ())]
    build_dir = ROOT / "build" / "block" / name
    runner = get_runner(SIM)
    runner.log.setLevel("CRITICAL")
    build_dir.mkdir(parents=True, exist_ok=True)
    sources = sorted(ROOT.glob("rtl/*.sv"), key=lambda p: (p.name != "unison_pkg.sv", p.name))
    sources += bench
    newest = max(p.stat().st_mtime for p in [*sources, Path(__file__)])
    # Two runs at once would build and run in one folder.
    with (build_dir.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = build_dir / "built"
        if not stamp.exists() or stamp.stat().st_mtime < newest:
            shutil.rmtree(build_dir)
            build_dir.mkdir()
            runner.build(
                sources=sources,
                hdl_toplevel=top,
                parameters=parameters,
                build_args=args,
                build_dir=build_dir,
                timescale=("1ns", "1ps"),
                always=True,
                log_file=build_dir / "build.log",
            )
            stamp.touch()
        test_dir = build_dir / "-".join(["run", module.rsplit(".", 1)[-1], *(env or {}).values()])
        shutil.rmtree(test_dir, ignore_errors=True)
        test_dir.mkdir(parents=True)
        print(f"{name}: SEED={seed} SIM={SIM} {env or ''}")
        plusargs = []
        if SIM == "verilator":
            plusargs = ["+verilator+rand+reset+2", f"+verilator+seed+{seed}"]
        if counted:
            file = Path(COVERAGE) / f"block.{name}.{test_dir.name}.{simulators.COVERAGE_FILE}"
            plusargs.append(f"+verilator+coverage+file+{file}")
        log, results = test_dir / "sim.log", test_dir / "results.xml"
        with contextlib.suppress(SystemExit):  # the runner exits on a failure; judged below
            runner.test(
                test_module=module,
                hdl_toplevel=top,
                hdl_toplevel_lang="verilog",
                build_dir=build_dir,
                test_dir=test_dir,
                results_xml=str(results),
                extra_env={k: str(v) for k, v in (env or {}).items()},
                plusargs=plusargs,
                seed=seed,
                timescale=("1ns", "1ps") if SIM == "verilator" else None,
                log_file=log,
            )
    tests, failed = get_results(results)
    assert tests > 0, f"no test ran; see {log}"
    assert failed == 0, f"{failed} of {tests} failed with SEED={seed}; see {log}"
