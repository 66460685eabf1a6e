"""Coverage can fail: parser, merge, exclusions and verdict, on fabricated files."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tb.coverage import document, exclusions, model, page, verilator
from tb.coverage.__main__ import main
from tb.coverage.exclusions import Exclusion, Sources
from tb.coverage.judge import TARGETS, judge, summary
from tb.coverage.model import Item
from tb.coverage.verilator import Point
from tb.simulators import ROOT


def _line(kind: str, where: str, name: str, count: int, spans: str = "", instance: str = "a"):
    file, line, column = where.split(":")
    fields = {
        "f": f"/x/rtl/{file}.sv", "l": line, "n": column, "t": kind, "page": f"v_{kind}/{file}__W4",
        "o": name, "h": f"top.{instance}",
    }  # fmt: skip
    if spans:
        fields["S"] = spans
    return "C '" + "".join(f"\x01{k}\x02{v}" for k, v in fields.items()) + f"' {count}"


def _write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(["# SystemC::Coverage-3", *lines]) + "\n")
    return path


@pytest.fixture
def two_runs(tmp_path: Path) -> list[Path]:
    """The same module in two runs, in the first of them twice."""
    return [
        _write(
            tmp_path / "a.coverage.dat",
            _line("line", "m:10:3", "block", 7, "10-11,14"),
            _line("branch", "m:12:5", "if", 0, "12"),
            _line("branch", "m:12:6", "else", 2),
            _line("line", "m:13:5", "elsif", 0, "13", "a"),
            _line("line", "m:13:5", "elsif", 3, "13", "b"),
            _line("toggle", "m:5:9", "sig[0]:0->1", 1),
            _line("toggle", "m:5:9", "sig[0]:1->0", 0),
        ),
        _write(
            tmp_path / "b.coverage.dat",
            _line("branch", "m:12:5", "if", 4, "12"),
            _line("toggle", "m:5:9", "sig[1]:0->1", 0),
        ),
    ]


def test_instances_and_runs_are_merged(two_runs: list[Path]) -> None:
    points = verilator.merge(two_runs)
    assert points[Point("branch", "m", 12, 5, "if", "12")] == 4
    assert points[Point("line", "m", 13, 5, "elsif", "13")] == 3
    # What no run hit is still there to be missed.
    assert Point("toggle", "m", 5, 9, "sig[1]:0->1") in points


def test_measures(two_runs: list[Path]) -> None:
    points = verilator.merge(two_runs)
    assert {p.line: n for p, n in verilator.lines(points).items()} == {
        10: 7, 11: 7, 14: 7, 12: 4, 13: 3
    }  # fmt: skip
    arms = {(p.line, p.name): n for p, n in verilator.branches(points).items()}
    assert arms == {(12, "if"): 4, (12, "else"): 2, (13, "elsif"): 3}
    assert sorted(verilator.toggles(points).values()) == [0, 0, 1]


def test_spans() -> None:
    assert verilator.spans("3,7-9") == [3, 7, 8, 9]
    assert verilator.spans("") == []


@pytest.mark.parametrize("text", ["C 'nothing", "C '\x01f\x02x.sv' 1", "D"])
def test_damaged_file(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path / "x.dat", _line("toggle", "m:1:1", "a:0->1", 1), text)
    with pytest.raises(verilator.CoverageError, match=r"x.dat:3"):
        verilator.read(path)


def test_empty_file(tmp_path: Path) -> None:
    with pytest.raises(verilator.CoverageError, match="no coverage point"):
        verilator.read(_write(tmp_path / "x.dat"))


def _event(**changed) -> tuple:
    fields = {
        "code": "REQ", "state": "FREE", "answer": "COLD", "cause": "NONE", "flight": 0,
        "move": "NONE>SRAM", "kinds": "EVICT+PLACE", "victims": "1", "emptied": "HBM",
        "step": "ON", "size": "NA", "tokens": "SOME", "turn": "BELOW", "source": "APB",
    } | changed  # fmt: skip
    return ("event", *fields.values())


def test_model_counts_points_and_crosses() -> None:
    items = {i.name: i for i in model.evaluate(Counter({_event(): 3, _event(state="GAP"): 2}))}
    assert items["event.state"].bins["FREE"] == 3
    assert items["event.kinds"].bins == {
        "EVICT": 5, "BYPASS": 0, "PLACE": 5, "PROMOTE": 0, "DEMOTE": 0
    }  # fmt: skip
    assert items["event.code_x_state_x_answer"].bins["REQ/GAP/COLD"] == 2
    # Nothing of an evaluation is left to the next.
    again = {i.name: i for i in model.evaluate(Counter())}
    assert not any(n for i in again.values() for n in i.bins.values())


def test_model_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="unknown"):
        model.evaluate(Counter({("moon", 1): 1}))


def _verdict(points: dict[Point, int], items: list[Item], excluded: list[Exclusion]):
    return judge(Counter(points), items, excluded, Sources())


_GOOD = {
    Point("line", "m", 1, 1, "block", "1"): 1,
    Point("branch", "m", 2, 1, "if", "2"): 1,
    Point("toggle", "m", 3, 1, "a:0->1"): 1,
}


def test_all_covered_passes() -> None:
    v = _verdict(_GOOD, [Item("x", False, {"a": 1})], [])
    assert v.passed
    assert all(t.percent == 100 for t in v.totals.values())


@pytest.mark.parametrize("kind", [k for k in TARGETS if k != "functional"])
def test_one_hole_in_the_code_fails(kind: str) -> None:
    hole = {
        "line": Point("line", "m", 9, 1, "block", "9"),
        "branch": Point("branch", "m", 2, 2, "else"),
        "toggle": Point("toggle", "m", 3, 1, "a:1->0"),
    }[kind]
    v = _verdict(_GOOD | {hole: 0}, [Item("x", False, {"a": 1})], [])
    assert [p.split(":")[0] for p in v.problems] == [kind]
    assert [p.line for p in v.missed[kind]] == [hole.line]


def test_one_hole_in_a_bin_fails() -> None:
    v = _verdict(_GOOD, [Item("x", False, {"a": 1, "b": 0})], [])
    assert v.problems == ["functional: 50.00 % is below the target of 100 %"]
    assert ">b<" in page.render(v, Sources())
    assert "`b`" in document.render(v, Sources())
    assert not summary(v)["passed"]


def test_exclusion_takes_a_hole_out() -> None:
    e = Exclusion(("functional",), "x", "cannot happen", match="b", unreachable=True)
    v = _verdict(_GOOD, [Item("x", False, {"a": 1, "b": 0})], [e])
    assert v.passed
    assert v.totals["functional"].excluded == 1


def test_exclusion_that_matches_nothing_fails() -> None:
    stale = Exclusion(("toggle",), "m", "was renamed", match="b:.*")
    v = _verdict(_GOOD, [Item("x", False, {"a": 1})], [stale])
    assert v.problems == ["exclusion matches nothing: toggle m b:.*"]


def test_unreachable_that_is_hit_fails() -> None:
    e = Exclusion(("functional",), "x", "cannot happen", match="a", unreachable=True)
    v = _verdict(_GOOD, [Item("x", False, {"a": 1, "b": 1})], [e])
    assert [p.split(":")[0] for p in v.problems] == ["excluded as unreachable, but hit"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "lines"\nwhere = "m"\nreason = "long enough"', "kind"),
        ('kind = "line"\nwhere = "m"\nreason = "short"', "no reason"),
        ('kind = "line"\nwhere = "("\nreason = "long enough"', "entry 1"),
        ('kind = "line"\nreason = "long enough"', "where"),
        ('kind = "line"\nwhere = "m"\nwho = "me"\nreason = "long enough"', "who"),
    ],
)
def test_wrong_exclusion_file(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(f"[[exclude]]\n{text}\n")
    with pytest.raises(exclusions.ExclusionError, match=message):
        exclusions.load(path)


def test_own_exclusions_can_be_read() -> None:
    assert len(exclusions.load()) > 10


def test_no_coverage_at_all_fails(tmp_path: Path, capsys) -> None:
    (tmp_path / "raw").mkdir()
    assert main(["--merge", "--out", str(tmp_path)]) == 1
    assert "nothing was measured" in capsys.readouterr().out


def test_fabricated_run_is_judged(tmp_path: Path, two_runs: list[Path]) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    for path in two_runs:
        path.rename(raw / path.name)
    (raw / "a.functional.json").write_text(json.dumps([[*_event(), 5]]))
    assert main(["--merge", "--out", str(tmp_path)]) == 1
    found = json.loads((tmp_path / "summary.json").read_text())
    assert found["totals"]["branch"]["covered"] == 3
    assert found["functional"]["event.answer"]["COLD"] == 5
    assert "Uncovered: toggle (2)" in (tmp_path / "index.html").read_text()


def test_unknown_run() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--runs", "moon"])
    assert stop.value.code == 2


@pytest.mark.long
def test_too_little_stimulus_is_below_target(tmp_path: Path) -> None:
    """One short run through the RTL cannot reach the targets; a stale exclusion shows as well."""
    paths = [str(ROOT), str(ROOT / "model"), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "tb.coverage", "--out", str(tmp_path)]
    done = subprocess.run(
        [*command, "--runs", "negative"], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    for kind in ("functional", "line"):
        assert f"coverage: {kind}: " in done.stdout
    assert "FAILED" in done.stdout
    stale = tmp_path / "stale.toml"
    entry = ['kind = "toggle"', 'where = "unison_fsm"', 'match = "gone.*"', 'reason = "test of it"']
    stale.write_text("\n".join(["[[exclude]]", *entry]) + "\n")
    done = subprocess.run(
        [*command, "--merge", "--exclusions", str(stale)], cwd=ROOT, env=env,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "matches nothing: toggle unison_fsm gone.*" in done.stdout
