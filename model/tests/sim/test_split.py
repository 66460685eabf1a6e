"""Split engines: no loss where nothing can be stale, and a truth that always adds up."""

from dataclasses import replace

import numpy as np
import pytest

from unison.experiments.control_plane import measure
from unison.policies import placing, policy
from unison.sim import split
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.traces.envelopes import envelope
from unison.traces.paths import open_trace


@pytest.fixture(scope="module")
def scenario():
    return Scenario.of(open_trace("gaia_gemma4"), envelope("cloud"))


@pytest.mark.parametrize("period", [1, 7, 1000])
def test_without_migrations_nothing_is_stale(scenario, period):
    """Without a fast tier Spear alone decides, from registers of its own."""
    flat = scenario.resized(0, 60_000)
    found = split.simulate_split(flat, policy("spear"), period)
    one = simulate(flat, policy("spear"), placing("tide")).totals
    assert one.decisions["EVICT"] > 0
    assert one.decisions["PROMOTE"] == 0
    assert found.hit_rate == one.hit_rate
    assert found.amat_us == pytest.approx(one.amat_us)
    assert found[2:] == (0, 0, 0)


def test_synchronized_at_every_event_only_migrations_can_be_void(scenario):
    found = split.simulate_split(scenario, policy("spear"), 1)
    assert found.void_evictions == found.void_placements == 0
    assert found.void_migrations > 0


def test_memory_adds_up(scenario, monkeypatch):
    kept = {}

    def run(*args):
        kept["held"], kept["used"], kept["cap"] = args[7], args[8], args[5].n[:3]
        return original(*args)

    original = split.run
    monkeypatch.setattr(split, "run", run)
    rows = scenario.rows
    for end in (200, 900, len(rows)):
        part = replace(scenario)
        part.__dict__["rows"] = rows[:end]
        split.simulate_split(part, policy("spear"), 5)
        held = kept["held"]
        sums = np.bincount(held["tier"], weights=held["kept"], minlength=3)[1:]
        assert sums.tolist() == kept["used"][1:].tolist()
        assert (kept["used"] <= kept["cap"]).all()


def test_period_is_checked(scenario):
    with pytest.raises(ValueError, match="period: got 0, expected at least 1"):
        split.simulate_split(scenario, policy("spear"), 0)


def test_cell_has_the_reference_first():
    rows = measure({"family": "gaia_gemma4", "envelope": "gpu", "seed": 0})
    assert [r["period"] for r in rows][:3] == [0, 1, 2]
    assert rows[0]["void"] == 0
