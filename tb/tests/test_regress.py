"""The regression's list of jobs: every run is one that the runner takes."""

import itertools

import pytest

from tb import options, regress
from unison.scoring import DEFAULT_FORM


@pytest.mark.parametrize("part", ["runs", "sizes"])
def test_runs_are_valid(part) -> None:
    for name, command in regress.jobs(part):
        assert command[:2] == ["-m", "tb.run"], name
        options.parse(command[2:])


def test_sizes_are_complete() -> None:
    taken = [options.parse(command[2:]) for _name, command in regress.jobs("sizes")]
    assert len({a.label for a in taken}) == len(taken)
    shapes = {(a.slots, a.lanes, a.scorer) for a in taken if a.sim == "icarus"}
    assert {s[:2] for s in shapes} == set(itertools.product((16, 64, 256), options.LANES))
    for slots, lanes in {s[:2] for s in shapes}:
        assert len({s for s in shapes if s[:2] == (slots, lanes)}) == 2
        assert (slots, lanes, DEFAULT_FORM.name.lower()) in shapes
    assert {s[2] for s in shapes} == {"compact", "product", "quotient"}
    runs = [*taken, *(options.parse(list(r)) for r in regress.RUNS)]
    fast = {a.slots for a in runs if a.sim == "verilator" and a.test == "random_all"}
    assert fast == {16, 64, 256}


def test_an_unknown_part_is_refused(capsys) -> None:
    with pytest.raises(SystemExit) as end:
        regress.main(["nothing"])
    assert end.value.code == 2
    assert "valid: runs, sizes, recordings, blocks, formal" in capsys.readouterr().err
