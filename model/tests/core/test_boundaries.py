"""Both sides of every comparison that the core makes, and what it forgets at MIG_DONE."""

import math

import pytest

from model.tests.core.streams import TABLES, core
from unison.contract import CoreEvent, EventCode, RecordKind, SlotState, Tier, ticks
from unison.core import CoreConfig
from unison.core.dma import DmaModel, with_migrations
from unison.core.plan import EMA_SHIFT, core_event, gap_prior, plan
from unison.core.state import TideEnd
from unison.scoring import DEFAULT_FORM, FixedScorer, FloatScorer, Form, fit_hazard
from unison.scoring.tables import Tables, turn_index
from unison.traces.envelopes import ENVELOPES
from unison.traces.events import TraceEvent
from unison.traces.format import read_trace
from unison.traces.load import derive_load
from unison.traces.paths import data_path

REQ, OPEN, CLOSE, DONE, MIG = EventCode


def run(c, *steps):
    """Steps are (code, slot, tokens, ts); returns the records of the last one."""
    records = []
    for step in steps:
        records = c.step(CoreEvent(*step))
    return records


def kinds(records):
    return [(r.kind.name, r.slot) for r in records]


def promoted(bw=512):
    """A core with slot 1 on its way to the fast tier."""
    c = core(100, 100, bw=bw)
    run(c, (REQ, 0, 100, 0), (REQ, 1, 60, 0), (DONE, 0, 0, 1), (OPEN, 1, 60, 2))
    assert c.outstanding is True
    return c


def test_mig_done_ends_the_migration_and_only_one():
    c = promoted()
    assert run(c, (MIG, 0, 0, 6)) == []
    assert c.outstanding is False
    assert all(s.in_flight is False for s in c.slots)
    assert run(c, (MIG, 0, 0, 7))[0].kind == RecordKind.ERROR


def test_an_evicted_slot_is_nowhere():
    c = core(100, 0, tide=False)
    run(c, (REQ, 0, 100, 0), (OPEN, 0, 100, 1), (REQ, 1, 100, 2))
    assert c.slots[0].tier is Tier.NONE


def test_choices_are_the_candidates_without_the_own_slot():
    c = core(100, 0, tide=False)
    run(c, (REQ, 0, 40, 0), (REQ, 1, 40, 0), (REQ, 2, 20, 0), (OPEN, 1, 40, 1), (OPEN, 2, 20, 2))
    # The own slot grows and would itself be the worst candidate.
    assert kinds(run(c, (OPEN, 0, 70, 3))) == [("EVICT", 1)]
    assert c.choices == [(1, 2)]


def swap_pool(hbm=200, bw=2560, size=80, own=60, sram=100):
    """Slot 0 waits in SRAM, slot 1 in HBM and opens its gap."""
    c = core(sram, hbm, bw=bw)
    run(c, (REQ, 0, size, 0), (REQ, 1, own, 0), (OPEN, 0, size, 1), (OPEN, 1, own, 1000))
    return c


@pytest.mark.parametrize(("sram", "end"), [(100, TideEnd.SWAP), (99, TideEnd.NO_CANDIDATE)])
def test_a_candidate_as_large_as_the_fast_tier_may_come(sram, end):
    c = core(sram, 400, bw=2560)
    run(c, (REQ, 0, 80, 0), (REQ, 1, 100, 0), (OPEN, 0, 80, 1), (OPEN, 1, 100, 1000))
    assert c.slots[1].tier == (Tier.SRAM if end is TideEnd.SWAP else Tier.HBM)
    assert c.tide.end is end


@pytest.mark.parametrize(("hbm", "end"), [(80, TideEnd.SWAP), (79, TideEnd.NO_ROOM_HBM)])
def test_the_slow_tier_takes_exactly_its_capacity(hbm, end):
    c = swap_pool(hbm=hbm)
    assert c.tide.end is end
    assert (c.tide.p, c.tide.q, c.tide.fits, c.tide.tops) == (1, 0, (1,), (0,))


@pytest.mark.parametrize(("sram", "end"), [(140, TideEnd.SWAP), (139, TideEnd.NO_ROOM_SRAM)])
def test_the_fast_tier_takes_exactly_what_the_other_leaves(sram, end):
    # Slot 2 stays active with 50; what slot 0 leaves and what is free make the room.
    c = core(sram, 400, bw=2560)
    run(c, (REQ, 0, 80, 0), (REQ, 2, 50, 0), (REQ, 1, 90, 0), (OPEN, 0, 80, 1),
        (OPEN, 1, 90, 1000))  # fmt: skip
    assert c.tide.end is end


