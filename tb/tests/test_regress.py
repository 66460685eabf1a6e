"""The regression's list of jobs: every run is one that the runner takes."""

import pytest

from tb import options, regress


@pytest.mark.parametrize("part", ["runs", "sizes"])
def test_runs_are_valid(part) -> None:
    for name, command in regress.jobs(part):
        assert command[:2] == ["-m", "tb.run"], name
        options.parse(command[2:])


def test_sizes_are_complete() -> None:
    taken = [options.parse(command[2:]) for _name, command in regress.jobs("sizes")]
    assert len({a.label for a in taken}) == len(taken)
    shapes = {(a.slots, a.lanes, a.scorer) for a in taken if a.sim == "icarus"}
    assert len(shapes) == 3 * len(options.LANES) * len(options.SCORERS)
    runs = [*taken, *(options.parse(list(r)) for r in regress.RUNS)]
    fast = {a.slots for a in runs if a.sim == "verilator" and a.test == "random_all"}
    assert fast == {16, 64, 256}


def test_an_unknown_part_is_refused(capsys) -> None:
    with pytest.raises(SystemExit) as end:
        regress.main(["nothing"])
    assert end.value.code == 2
    assert "valid: runs, sizes, recordings, blocks, formal" in capsys.readouterr().err
