"""The plan is whole, and each way in which it could not be is noticed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tb.plan import check, names
from tb.plan.__main__ import PAGE, main
from tb.plan.clauses import Clause, Part, PlanError, load
from tb.plan.contract import CONTRACT, sections

GOOD = Clause(
    "1", "one", ["holds at all times"], ["tb/plan/test_plan.py::test_plan_is_whole"], ["smoke"],
    ["fifo", "core.acc_sum"], ["event.code"],
)  # fmt: skip
TEXT = """# C
Preface.

## 1. Rules **[U]**
It holds at
all times. It may not wait.

| head | head |
|---|---|
| a row | of two |

## 2. Remarks
- nothing to keep.
"""


def test_plan_is_whole() -> None:
    assert check.problems(load(), sections()) == []


def test_page_is_up_to_date() -> None:
    assert main(["--check"]) == 0


def test_stale_page_is_told(monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr("tb.plan.__main__.ROOT", tmp_path)
    monkeypatch.setattr("tb.plan.__main__.PAGE", tmp_path / "testplan.md")
    assert main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out
    assert main([]) == 0
    assert (tmp_path / "testplan.md").read_text() == PAGE.read_text()


@pytest.fixture
def contract(tmp_path: Path):
    path = tmp_path / "contract.md"
    path.write_text(TEXT)
    return sections(path)


def _problems(contract, *clauses: Clause, rest: str = "a remark") -> list[str]:
    return check.problems([Part("1", clauses), Part("2", (), rest)], contract)


def test_statements(contract) -> None:
    assert [(s.number, s.title) for s in contract] == [("1", "Rules"), ("2", "Remarks")]
    assert contract[0].statements == (
        "It holds at all times.", "It may not wait.", "| a row | of two |"
    )  # fmt: skip
    assert contract[1].statements == ("- nothing to keep.",)


def test_good_plan(contract) -> None:
    rest = Clause("1", "rest", ["may not wait", "a row"], properties=["fifo.fifo_order"])
    assert _problems(contract, GOOD, rest) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quotes": ["holds at no time"]}, "in 0 statements"),
        ({"quotes": ["It"]}, "in 2 statements"),
        ({"quotes": []}, "no quote"),
        ({"tests": [], "sims": [], "properties": []}, "no test and no property"),
        ({"tests": ["tb/plan/test_plan.py::test_gone"]}, "no such test"),
        ({"tests": ["tb/plan/gone.py::test_plan_is_whole"]}, "no such test"),
        ({"tests": ["tb/plan/test_plan.py"]}, "no such test"),
        ({"sims": ["gone"]}, "no such simulation"),
        ({"sims": ["speed"]}, "no command runs"),
        ({"properties": ["gone"]}, "no such property"),
        ({"properties": ["core.gone"]}, "no such property"),
        ({"cover": ["event.gone"]}, "no such cover item"),
        ({"informative": "says nothing"}, "informative, but"),
    ],
)
def test_a_bad_clause_is_told(contract, change: dict, message: str) -> None:
    rest = Clause("1", "rest", ["may not wait", "a row"], properties=["fifo"])
    wrong = _problems(contract, replace(GOOD, **change), rest)
    assert any(w.startswith("1.one: ") and message in w for w in wrong), wrong


def test_holes_are_told(contract) -> None:
    wrong = _problems(contract, GOOD)
    told = [w.split("quotes: ")[-1] for w in wrong]
    assert told == ["'It may not wait.'", "'| a row | of two |'"]
    assert "1.one: 2 clauses of this name" in _problems(contract, GOOD, GOOD)
    assert "section 1: no clause, and no reason why it needs none" in _problems(contract)
    wrong = check.problems([Part("2", (), "a remark"), Part("3", (), "gone")], contract)
    assert wrong == ["section 1 (Rules): 0 files, expected 1", "section 3: not in the contract"]


def test_a_new_rule_in_the_contract_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "contract.md"
    text = CONTRACT.read_text()
    path.write_text(text.replace("ignored **[U]**.", "ignored **[U]**. Nobody may whistle."))
    wrong = check.problems(load(), sections(path))
    assert len(wrong) == 1 and "Nobody may whistle." in wrong[0]
    path.write_text(text.replace("All remaining ties go to the lowest", "Ties go to the highest"))
    assert any(w.startswith("3.ties: ") for w in check.problems(load(), sections(path)))


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    for text in ("section =", "[[clause]]\nid = 'x'", "section = '1'\n[[clause]]\nwho = 'x'"):
        path.write_text(text)
        with pytest.raises(PlanError, match=r"x\.toml"):
            load(tmp_path)


def test_names() -> None:
    assert names.has_test("tb/block/core/test_core.py::turns_saturate")
    assert not names.has_test("tb/block/core/test_core.py::_leg")
    assert "acc_sum" in names.properties()["core"]
    assert "make test" in names.run_by("smoke")
    assert names.run_by("random_turns") == ["make test", "make regress", "make coverage"]