@pytest.mark.parametrize(("bw", "end"), [(896, TideEnd.SWAP), (895, TideEnd.NO_BUDGET)])
def test_the_budget_covers_both_of_an_exchange(bw, end):
    # 40 ticks of prior gap: 140 tokens at 3.5 a tick.
    assert swap_pool(bw=bw).tide.end is end


def test_equal_keys_do_not_change_places():
    c = core(100, 200, bw=2560)
    run(c, (REQ, 0, 80, 0), (REQ, 1, 60, 0), (OPEN, 0, 80, 5), (OPEN, 1, 60, 5))
    assert c.key(0) == c.key(1)
    assert c.tide.end is TideEnd.NOT_WORSE


def test_the_best_of_the_slow_tier_is_promoted_and_ties_go_to_the_lowest():
    for first, second, want in ((900, 990, 2), (990, 900, 1), (950, 950, 1)):
        c = core(100, 400, bw=2560)
        run(c, (REQ, 0, 80, 0), (REQ, 1, 60, 0), (REQ, 2, 60, 0), (REQ, 3, 60, 0),
            (OPEN, 0, 80, 1))  # fmt: skip
        times = sorted([(first, 1), (second, 2)])
        for t, slot in times:
            c.config = CoreConfig(100, 400, 16, tide=False)
            run(c, (OPEN, slot, 60, t))
        c.config = CoreConfig(100, 400, 16)
        # The own slot has waited least but is READY's opposite: its average is far longer.
        c.slots[3].ghat = 100_000
        run(c, (OPEN, 3, 60, 1000))
        assert (c.tide.fits, c.tide.p) == ((1, 2, 3), want)


def test_keys_of_a_gap_rank_one_above_ready():
    for form in Form:
        score = FixedScorer.from_tables(form, TABLES, 40, 2, 64)
        assert score.gap_key(40, 1, 0)[0] == 1
        assert score.ready_key(0)[0] == 0


def test_priors_saturate_and_budgets_round_down():
    score = FixedScorer.from_tables(Form.PRODUCT, TABLES, 2**24 + 5, 2, 257)
    assert score.prior() == 2**24 - 1
    assert (score.budget(255), score.budget(256)) == (255, 257)


