"""Proofs and planted bugs; all of them are long but the FIFO's."""

import re
from dataclasses import replace

import pytest

from formal import run
from formal.proof import HERE, RTL
from formal.proofs import PROOFS

SLOW = [p for p in PROOFS if p.name != "fifo"]
FIFO = PROOFS[0]


def test_planted_lines_stand_once() -> None:
    """A bug that is not where it should be would be planted nowhere."""
    wrong = {b.name: b.places() for p in PROOFS for b in p.bugs if b.places() != 1}
    assert not wrong


def test_every_proof_has_bugs_covers_and_sources() -> None:
    for proof in PROOFS:
        assert proof.bugs
        assert all(path.exists() for path in [*proof.sources(), *proof.included()])
        assert proof.covers_in() > 0
    package = (RTL / "unison_pkg.sv").read_text()
    for proof in PROOFS:
        assert run.narrowed(package, proof.narrow)


def test_core_has_one_file_a_goal() -> None:
    """A file that the harness does not include would prove nothing."""
    core = next(p for p in PROOFS if p.name == "core")
    harness = core.sources()[-1].read_text()
    assert re.findall(r'`include "(\S+)"', harness) == list(core.parts)
    assert {path.name for path in (HERE / "core").iterdir()} == set(core.parts)
    goals = [set(re.findall(r"`PROVE\((\d)", path.read_text())) for path in core.included()]
    proved = [str(size["Goal"]) for size in core.sizes]
    assert sorted("".join(sorted(g)) for g in goals if g) == proved


def test_fifo_is_proved(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "BUILD", tmp_path)
    assert run.check(FIFO, FIFO.sizes[-1])["ok"]


def test_fifo_with_a_bug_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "BUILD", tmp_path)
    assert run.plant(FIFO, FIFO.bugs[0])["failed"] == ["fifo_full"]


def test_surprises_fail_the_command(tmp_path, monkeypatch) -> None:
    """A wrong line that is proved, and a property that is not: exit 1."""
    bug = FIFO.bugs[0]
    harmless = replace(bug, bad=f"{bug.good}  // as before")
    monkeypatch.setattr(run, "BUILD", tmp_path)
    monkeypatch.setattr(run, "PROOFS", (replace(FIFO, sizes=FIFO.sizes[-1:], bugs=(harmless,)),))
    assert run.main(["--planted"]) == 1
    sources = run._sources
    monkeypatch.setattr(run, "_sources", lambda proof, folder, _: sources(proof, folder, bug))
    assert run.main([]) == 1


@pytest.mark.long
@pytest.mark.parametrize("proof", SLOW, ids=lambda p: p.name)
def test_proof(proof, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "BUILD", tmp_path)
    assert all(run.check(proof, size)["ok"] for size in proof.sizes)


@pytest.mark.long
@pytest.mark.parametrize(
    ("proof", "bug"), [(p, b) for p in SLOW for b in p.bugs], ids=lambda x: x.name
)
def test_planted(proof, bug, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "BUILD", tmp_path)
    assert run.plant(proof, bug)["ok"]
