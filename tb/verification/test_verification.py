"""Evidence is read as it is, and the page does not pass off the lack of it."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from formal.proofs import FIFO
from tb.simulators import ROOT
from tb.verification import collect, page
from tb.verification.__main__ import main
from tb.verification.rows import rows, score

TOTALS = {"covered": 9, "total": 10, "excluded": 1, "percent": 90.0}
COVERAGE = {
    "passed": False, "targets": {"line": 100.0, "toggle": 90.0},
    "totals": {"line": TOTALS, "toggle": TOTALS}, "runs": ["a", "b"], "functional": {"x": {}},
    "exclusions": [{"unreachable": True}, {"unreachable": False}, {"unreachable": False}],
}  # fmt: skip
PROOF = {"proof": "fifo", "ok": True, "covers": 2, "reached": 2, "seconds": 1.2}
SOAK = {
    "events": 1_000_000, "records": 7, "mismatches": 0, "legs": 1, "refused": 0,
    "cycles_per_event": 9.5, "speed_against_bare_writes": 0.4, "more": 1,
}  # fmt: skip
XML = '<a><testsuite tests="5" failures="1" errors="0" skipped="2" time="3.4"/></a>'
FILES = {
    "results/tests.xml": XML,
    "results/regress.json": json.dumps({"runs": 3, "failed": ["one"], "seconds": 9.9}),
    "coverage/summary.json": json.dumps(COVERAGE),
    "formal/summary.json": json.dumps([PROOF, PROOF]),
    "formal/planted.json": json.dumps([{"ok": True, "seconds": 2}, {"ok": False, "seconds": 2}]),
    "mutate/summary.json": json.dumps(
        {"rtl": {"killed": 96, "survived": 4, "equivalent": 7, "passed": True, "seed": 1},
         "model": {"killed": 8, "survived": 2}, "note": "x"}
    ),
    "results/soak.json": json.dumps(SOAK),
}  # fmt: skip


@pytest.fixture
def build(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture(autouse=True)
def one_proof(monkeypatch) -> None:
    """As if formal/ had one proof, of two sizes."""
    monkeypatch.setattr("tb.verification.rows.PROOFS", (replace(FIFO, sizes=FIFO.sizes[:2]),))


def _met(evidence: dict) -> dict[str, bool | None]:
    return {r.what: r.met for r in rows(evidence, "whole") if r.judged and not r.committed}


def test_all_kinds(build: Path) -> None:
    evidence = collect.collect({}, build)
    assert set(evidence) == set(collect.KINDS)
    assert {e["rtl"] for e in evidence.values()} == {collect.fingerprint()}
    assert _met(evidence) == {
        "tests of models, blocks and environment": False,
        "regression, both simulators": False,
        "coverage: line": False,
        "coverage: toggle": True,
        "formal: proofs": True,
        "formal: planted bugs": False,
        "mutation: rtl": True,
        "mutation: model": False,
        "soak: random events, both ports": True,
        "soak: speed": False,
    }
    text = page.render(evidence, "whole")
    assert "regression, both simulators, coverage: line, formal: planted bugs" in text
    assert "| 96.0 % killed (96 killed, 4 survived, 7 equivalent) | 95 % killed | yes |" in text
    assert "- Mutation, model: 2 mutants survived." in text
    assert "Measured on another RTL" not in text


def test_without_evidence_nothing_is_met() -> None:
    assert set(_met({}).values()) == {None}
    text = page.render({}, "")
    assert "Not run: tests of models" in text
    assert "Not met: testplan" in text


def test_old_evidence_is_kept_and_told(build: Path) -> None:
    for path in build.rglob("*.*"):
        os.utime(path, (1, 1))
    evidence = collect.collect({"tests": {"rtl": "x"}}, build)
    assert evidence["soak"]["rtl"] is None
    assert "Measured on another RTL than this one: coverage: line" in page.render(evidence, "whole")
    # What build/ no longer has stays as it was.
    (build / "results/tests.xml").unlink()
    assert collect.collect({"tests": {"rtl": "x"}}, build)["tests"] == {"rtl": "x"}


def test_fingerprint_is_of_the_code(tmp_path: Path) -> None:
    (tmp_path / "rtl").mkdir()
    path = tmp_path / "rtl" / "a.sv"
    marks = []
    for text in ("wire a;\n", "wire  a; // a wire\n", "wire b;\n"):
        path.write_text(text)
        marks.append(collect.fingerprint(tmp_path))
    assert marks[0] == marks[1] != marks[2]


def test_a_proof_that_was_not_run_is_not_closed(build: Path) -> None:
    path = build / "formal/summary.json"
    path.write_text(json.dumps([PROOF]))
    row = next(r for r in rows(collect.collect({}, build), "whole") if r.what == "formal: proofs")
    assert row.met is False and row.measured.startswith("1 of 2 runs of 1 proofs")


def test_score_needs_counts() -> None:
    assert score({"killed": 0, "survived": 0}) is None
    assert score({"percent": 99}) is None
    assert score({"killed": 1, "survived": 3}) == 25


def test_stale_page_is_told(monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr("tb.verification.__main__.PAGE", tmp_path / "gone.md")
    assert main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out


def test_evidence_is_kept_as_written(tmp_path: Path, build: Path) -> None:
    path = tmp_path / "e.json"
    evidence = collect.collect({}, build)
    collect.save(evidence, path)
    assert collect.load(path) == evidence
    assert page.render(collect.load(path), "whole") == page.render(evidence, "whole")
    assert collect.load(ROOT / "no" / "such.json") == {}