@pytest.mark.parametrize(("tok_w", "cap"), [(12, 4095), (1, 1), (20, 2**20 - 1)])
def test_config_takes_its_largest_values(tok_w, cap):
    assert CoreConfig(cap, cap, 256, tok_w).cap_hbm == cap
    for sram, hbm in ((cap + 1, 0), (0, cap + 1), (-1, 0), (0, -1)):
        name, value = ("cap_sram", sram) if sram not in (0, cap) else ("cap_hbm", hbm)
        message = f"^{name}: got {value}, expected 0..{cap} tokens$"
        with pytest.raises(ValueError, match=message):
            CoreConfig(sram, hbm, 16, tok_w)


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [({"slots": 15}, "slots: got 15, expected 16..256"),
     ({"slots": 257}, "slots: got 257, expected 16..256"),
     ({"tok_w": 0}, "tok_w: got 0, expected 1..20"),
     ({"tok_w": 21}, "tok_w: got 21, expected 1..20")],
)  # fmt: skip
def test_config_says_what_it_refuses(kwargs, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        CoreConfig(**{"cap_sram": 1, "cap_hbm": 1, **kwargs})


def test_dma_takes_whole_ticks_and_one_at_a_time():
    slowest = DmaModel(1)
    slowest.start(5, 2)
    assert slowest.pop_due(516) is None
    assert slowest.pop_due(517) == CoreEvent(MIG, 0, 0, 517)
    dma = DmaModel(512)
    dma.start(0, 3)  # a tick and a half
    with pytest.raises(RuntimeError, match=r"^migration at tick 1: one is under way until 2$"):
        dma.start(1, 1)
    assert list(with_migrations([], dma)) == [CoreEvent(MIG, 0, 0, 2)]
    with pytest.raises(ValueError, match=r"^DMA bandwidth: got 0, expected at least 1 \(Q8.8\)$"):
        DmaModel(0)


def test_turns_share_entries_from_the_thirty_third_on():
    assert [turn_index(k) for k in (1, 32, 33, 36, 37, 40, 41)] == [0, 31, 32, 32, 33, 33, 34]
    assert [turn_index(k) for k in (157, 160, 161, 255)] == [63, 63, 63, 63]


def test_hazard_is_the_smoothed_share_of_sessions_that_end():
    got = fit_hazard([1, 1, 2])
    overall = 3 / 4
    want = [(2 + 8 * overall) / (3 + 8), (1 + 8 * overall) / (1 + 8), overall]
    assert got[:3] == pytest.approx(want)
    assert got[63] == pytest.approx(overall), "no session came so far"
    assert fit_hazard([1] * 10_000)[0] == 1 - 1 / 256
    # Turns 33 to 36 are one entry: each counts as one that reached it.
    some = 1e-9
    assert fit_hazard([36], some)[31:33] == pytest.approx((0.0, 1 / 4), abs=1e-6)
    for counts in ([], [0], [3, 0]):
        with pytest.raises(ValueError, match=r"^turn counts: expected at least one session of at "):
            fit_hazard(counts)


def test_tables_refuse_wrong_sizes_and_certain_ends():
    column, hazard = (1.0,) * 16, (0.5,) * 64
    Tables((0.0,) * 64, column, column)
    for args, message in (
        (((0.5,) * 63, column, column), "hazard: got 63 entries, expected 64"),
        ((hazard, column[1:], column), "weight_w: got 15 entries, expected 16"),
        ((hazard, column, column[1:]), "weight_z: got 15 entries, expected 16"),
        (((1.0, *hazard[1:]), column, column), r"hazard\[0\]: got 1.0, expected 0 <= h < 1"),
        (((*hazard[1:], -0.1), column, column), r"hazard\[63\]: got -0.1, expected 0 <= h < 1"),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            Tables(*args)


def test_raw_tables_round_and_saturate():
    tables = Tables((0.0, 0.5, 0.999, *(0.25,) * 61), (1e9, 0.03, *(1.0,) * 14), (2.0,) * 16)
    assert tables.odds_raw()[:4] == (0, 4096, 65535, 1365)
    assert tables.hazard_raw()[:4] == (0, 128, 255, 64)
    w, z = tables.weight_raw()
    assert (w[:3], z[0]) == ((65535, 0, 16), 32)


def test_the_prior_is_the_median_wait_in_whole_ticks():
    assert gap_prior([]) == 1
    assert gap_prior([1000, 3000, 90_000]) == 48
    assert gap_prior([1030]) == 16
    assert gap_prior([10**12]) == 2**24 - 1


def test_an_event_carries_its_exact_time():
    event = core_event(TraceEvent(REQ, 3, 7, 1_031, 0, 0))
    assert (event.code, event.slot, event.tokens) == (REQ, 3, 7)
    assert (event.ts, event.exact) == (ticks(1_031), 1_031 * 16 / 1000)


def test_a_plan_is_its_trace_and_envelope():
    trace, envelope = read_trace(data_path("gaia_gemma4")), ENVELOPES["gpu"]
    p = plan(trace, envelope)
    assert p.config == CoreConfig(envelope.sram.tokens, envelope.hbm.tokens, 64, tide=True)
    assert p.envelope is envelope
    assert p.dma_bw == envelope.dma_bw_q8
    assert (p.form, p.gap_prior) == (DEFAULT_FORM, gap_prior(trace.waits_us()))
    assert p.tables.hazard == fit_hazard(len(s.turns) for s in trace.sessions)
    assert p.tables.weight_w == p.tables.weight_z
    fixed, exact = p.fixed(), p.float64()
    assert isinstance(exact, FloatScorer)
    want = FixedScorer.from_tables(
        DEFAULT_FORM, p.tables, math.floor(p.gap_prior), EMA_SHIFT, p.dma_bw
    )
    assert fixed == want
    assert exact == FloatScorer(DEFAULT_FORM, p.tables, p.gap_prior, EMA_SHIFT, p.dma_bw)
    other = plan(trace, envelope, slots=128, form=Form.QUOTIENT, pressure=1.0, tide=False)
    assert (other.config.slots, other.config.tide, other.form) == (128, False, Form.QUOTIENT)
    assert p.load == derive_load(trace, envelope.pool_tokens, 2.0)
    edge = ENVELOPES["edge-tight"]
    loads = [derive_load(trace, edge.pool_tokens, x) for x in (2.0, 3.0)]
    assert plan(trace, edge).load == loads[0] != loads[1]
    small = plan(trace, ENVELOPES["edge-tight"], pressure=9.0)
    assert small.load == derive_load(trace, ENVELOPES["edge-tight"].pool_tokens, 9.0)
    assert small.load != derive_load(trace, ENVELOPES["edge-tight"].pool_tokens, 2.0)
    assert other.fixed().form is Form.QUOTIENT
    assert other.float64() == FloatScorer(Form.QUOTIENT, p.tables, p.gap_prior, 2, p.dma_bw)


def test_slots_start_free_and_candidates_wait():
    c = core()
    s = c.slots[0]
    assert (s.state, s.tier, s.seen, s.in_flight) == (SlotState.FREE, Tier.NONE, False, False)
    for state, tier, flying, want in (
        (SlotState.GAP, Tier.SRAM, False, True), (SlotState.READY, Tier.HBM, False, True),
        (SlotState.ACTIVE, Tier.SRAM, False, False), (SlotState.GAP, Tier.NONE, False, False),
        (SlotState.GAP, Tier.SRAM, True, False),
    ):  # fmt: skip
        s.state, s.tier, s.in_flight = state, tier, flying
        assert s.candidate is want


def test_faults_begin_where_the_contract_says():
    c = core(4095, 0, tok_w=12)
    assert [r.kind for r in run(c, (REQ, 0, 4095, 0))] == [RecordKind.OUTCOME, RecordKind.PLACE]
    record = run(c, (REQ, 1, 4096, 0))[0]
    assert (record.kind, record.tier, record.info) == (RecordKind.ERROR, Tier.NONE, 5)
    # Half the range of time forward is forward.
    assert run(c, (OPEN, 0, 9, 2**31 - 1)) == []
    assert run(c, (CLOSE, 0, 0, 2**32 - 1))[0].kind == RecordKind.ERROR


def test_outcomes_are_counted_one_by_one():
    c = core(100, 0, tide=False)
    run(c, (REQ, 0, 10, 0), (REQ, 1, 10, 0), (OPEN, 0, 10, 1), (REQ, 0, 10, 2), (OPEN, 0, 10, 3),
        (REQ, 0, 10, 4))  # fmt: skip
    assert list(c.counters.outcomes.values()) == [2, 0, 2, 0]


@pytest.mark.parametrize(
    ("size", "bw", "end"),
    [(100, 640, TideEnd.FITS), (100, 639, TideEnd.NO_DEMOTION), (60, 384, TideEnd.FITS)],
)
def test_a_promotion_may_fill_the_fast_tier_and_spend_the_budget(size, bw, end):
    c = core(100, 100, bw=bw)
    run(c, (REQ, 0, 100, 0), (REQ, 1, size, 0), (DONE, 0, 0, 1), (OPEN, 1, size, 2))
    assert (c.tide.end, c.tide.fits, c.tide.p) == (end, (1,), 1)


def test_tide_says_that_the_engine_is_busy():
    c = promoted()
    run(c, (REQ, 2, 10, 3), (OPEN, 2, 10, 4))
    assert c.tide.end is TideEnd.OUTSTANDING


@pytest.mark.parametrize(("first", "second", "want"), [(1, 9, 0), (9, 1, 2), (5, 5, 0)])
def test_the_worst_of_the_fast_tier_is_demoted_and_ties_go_to_the_lowest(first, second, want):
    c = core(120, 400, bw=25600)
    run(c, (REQ, 0, 60, 0), (REQ, 2, 60, 0), (REQ, 1, 50, 0))
    c.config = CoreConfig(120, 400, 16, tide=False)
    for t, slot in sorted([(first * 1000, 0), (second * 1000, 2)]):
        run(c, (OPEN, slot, 60, t))
    c.config = CoreConfig(120, 400, 16)
    run(c, (OPEN, 1, 50, 10_000))
    assert (c.tide.end, c.tide.q, c.tide.tops) == (TideEnd.SWAP, want, (0, 2))
