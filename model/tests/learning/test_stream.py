"""The tables that a driver writes are those the compiled policies rank by."""

from dataclasses import replace

import pytest

from unison.contract import EventCode
from unison.core import EventCore
from unison.core.plan import EMA_SHIFT, core_event, plan
from unison.core.replay import Costs, replay
from unison.learning.learner import raw_tables
from unison.learning.stream import updates
from unison.policies import placing, policy
from unison.scoring import Form
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.traces import envelope, events, open_trace


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("learned", {}),
        ("learned:turn=1", {"by_turn": True}),
        ("learned:memory=64,period=32", {"memory": 64, "period": 32}),
        ("learned-relative", {"relative": True}),
    ],
)
@pytest.mark.parametrize("family", ["gaia_gemma4", "human_chat"])
def test_last_update_is_what_the_simulator_ends_with(family, name, options):
    """Pure Python over the trace, and compiled in the simulator: the same bits."""
    point = Scenario.of(open_trace(family), envelope("cloud"))
    run = simulate(point, policy(name), placing("none"), keep=True)
    found = list(updates(point.rows, round(point.gap_prior), **options))
    assert len(found) > 5
    last, want = found[-1].tables, raw_tables(run.numbers)
    # Ends and gaps after the last update are counted, but in no table yet.
    assert (last.w, last.z, last.odds, last.shift) == (want.w, want.z, want.odds, want.shift)
    assert last.w != found[0].tables.w


def test_updates_are_in_order_and_at_returns():
    point = Scenario.of(open_trace("gaia_qwen3"), envelope("gpu"))
    found = list(updates(point.rows, 16))
    numbers = [u.event for u in found]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == -1
    assert all(point.rows["code"][n] == EventCode.GAP_CLOSE for n in numbers[1:])


def rewritten(core, stream, changes):
    """The events, with the core's tables rewritten between them, as a driver would."""
    pending = {u.event + 1: u.tables for u in changes}
    for n, event in enumerate(stream):
        if n in pending:
            t = pending[n]
            core.scorer = replace(core.scorer, weight_w=t.w[0], weight_z=t.z[0], turn=t.odds)
        yield event


@pytest.mark.parametrize("where", ["cloud", "gpu-tight"])
def test_golden_model_replays_the_updates(where):
    """The core of today, its registers rewritten by the stream, decides as the simulator does."""
    trace, where = open_trace("human_chat"), envelope(where)
    setup = plan(trace, where, form=Form.PRODUCT)
    core = EventCore(setup.config, setup.fixed())
    point = Scenario.of(trace, where)
    changes = list(updates(point.rows, setup.fixed().gap_prior, relative=True, shift=EMA_SHIFT))
    got, seq = [], 0

    def observe(_event, records):
        nonlocal seq
        got.extend((seq, r.kind, r.slot, r.tier, r.tokens) for r in records)
        seq += 1

    stream = rewritten(core, (core_event(e) for e in events(trace, setup.load, 64)), changes)
    costs = Costs({1: where.sram.read_ns, 2: where.hbm.read_ns}, where.prefill_rate)
    replay(core, stream, setup.dma_bw, costs, observe)
    run = simulate(point, policy("learned-relative"), placing("tide"), keep=True)
    columns = (run.records[c].tolist() for c in ("seq", "kind", "slot", "tier", "tokens"))
    assert got == list(zip(*columns, strict=True))
    assert run.totals.decisions["EVICT"] > 50
