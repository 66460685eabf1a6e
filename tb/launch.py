"""Runs one job in a simulator and judges what it left behind."""

import json
import re
import shutil
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cocotb_tools.check_results import get_results

from tb import gates
from tb.catalog import TESTS
from tb.settings import ENVIRONMENT, Settings
from tb.simulators import ACTIVITY_FILE, COVERAGE_FILE, TIMESCALE, TOP, Build, tail

#: A simulator's own complaint, in a log that cocotb's lines never start like.
_COMPLAINT = re.compile(r"^(%Error|%Fatal|ERROR|FATAL|Assertion failed|\[\d+\] %Error).*", re.M)


@dataclass
class Outcome:
    """What came of a job. result: its figures, empty when it did not reach its end.

    problems: why it failed, one line each; none: it passed. detail: report or log, for people.
    """

    label: str
    settings: Settings
    result: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    detail: str = ""
    log: Path | None = None


def prepare(label: str, settings: Settings, build: Build) -> Settings:
    """Settings with an empty folder and a fresh identity for this run."""
    folder = build.folder / "runs" / label
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return replace(settings, run_dir=str(folder), run_id=uuid.uuid4().hex)


def execute(label: str, settings: Settings, build: Build) -> Outcome:
    """Run a prepared job to its end. Never raises for what the simulator does."""
    folder, test = Path(settings.run_dir), TESTS[settings.test]
    outcome = Outcome(label, settings, log=folder / "sim.log")
    plusargs = []
    if build.simulator == "verilator":
        plusargs = ["+verilator+rand+reset+2", f"+verilator+seed+{settings.seed}"]
        if build.coverage:
            plusargs.append(f"+verilator+coverage+file+{folder / COVERAGE_FILE}")
    elif build.waves:
        plusargs = [f"+dumpfile_path={folder / 'dump.fst'}"]
    if "-gates-" in build.folder.name:
        plusargs.append(f"+activity={folder / ACTIVITY_FILE}")
    runner = build.runner()
    runner.log.setLevel("CRITICAL")
    try:
        runner.test(
            test_module=test.module,
            test_filter=rf"\.{test.name}$",
            hdl_toplevel=TOP,
            hdl_toplevel_lang="verilog",
            build_dir=build.folder,
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            extra_env={ENVIRONMENT: settings.dumps()},
            plusargs=plusargs,
            seed=settings.seed,
            waves=build.waves,
            timescale=TIMESCALE if build.simulator == "verilator" else None,
            log_file=outcome.log,
        )
    except (Exception, SystemExit) as error:
        hung = " (no end within --timeout)" if str(error).endswith(" 124") else ""
        outcome.problems.append(f"simulator: {error}{hung}")
    _judge(outcome, build.simulator)
    return outcome


def _judge(outcome: Outcome, simulator: str) -> None:
    """Fill in result, problems and detail; absence of any evidence is a failure."""
    settings = outcome.settings
    failure = settings.file("failure.txt")
    try:
        tests, failed = get_results(settings.file("results.xml"))
        if tests == 0:
            outcome.problems.append("cocotb: no test ran")
        elif failed:
            reason = "mismatch" if failure.exists() else "test failed"
            outcome.problems.append(f"{reason}: {_reason(settings)}")
    except (RuntimeError, ElementTree.ParseError) as error:
        outcome.problems.append(f"cocotb: no results: {error}")
    if complaint := _COMPLAINT.search(tail(outcome.log, 100_000)):
        outcome.problems.append(f"simulator: {complaint.group()[:200]}")
    path = settings.file("result.json")
    if path.exists():
        outcome.result = json.loads(path.read_text()) | {"sim": simulator}
    if outcome.result.get("run_id") != settings.run_id:
        outcome.result = {}
        outcome.problems.append("the run did not reach its end")
    elif TESTS[settings.test].replay:
        outcome.problems += gates.missed(outcome.result)
    if failure.exists():
        outcome.detail = failure.read_text()
    elif outcome.problems and not outcome.result:
        outcome.detail = tail(outcome.log, 40)


def _reason(settings: Settings) -> str:
    """First line of what failed."""
    failure = settings.file("failure.txt")
    if failure.exists():
        return failure.read_text().splitlines()[0]
    for node in ElementTree.parse(settings.file("results.xml")).getroot().iter():
        if node.tag in ("failure", "error"):
            text = node.get("message") or node.get("error_msg") or node.text or ""
            return (text.splitlines() or ["no message"])[0]
    return "no message"
