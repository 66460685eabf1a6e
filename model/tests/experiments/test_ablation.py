"""Ablation: pooled prefetch accuracy, and the ranking that is Spear's under any eviction."""

import pytest

from unison.experiments.ablation import SpearRank, accuracy
from unison.experiments.sweep import scenario
from unison.policies import placing, policy
from unison.sim.simulate import simulate


def test_accuracy_is_over_all_promotions():
    rows = [
        {"promotions": 1, "accuracy": 1.0},
        {"promotions": 9, "accuracy": 0.0},
        {"promotions": 0, "accuracy": None},
    ]
    assert accuracy(rows) == pytest.approx(0.1)
    assert accuracy(rows[2:]) is None


def test_spear_rank_is_tide_when_spear_evicts():
    point = scenario("gaia_gemma4", "cloud", 0)
    own, shared = (
        simulate(point, policy("spear"), place, keep=True)
        for place in (SpearRank(), placing("tide"))
    )
    assert (own.records == shared.records).all()
    assert own.totals.decisions["PROMOTE"] > 0
