"""ASE: 1 when the table holds all live sessions, less with fewer rows."""

import pytest

from unison.contract import EventCode
from unison.experiments.ase import ROWS, UNLIMITED, ase, heavy_load, measure, most_live
from unison.experiments.sweep import opened, scenario
from unison.traces.serving import events


def test_most_live_counts_from_the_first_request_to_done():
    point = scenario("gaia_gemma4", "gpu", 0)
    live, most = set(), 0
    for e in events(point.trace, point.load, UNLIMITED):
        (live.discard if e.code == EventCode.DONE else live.add)(e.session)
        most = max(most, len(live))
    assert most_live(point.rows) == most > 48


def test_mean_over_points_leaves_out_those_without_hits():
    rows = [
        {"hit16": 0.2, "unlimited": 0.4},
        {"hit16": 0.4, "unlimited": 0.4},
        {"hit16": 0.0, "unlimited": 0.0},
    ]
    assert ase(rows, 16) == pytest.approx(0.75)
    assert ase(rows[2:], 16) is None


def test_one_with_enough_rows_and_falling_with_fewer():
    rows = measure({"family": "gaia_gemma4", "seed": 0})
    for row in rows:
        for n in ROWS:
            if n >= row["live"]:
                assert row[f"hit{n}"] == row["unlimited"]
                assert row[f"untracked{n}"] == 0
    heavy = next(r for r in rows if r["load"] == "heavy")
    assert heavy["live"] > 64
    assert heavy["hit16"] < heavy["hit32"] < heavy["hit64"] < heavy["unlimited"]


def test_heavy_load_is_beyond_the_rule():
    assert heavy_load(opened("gaia_gemma4")).agents == 160
