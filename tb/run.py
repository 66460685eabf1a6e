"""Run a test in a simulator: ``python -m tb.run --sim verilator --test replay_gaia``.

Exit code 0: all passed; 1: a mismatch, a missed gate, a failed test, build or simulator; 2: a
wrong option.
"""

import contextlib
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tb import display, gates, junit
from tb.catalog import TESTS
from tb.launch import Outcome, execute, prepare
from tb.options import parse
from tb.settings import FUNCTIONAL_FILE, Settings
from tb.simulators import BUILD, COVERAGE_FILE, Build, SimulatorError, build
from unison.traces.paths import FAMILIES

RESULTS = BUILD / "results"
#: What runs with --coverage leave: <label>.coverage.dat and <label>.functional.json.
RAW = BUILD / "coverage" / "raw"


def jobs(args) -> dict[str, Settings]:
    """Runs of this invocation, by label; the label names the result file too."""
    test = TESTS[args.test]
    base = {
        "test": args.test, "run_dir": "", "run_id": "", "slots": args.slots, "lanes": args.lanes,
        "scorer": args.scorer, "arch": args.arch, "seed": args.seed, "limit": args.limit,
    } | test.fixed  # fmt: skip
    label = args.label or args.test
    if not test.replay:
        return {label: Settings(**base)}
    if args.test == "replay_all":
        return {
            f"{label}.{trace}.{envelope}": Settings(**base, trace=trace, envelope=envelope)
            for envelope in args.envelopes
            for trace in FAMILIES
        }
    if args.trace:
        base["trace"] = str(Path(args.trace).resolve())
        if not args.label:
            label += "." + Path(args.trace).name.split(".")[0]
    return {label: Settings(**base, envelope=args.envelopes[0])}


def run_all(runs: dict[str, Settings], made: Build, at_once: int) -> list[Outcome]:
    """Execute the runs, a few at once, with progress."""
    outcomes: list[Outcome] = []
    waiting = {label: prepare(label, s, made) for label, s in runs.items()}
    with display.Monitor() as monitor, ThreadPoolExecutor(max(1, at_once)) as pool:
        going = {}
        while waiting or going:
            while waiting and len(going) < max(1, at_once):
                label = next(iter(waiting))
                settings = waiting.pop(label)
                monitor.add(label, settings.run_dir)
                going[label] = pool.submit(execute, label, settings, made)
            time.sleep(0.1)
            monitor.poll()
            for label in [k for k, f in going.items() if f.done()]:
                outcome = going.pop(label).result()
                outcomes.append(outcome)
                monitor.done(outcome)
                _save(outcome, made)
    return sorted(outcomes, key=lambda o: list(runs).index(o.label))


def _save(outcome: Outcome, made: Build) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    body = {"passed": not outcome.problems, "problems": outcome.problems} | outcome.result
    (RESULTS / f"{outcome.label}.{made.simulator}.json").write_text(
        json.dumps(body, indent=1) + "\n"
    )
    if made.coverage:
        RAW.mkdir(parents=True, exist_ok=True)
        for name in (COVERAGE_FILE, FUNCTIONAL_FILE):
            with contextlib.suppress(FileNotFoundError):
                outcome.settings.file(name).replace(RAW / f"{outcome.label}.{name}")


def _summary(name: str, simulator: str, outcomes: list[Outcome]) -> None:
    keep = ("coverage", "coverage_missed", "run_id")
    rows = [
        {"label": o.label, "passed": not o.problems, "problems": o.problems}
        | {k: v for k, v in o.result.items() if k not in keep}
        for o in outcomes
    ]
    body = {"passed": all(r["passed"] for r in rows), "runs": rows}
    (RESULTS / f"{name}.{simulator}.json").write_text(json.dumps(body, indent=1) + "\n")


def _build(args, runs: dict[str, Settings]) -> Build:
    settings = next(iter(runs.values()))
    began = time.monotonic()
    made = build(args.sim, settings.parameters, args.waves, args.coverage, args.gates)
    if made.fresh:
        print(f"built {made.folder.name} in {time.monotonic() - began:.0f} s", flush=True)
    return made


def main(argv: list[str] | None = None) -> int:
    """Run; returns the exit code."""
    args = parse(argv)
    # The cocotb runner would take these from the environment, against the options.
    for name in ("WAVES", "GUI", "PYTEST_CURRENT_TEST", "COCOTB_TEST_FILTER", "COCOTB_TESTCASE"):
        os.environ.pop(name, None)
    # The cocotb runner puts this before the simulator's command: a hang must end, as a failure.
    os.environ["SIM_CMD_PREFIX"] = f"timeout --kill-after=10 {args.timeout}"
    runs = jobs(args)
    name = args.label or args.test
    for label in [*runs, name]:
        (RESULTS / f"{label}.{args.sim}.json").unlink(missing_ok=True)
    print(f"{args.test} with {args.sim}: {TESTS[args.test].doc}", flush=True)
    try:
        made = _build(args, runs)
    except SimulatorError as error:
        outcomes = [
            Outcome(k, s, problems=["build failed"], detail=str(error)) for k, s in runs.items()
        ]
        junit.write(RESULTS / f"{name}.{args.sim}.xml", args.test, outcomes)
        print(error, file=sys.stderr)
        return 1
    outcomes = run_all(runs, made, args.jobs if len(runs) > 1 else 1)
    junit.write(RESULTS / f"{name}.{args.sim}.xml", args.test, outcomes)
    if len(runs) > 1:
        _summary(name, args.sim, outcomes)
    if TESTS[args.test].replay:
        title = f"{args.slots} slots, {args.lanes} lanes, {args.arch}, {args.scorer}, {args.sim}"
        display.replay_table(outcomes, title)
    if len(outcomes) == 1 and "coverage" in outcomes[0].result:
        display.coverage_table(outcomes[0].result["coverage"])
    display.problems(outcomes)
    if made.waves:
        print("waves: " + ", ".join(str(p) for p in made.folder.glob("runs/*/dump.*")))
    failed = sum(bool(o.problems) for o in outcomes)
    if args.test == "replay_all" and not args.envelope and not args.limit:
        for line in gates.unranked([o.result for o in outcomes]):
            print(line)
            failed += 1
    verdict = f"FAILED, {failed} of {len(outcomes)}" if failed else "passed"
    print(f"{args.test} ({args.sim}): {verdict}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
