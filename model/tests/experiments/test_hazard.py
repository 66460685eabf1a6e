"""Hazard: the online table is `fit_hazard` of the sessions that have ended."""

import numpy as np
import pytest

from unison.contract.widths import TURN_ENTRIES
from unison.experiments.hazard import BINS, gap, residuals
from unison.experiments.online_hazard import OnlineSpear
from unison.experiments.sweep import opened, scenario
from unison.policies import DONE, REQ, policy
from unison.policies.base import Setting
from unison.scoring import fit_hazard
from unison.sim.compiled import compile_learn, empty_slots
from unison.sim.simulate import simulate


def learner(point):
    rule = OnlineSpear()
    setting = Setting(point.tables, point.gap_prior, (), point.slots, point.envelope)
    return compile_learn(OnlineSpear.learn), rule.params(setting)


def test_online_equals_offline_on_the_same_counts():
    learn, p = learner(scenario("gaia_gemma4", "cloud", 0))
    assert not p[:TURN_ENTRIES].any()
    slot = empty_slots(1)
    counts = [1, 3, 3, 40, 200, 7]
    for n, k in enumerate(counts):
        slot["k"] = k
        learn(REQ, slot[0], 0.0, p)
        learn(DONE, slot[0], 0.0, p)
        assert p[:TURN_ENTRIES] == pytest.approx(fit_hazard(counts[: n + 1]), abs=1e-15)


def test_after_a_whole_run_the_table_is_the_offline_one():
    class Kept(OnlineSpear):
        def params(self, setting):
            self.p = super().params(setting)
            return self.p

    rule = Kept()
    simulate(scenario("gaia_gemma4", "edge", 0), rule)
    offline = fit_hazard(len(s.turns) for s in opened("gaia_gemma4").sessions)
    assert rule.p[:TURN_ENTRIES] == pytest.approx(offline, abs=1e-15)


def test_score_is_spears():
    point = scenario("gaia_gemma4", "cloud", 0)

    class Told(OnlineSpear):
        learn = None

        def params(self, setting):
            told = super().params(setting)
            told[:TURN_ENTRIES] = setting.tables.hazard
            return told

    told, offline = (simulate(point, p, keep=True).records for p in (Told(), policy("spear")))
    assert np.array_equal(told, offline)


def test_residuals_and_gap():
    folds = [{"all": 0.5, "held_out": 0.49}, {"all": 0.5, "held_out": 0.52}]
    assert residuals(folds) == pytest.approx([0.01, 0.02])
    rows = [
        {"seed": 0, "way": way, **{f"bin{n}": value for n in range(BINS)}}
        for way, value in (("offline", 0.6), ("online", 0.5))
    ]
    assert gap(rows, "online", ["bin0", "bin1"]).value == pytest.approx(0.1)
