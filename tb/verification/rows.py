"""The rows of the verdict: one for each kind of evidence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from formal.proofs import PROOFS
from tb.planted import BUGS
from tb.simulators import ROOT

#: Least share of the mutants that are not equivalent, per cent (issue 4).
MUTANTS = {"rtl": 95.0, "model": 90.0}
SOAK_EVENTS, SPEED = 1_000_000, 0.5


@dataclass(frozen=True)
class Row:
    """met: whether the target is; None: not run. rtl: what it was measured on, None: unknown.

    committed: read from a page that is kept. judged: there is a target.
    """

    what: str
    measured: str
    target: str
    met: bool | None
    command: str
    rtl: str | None = None
    committed: bool = False
    judged: bool = True


def _absent(what: str, target: str, command: str) -> Row:
    return Row(what, "not run", target, None, command)


def _tests(e: dict[str, Any] | None) -> Iterator[Row]:
    head = ("tests of models, blocks and environment", "none fails", "make test")
    if e is None:
        yield _absent(*head)
        return
    bad = e["failures"] + e["errors"]
    text = f"{e['tests']:,} run, {bad} failed, {e['skipped']} skipped"
    yield Row(head[0], text, head[1], not bad and e["tests"] > 0, head[2], e["rtl"])


def _regress(e: dict[str, Any] | None) -> Iterator[Row]:
    head = ("regression, both simulators", "none fails", "make regress")
    if e is None:
        yield _absent(*head)
        return
    failed = ": " + ", ".join(e["failed"]) if e["failed"] else ""
    text = f"{e['runs']} runs, {len(e['failed'])} failed{failed}"
    yield Row(head[0], text, head[1], not e["failed"], head[2], e["rtl"])


def _coverage(e: dict[str, Any] | None) -> Iterator[Row]:
    if e is None:
        yield _absent("coverage", "functional, line, branch, toggle", "make coverage")
        return
    for kind, target in e["targets"].items():
        t = e["totals"][kind]
        counts = f"{t['covered']:,} of {t['total']:,}, {t['excluded']:,} excluded"
        text = f"{t['percent']:.2f} % ({counts})"
        met = t["percent"] >= target and t["total"] > 0
        yield Row(f"coverage: {kind}", text, f"{target:g} %", met, "make coverage", e["rtl"])


def _formal(e: dict[str, Any] | None) -> Iterator[Row]:
    if e is None:
        yield _absent("formal: proofs", "all closed", "make formal")
        return
    # What was not run counts as not closed.
    runs, bugs = (sum(len(getattr(p, what)) for p in PROOFS) for what in ("sizes", "bugs"))
    text = (
        f"{e['ok']} of {runs} runs of {len(PROOFS)} proofs as expected, "
        f"{e['reached']} of {e['covers']} covers reached"
    )
    met = e["ok"] == e["runs"] == runs and e["reached"] == e["covers"]
    yield Row("formal: proofs", text, "all closed", met, "make formal", e["rtl"])
    text = f"{e['refused']} of {bugs} wrong lines refused" if e["planted"] else "not run"
    met = e["refused"] == e["planted"] == bugs if e["planted"] else None
    yield Row("formal: planted bugs", text, "all refused", met, "make formal", e["rtl"])


def score(group: dict[str, Any]) -> float | None:
    """Per cent of the mutants that are not equivalent and were killed; None: no counts."""
    killed, survived = group.get("killed"), group.get("survived")
    if killed is None or survived is None or not killed + survived:
        return None
    return 100 * killed / (killed + survived)


def _mutate(e: dict[str, Any] | None, page: Path) -> Iterator[Row]:
    if e is None:
        target = f"{MUTANTS['rtl']:g} % of the RTL's, {MUTANTS['model']:g} % of the model's killed"
        if page.exists():
            text = "see [the page](results/mutation.md)"
            yield Row("mutation", text, target, None, "make mutate", committed=True)
        else:
            yield _absent("mutation", target, "make mutate")
        return
    for name, group in e["groups"].items():
        target = MUTANTS["model" if "model" in name or "golden" in name else "rtl"]
        percent = score(group)
        counts = ", ".join(f"{v:,} {k}" for k, v in group.items() if isinstance(v, int))
        text = counts or "no counts"
        if percent is not None:
            text = f"{percent:.1f} % killed ({counts})"
        met = percent is not None and percent >= target
        yield Row(f"mutation: {name}", text, f"{target:g} % killed", met, "make mutate", e["rtl"])


def _soak(e: dict[str, Any] | None) -> Iterator[Row]:
    head = ("soak: random events, both ports", f"{SOAK_EVENTS:,} events, 0 mismatches", "make soak")
    if e is None:
        yield _absent(*head)
        return
    text = f"{e['events']:,} events, {e['records']:,} records, {e['mismatches']} mismatches"
    met = e["events"] >= SOAK_EVENTS and not e["mismatches"]
    yield Row(head[0], text, head[1], met, head[2], e["rtl"])
    speed = e["speed_against_bare_writes"]
    text = f"{speed:g} of a bare write loop in the same run"
    yield Row("soak: speed", text, f"{SPEED:g}", speed >= SPEED, head[2], e["rtl"])


def _planted(page: Path) -> Iterator[Row]:
    head = ("planted bugs", "all caught", "python -m tb.planted --out docs/results/planted.md")
    if not page.exists():
        yield _absent(*head)
        return
    rows = re.findall(r"^\| (\w+) \| .* \| `\w+\.sv` \| (.*?) \|", page.read_text(), re.M)
    by = dict(rows)
    run = [b.name for b in BUGS if b.name in by]
    caught = sum("survived" not in by[n] for n in run)
    text = f"{caught} of {len(run)} caught"
    if len(run) < len(BUGS):
        text += f", {len(BUGS) - len(run)} newer ones not run"
    yield Row(head[0], text, head[1], caught == len(BUGS), head[2], committed=True)


def _upsets(page: Path) -> Iterator[Row]:
    command = "pytest -m long tb/block/core/test_upsets.py"
    head = ("single-bit upsets of the slot table", "none", command)
    if not page.exists():
        yield _absent(*head)
        return
    rows = re.findall(r"^\| [\w ]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$",
                      page.read_text(), re.M)  # fmt: skip
    bits, masked, changed, broken, hung = (sum(map(int, c)) for c in zip(*rows, strict=True))
    text = f"{bits} bits: {masked} masked, {changed} change decisions, {broken} break accounts"
    yield Row(head[0], f"{text}, {hung} hang", head[1], None, head[2], committed=True, judged=False)


def _replay(page: Path) -> Iterator[Row]:
    head = ("replays of the trace families", "0 mismatches", "make regress, make report")
    mark = "REPLAY-TOTAL -->"
    found = re.search(rf"<!-- {mark}\n(.*?)\n<!-- /{mark}", page.read_text(), re.S)
    if not found:
        yield _absent(*head)
        return
    text = " ".join(found[1].split()).split(" mismatches")[0] + " mismatches"
    yield Row(head[0], text, head[1], " 0 mismatches" in text, head[2], committed=True)


def rows(evidence: dict[str, Any], plan: str, root: Path = ROOT) -> list[Row]:
    """All rows; plan: what the testplan says of itself, empty when it has a problem."""
    results = root / "docs" / "results"
    get = evidence.get
    return [
        Row("testplan", plan or "has a problem", "no clause without", bool(plan), "make testplan",
            committed=True),
        *_tests(get("tests")), *_regress(get("regress")), *_replay(root / "README.md"),
        *_coverage(get("coverage")), *_formal(get("formal")),
        *_mutate(get("mutate"), results / "mutation.md"), *_planted(results / "planted.md"),
        *_soak(get("soak")), *_upsets(results / "upsets.md"),
    ]  # fmt: skip
