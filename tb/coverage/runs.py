"""The coverage regression: which runs, and how they are started."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tb.run import RAW
from tb.simulators import ROOT

#: Where block tests leave their coverage, when it is set (tb/block/runner.py).
BLOCK_VARIABLE = "UNISON_COVERAGE"


@dataclass(frozen=True)
class Run:
    """One run: options of `tb.run`, or with `block` a pytest selection of block tests."""

    name: str
    options: tuple[str, ...]
    block: bool = False


def _sim(name: str, test: str, *options: str) -> Run:
    return Run(name, ("--test", test, *options))


#: The first runs each make a build of their own, so that two builds can go at once.
RUNS: tuple[Run, ...] = (
    _sim("smoke", "smoke"),
    _sim("smoke-product", "smoke", "--scorer", "product", "--seed", "3"),
    _sim("smoke-quotient", "smoke", "--scorer", "quotient", "--seed", "2"),
    _sim("slots-256x8", "coverage_slots", "--slots", "256", "--lanes", "8"),
    _sim("replay-16x1", "replay_gaia", "--envelope", "gpu", "--slots", "16", "--lanes", "1"),
    _sim("smoke-small", "smoke_small"),
    Run(
        "blocks",
        ("-m", "not long", "tb/block/score", "tb/block/fifo", "tb/block/ev_arb"),
        block=True,
    ),
    _sim("corners", "coverage_corners"),
    _sim("corners-product", "coverage_corners", "--scorer", "product"),
    _sim("corners-quotient", "coverage_corners", "--scorer", "quotient"),
    _sim("slots", "coverage_slots"),
    _sim("slots-product", "coverage_slots", "--scorer", "product"),
    _sim("slots-quotient", "coverage_slots", "--scorer", "quotient"),
    _sim("counters", "coverage_counters"),
    _sim("replay-gpu", "replay_gaia", "--envelope", "gpu"),
    _sim("replay-tight", "replay_gaia"),
    _sim("replay-swe", "replay_swe_qwen3", "--envelope", "gpu", "--limit", "6000"),
    _sim("registers", "registers"),
    _sim("back-pressure", "back_pressure"),
    _sim("stamps", "stamps"),
    _sim("negative", "negative"),
    _sim("protocol", "protocol"),
    _sim("mixed", "mixed"),
    _sim("mixed-small", "mixed_small"),
    _sim("mixed-stamps", "mixed_stamps"),
    _sim("coincide", "coincide"),
    _sim("random-all", "random_all"),
    _sim("random-all-16x1", "random_all", "--slots", "16", "--lanes", "1", "--seed", "4"),
    _sim("random-all-quotient", "random_all", "--scorer", "quotient", "--seed", "3"),
    _sim("random-turns", "random_turns"),
    _sim("random-full-256x8", "random_full", "--slots", "256", "--lanes", "8", "--limit", "800"),
    _sim("resets", "resets"),
    _sim("cases", "cases"),
    _sim("cases-16x1", "cases", "--slots", "16", "--lanes", "1"),
)
BY_NAME = {r.name: r for r in RUNS}


def command(run: Run, label: str) -> list[str]:
    """The run as a command line."""
    if run.block:
        return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *run.options]
    return [sys.executable, "-m", "tb.run", "--coverage", "--label", label, *run.options]


def start(run: Run, out: Path) -> str:
    """Run it; its raw files go to `out`. Returns what went wrong, empty when nothing did."""
    label = f"coverage.{out.parent.name}.{run.name}"
    out.mkdir(parents=True, exist_ok=True)
    paths = [str(ROOT), str(ROOT / "model"), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    if run.block:
        env[BLOCK_VARIABLE] = str(out)
    done = subprocess.run(
        command(run, label), cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    for path in RAW.glob(f"{label}.*"):
        path.replace(out / path.name.removeprefix(f"coverage.{out.parent.name}."))
    if done.returncode:
        return f"run {run.name} failed:\n{(done.stdout + done.stderr)[-3000:]}"
    if not list(out.glob(f"{'block.' if run.block else run.name + '.'}*.dat")):
        return f"run {run.name} left no coverage"
    return ""


def run_all(runs: list[Run], out: Path, jobs: int) -> list[str]:
    """Run all, `jobs` at once; returns what went wrong."""
    wrong = []
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        going = {run.name: pool.submit(start, run, out) for run in runs}
        for name, job in going.items():
            problem = job.result()
            print(f"  {name}: {'FAILED' if problem else 'done'}", flush=True)
            if problem:
                wrong.append(problem)
    return wrong
