"""Formats: locked widths decide as the hardware's score, and fidelity is the golden model's."""

import numpy as np
import pytest

from unison.cli.run import costs
from unison.core import EventCore
from unison.core.fidelity import FidelityProbe
from unison.core.plan import core_event, plan
from unison.core.replay import replay
from unison.experiments.format_gates import failed, knee, tau, top1, worst_drift, worst_top1
from unison.experiments.format_policy import LOCKED, Format, FormatPolicy
from unison.experiments.sweep import opened, scenario
from unison.policies import placing, policy
from unison.scoring import Form
from unison.sim.simulate import simulate
from unison.traces.envelopes import envelope
from unison.traces.serving import events

HARDWARE = {Form.PRODUCT: "spear-hw", Form.QUOTIENT: "spear-hwq"}


@pytest.mark.parametrize("form", HARDWARE)
@pytest.mark.parametrize("where", ["cloud", "gpu"])
def test_locked_widths_decide_as_the_hardware(form, where):
    point = scenario("gaia_devstral", where, 0)
    ours, theirs = (
        simulate(point, rule, placing("tide"), keep=True).records
        for rule in (FormatPolicy(LOCKED[form]), policy(HARDWARE[form]))
    )
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("form", HARDWARE)
def test_fidelity_is_that_of_the_golden_model(form):
    point = scenario("gaia_devstral", "cloud", 0)
    rule = FormatPolicy(LOCKED[form])
    simulate(point, rule, placing("tide"))
    setup = plan(opened("gaia_devstral"), envelope("cloud"), form=form)
    core = EventCore(setup.config, setup.fixed())
    probe = FidelityProbe(core, setup.float64())
    stream = [core_event(e) for e in events(point.trace, setup.load, setup.config.slots)]
    replay(core, stream, setup.dma_bw, costs(setup), probe)
    assert rule.fidelity() == pytest.approx(
        {
            "snapshots": probe.result.snapshots,
            "agreed": probe.result.agreed,
            "ranked": probe.result.ranked,
            "tau_sum": probe.result.tau_sum,
        }
    )
    assert probe.result.snapshots > 100


def test_narrow_score_loses_the_order():
    point = scenario("gaia_devstral", "cloud", 0)
    counts = []
    for width in (48, 22):
        rule = FormatPolicy(Format(Form.PRODUCT, 12, 4, 8, width))
        simulate(point, rule, placing("tide"))
        counts.append(rule.fidelity())
    assert top1([counts[1]]) < top1([counts[0]]) == 1
    assert tau([counts[1]]) < tau([counts[0]])


def row(family, snapshots, agreed, tau_sum, drift):
    return {
        "family": family,
        "snapshots": snapshots,
        "agreed": agreed,
        "ranked": snapshots,
        "tau_sum": tau_sum,
        "drift": drift,
    }


def test_gates():
    good = [row("a", 100, 100, 100.0, 0.001), row("b", 0, 0, 0.0, -0.002)]
    assert failed(good) == []
    assert worst_top1(good) == (1.0, "a")
    bad = [row("a", 900, 900, 899.0, 0.0), row("b", 100, 98, 100.0, -0.0021)]
    assert top1(bad) == pytest.approx(0.998)
    assert tau(bad) == pytest.approx(0.999)
    assert worst_drift(bad) == 0.0021
    assert failed(bad) == ["top-1", "drift"]
    assert knee({8: good, 7: good, 6: bad, 5: good}) == 7
    assert knee({8: good, 7: bad}, ["tau"]) == 7
    assert knee({8: bad}) is None
