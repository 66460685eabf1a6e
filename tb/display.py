"""What people see: progress while runs go, and a table at the end."""

import json
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tb.launch import Outcome

#: Seconds between plain progress lines.
PLAIN_PERIOD = 5.0


class Monitor:
    """Follows the progress files of runs: bars on a terminal, else a line now and then.

    Use as a context manager; `poll` often, `done` once for each run.
    """

    def __init__(self) -> None:
        self._runs: dict[str, Path] = {}
        self._tasks: dict[str, Any] = {}
        self._next = time.monotonic() + PLAIN_PERIOD
        self._bars: Progress | None = None
        if sys.stdout.isatty():
            self._bars = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("events"),
                TimeElapsedColumn(),
            )

    def __enter__(self) -> "Monitor":
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def add(self, label: str, run_dir: str) -> None:
        """A run has started."""
        self._runs[label] = Path(run_dir) / "progress.json"
        if self._bars is not None:
            self._tasks[label] = self._bars.add_task(label, total=None)

    def poll(self) -> None:
        """Show where the runs are."""
        states = {label: _read(path) for label, path in self._runs.items()}
        if self._bars is not None:
            for label, state in states.items():
                if state is not None:
                    self._bars.update(
                        self._tasks[label], completed=state["events"], total=state["total"]
                    )
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_PERIOD
            for label, state in states.items():
                where = "starting"
                if state is not None:
                    where = f"{state['events']} of about {state['total']} events"
                print(f"  {label}: {where}", flush=True)

    def done(self, outcome: Outcome) -> None:
        """A run has ended."""
        self._runs.pop(outcome.label, None)
        seconds = outcome.result.get("seconds")
        verdict = "FAIL" if outcome.problems else "pass"
        text = f"{verdict}  {outcome.label}" + (f"  {seconds:.1f} s" if seconds else "")
        if self._bars is not None:
            if (task := self._tasks.pop(outcome.label, None)) is not None:
                self._bars.remove_task(task)
            self._bars.console.print(text)
        else:
            print(text, flush=True)


def _read(path: Path) -> dict[str, int] | None:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def _cell(value: Any, form: str) -> str:
    return "-" if value is None else format(value, form)


def replay_table(outcomes: list[Outcome], title: str) -> None:
    """The figures of replays, one a row."""
    table = Table(title=title, title_justify="left")
    for name in ("trace", "envelope"):
        table.add_column(name, no_wrap=True)
    for name in (
        "events", "decisions", "mis-\nmatches", "top-1", "Kendall\ntau", "snap-\nshots",
        "hit rate", "drift\npp", "latency\nmean", "p99", "max", "cycles", "seconds", "",
    ):  # fmt: skip
        table.add_column(name, justify="right", no_wrap=True)
    for o in outcomes:
        r = o.result
        lat = r.get("latency_cycles", {})
        table.add_row(
            Path(o.settings.trace).name.split(".")[0],
            o.settings.envelope,
            _cell(r.get("events"), ","),
            _cell(r.get("decisions"), ","),
            _cell(r.get("mismatches"), "d"),
            _cell(r.get("top1"), ".5f"),
            _cell(r.get("kendall_tau"), ".6f"),
            _cell(r.get("snapshots"), ","),
            _cell(r.get("hit_rate"), ".4f"),
            _cell(r.get("drift_pp"), ".4f"),
            _cell(lat.get("mean"), ".1f"),
            _cell(lat.get("p99"), "d"),
            _cell(lat.get("max"), "d"),
            _cell(r.get("sim_cycles"), ","),
            _cell(r.get("seconds"), ".1f"),
            "FAIL" if o.problems else "pass",
        )
    width = None if sys.stdout.isatty() else 160
    Console(width=width).print(table)


def coverage_table(coverage: dict[str, dict[str, int]]) -> None:
    """Functional coverage: event type, what the core answered, how often."""
    hit = sum(bool(n) for answers in coverage.values() for n in answers.values())
    total = sum(len(answers) for answers in coverage.values())
    print(f"functional coverage: {hit} of {total} bins")
    for code, answers in coverage.items():
        print(f"  {code:10} " + ", ".join(f"{name} {n:,}" for name, n in answers.items()))


def problems(outcomes: list[Outcome]) -> None:
    """Why runs failed, with the report or the end of the log."""
    for o in outcomes:
        if o.problems:
            print(f"\n{o.label}: FAILED")
            for line in o.problems:
                print(f"  {line}")
            if o.detail:
                print(o.detail.rstrip())
            print(f"  log: {o.log}")
