"""Directed tests of single clauses of the contract."""

import pytest

from model.tests.core.streams import core
from unison.contract import CoreEvent, EventCode, Outcome, RecordKind, SlotState, Tier
from unison.core import CoreConfig
from unison.core.dma import DmaModel, with_migrations
from unison.scoring import Form

REQ, OPEN, CLOSE, DONE, MIG = EventCode


def run(c, *steps):
    """Steps are (code, slot, tokens, ts); returns the records of the last one."""
    records = []
    for step in steps:
        records = c.step(CoreEvent(*step))
    return records


def short(records):
    return [(r.kind.name, r.slot, r.tier.name, r.tokens) for r in records]


def test_cold_request_is_placed_in_the_fast_tier_first():
    c = core(100, 100)
    assert short(run(c, (REQ, 3, 60, 0))) == [
        ("OUTCOME", 3, "NONE", 60), ("PLACE", 3, "SRAM", 60)]
    assert short(run(c, (REQ, 4, 60, 0)))[1] == ("PLACE", 4, "HBM", 60)
    assert short(run(c, (REQ, 5, 60, 0)))[1] == ("BYPASS", 5, "NONE", 60)


def test_growth_moves_to_the_other_tier_when_its_own_has_no_room():
    c = core(100, 150, tide=False)
    assert short(run(c, (REQ, 0, 90, 0), (OPEN, 0, 120, 1))) == [("PLACE", 0, "HBM", 120)]
    assert c.used == {Tier.SRAM: 0, Tier.HBM: 120}


def test_growth_beyond_both_tiers_drops_the_session():
    c = core(100, 100, tide=False)
    assert short(run(c, (REQ, 0, 90, 0), (OPEN, 0, 120, 1))) == [("BYPASS", 0, "NONE", 120)]
    assert Outcome(run(c, (REQ, 0, 90, 2))[0].info) == Outcome.MISS


def test_gap_open_of_a_session_that_is_not_resident_allocates_nothing():
    c = core(100, 0)
    run(c, (REQ, 0, 200, 0))
    assert run(c, (OPEN, 0, 50, 1)) == []
    assert (c.slots[0].tier, c.slots[0].tokens) == (Tier.NONE, 50)


def test_eviction_crosses_eligible_tiers_by_rank():
    c = core(100, 100, tide=False)
    # Slot 0 in SRAM, 1 and 2 in HBM; 1 has waited longest and leaves, then 2, then room.
    run(c, (REQ, 0, 100, 0), (REQ, 1, 50, 0), (REQ, 2, 50, 0),
        (OPEN, 1, 50, 10), (OPEN, 2, 50, 20), (OPEN, 0, 100, 1000))
    assert short(run(c, (REQ, 3, 80, 1001))) == [
        ("OUTCOME", 3, "NONE", 80), ("EVICT", 1, "HBM", 50), ("EVICT", 2, "HBM", 50),
        ("PLACE", 3, "HBM", 80)]


def test_a_tier_that_cannot_suffice_loses_nobody():
    c = core(100, 100, tide=False)
    # SRAM: slot 0 waits (40) and slot 1 runs (60): at most 40 can be had there.
    run(c, (REQ, 0, 40, 0), (REQ, 1, 60, 0), (REQ, 2, 100, 0), (OPEN, 0, 40, 1),
        (OPEN, 2, 100, 900))
    assert short(run(c, (REQ, 3, 80, 901)))[1:] == [
        ("EVICT", 2, "HBM", 100), ("PLACE", 3, "HBM", 80)]


def test_ties_go_to_the_lowest_slot():
    c = core(100, 0, tide=False)
    run(c, (REQ, 5, 50, 0), (REQ, 2, 50, 0), (OPEN, 5, 50, 7), (OPEN, 2, 50, 7))
    assert short(run(c, (REQ, 9, 50, 60)))[1] == ("EVICT", 2, "SRAM", 50)


def test_ready_ranks_below_gap_and_the_latest_ready_leaves_first():
    c = core(150, 0, tide=False)
    run(c, *((REQ, s, 50, 0) for s in range(3)), *((OPEN, s, 50, 1) for s in range(3)),
        (CLOSE, 0, 0, 5), (CLOSE, 1, 0, 6))
    got = short(run(c, (REQ, 9, 150, 7)))
    assert [r[1] for r in got if r[0] == "EVICT"] == [2, 1, 0]


def test_request_in_gap_closes_the_gap_first():
    c = core()
    run(c, (REQ, 0, 10, 0), (OPEN, 0, 10, 100), (REQ, 0, 10, 164))
    assert (c.slots[0].ghat, c.slots[0].seen, c.slots[0].k) == (64, True, 2)
    run(c, (OPEN, 0, 10, 200), (CLOSE, 0, 0, 208), (REQ, 0, 10, 900))
    assert c.slots[0].ghat == 64 - 14


def test_saturations():
    c = core()
    ts = 0
    for _ in range(300):
        run(c, (REQ, 0, 10, ts), (OPEN, 0, 10, ts))
        ts += 2**25
    assert c.slots[0].k == 255
    assert c.slots[0].ghat == 2**24 - 1


def test_tide_promotes_into_free_room_within_the_budget():
    c = core(100, 100, bw=256)
    run(c, (REQ, 0, 100, 0), (REQ, 1, 60, 0), (DONE, 0, 0, 1))
    # Prior gap 40 ticks at one token a tick: 40 tokens of budget, 60 do not fit.
    assert run(c, (OPEN, 1, 60, 2)) == []
    c = core(100, 100, bw=512)
    run(c, (REQ, 0, 100, 0), (REQ, 1, 60, 0), (DONE, 0, 0, 1))
    assert short(run(c, (OPEN, 1, 60, 2))) == [("PROMOTE", 1, "SRAM", 60)]
    assert c.outstanding
    # In flight: served from the slow tier, never a candidate, until MIG_DONE.
    assert Outcome(run(c, (REQ, 1, 60, 3))[0].info) == Outcome.HIT_HBM
    run(c, (OPEN, 1, 60, 4))
    assert short(run(c, (REQ, 2, 100, 5)))[1] == ("PLACE", 2, "HBM", 100)
    assert short(run(c, (REQ, 3, 100, 5)))[1] == ("BYPASS", 3, "NONE", 100)
    run(c, (MIG, 0, 0, 6))
    assert not c.slots[1].in_flight
    assert Outcome(run(c, (REQ, 1, 60, 7))[0].info) == Outcome.HIT_SRAM


def test_tide_swaps_when_the_fast_tier_holds_a_worse_one():
    c = core(100, 70, bw=2560)
    run(c, (REQ, 0, 80, 0), (REQ, 1, 60, 0), (OPEN, 0, 80, 1))
    assert short(run(c, (OPEN, 1, 60, 1000))) == []  # 80 does not fit an HBM of 70
    c = core(100, 200, bw=2560)
    run(c, (REQ, 0, 80, 0), (REQ, 1, 60, 0), (OPEN, 0, 80, 1))
    assert short(run(c, (OPEN, 1, 60, 1000))) == [
        ("DEMOTE", 0, "HBM", 80), ("PROMOTE", 1, "SRAM", 60)]
    assert c.used == {Tier.SRAM: 60, Tier.HBM: 80}


def test_done_frees_a_slot_in_flight_while_the_engine_stays_busy():
    c = core(100, 100, bw=512)
    run(c, (REQ, 0, 100, 0), (REQ, 1, 60, 0), (DONE, 0, 0, 1), (OPEN, 1, 60, 2), (DONE, 1, 0, 3))
    assert c.outstanding
    assert c.slots[1].state == SlotState.FREE
    run(c, (REQ, 1, 30, 4))
    assert not c.slots[1].in_flight
    assert run(c, (MIG, 0, 0, 5)) == []


def test_time_wraps_and_backward_time_is_refused():
    c = core()
    assert run(c, (REQ, 0, 10, 2**32 - 1), (OPEN, 0, 10, 2**32 + 63)) == []
    assert c.slots[0].t_on == 63
    run(c, (CLOSE, 0, 0, 2**32 + 70))
    assert c.slots[0].ghat == 7
    assert run(c, (REQ, 0, 10, 2**32 + 69))[0].kind == RecordKind.ERROR


@pytest.mark.parametrize("form", Form)
def test_both_forms_prefer_the_session_that_seems_to_end(form):
    c = core(100, 0, form=form, tide=False)
    ts = 0
    for _ in range(8):  # slot 0 at turn 9, where the fitted hazard is high
        run(c, (REQ, 0, 50, ts), (OPEN, 0, 50, ts), (CLOSE, 0, 0, ts + 400))
        ts += 400
    run(c, (REQ, 0, 50, ts), (REQ, 1, 50, ts), (OPEN, 1, 50, ts), (CLOSE, 1, 0, ts + 400),
        (REQ, 1, 50, ts + 400), (OPEN, 0, 50, ts + 400), (OPEN, 1, 50, ts + 400))
    assert short(run(c, (REQ, 2, 50, ts + 401)))[1] == ("EVICT", 0, "SRAM", 50)


@pytest.mark.parametrize(
    ("kwargs", "match"),
    [({"slots": 8}, "slots: got 8, expected 16..256"), ({"cap_hbm": 2**20}, "cap_hbm: got 1048576"),
     ({"tok_w": 0}, "tok_w: got 0")],
)
def test_config_refuses(kwargs, match):
    with pytest.raises(ValueError, match=match):
        CoreConfig(**{"cap_sram": 1, "cap_hbm": 1, **kwargs})


def test_dma_answers_before_events_of_the_same_tick_and_at_the_end():
    dma = DmaModel(256)
    seen = []
    for e in with_migrations([CoreEvent(REQ, 0, 1, t) for t in (0, 10, 11)], dma):
        seen.append((e.code, e.ts))
        if e.ts == 0:
            dma.start(0, 10)
        if e.ts == 11:
            dma.start(11, 0)
            with pytest.raises(RuntimeError, match="under way until 12"):
                dma.start(11, 5)
    assert seen == [(REQ, 0), (MIG, 10), (REQ, 10), (REQ, 11), (MIG, 12)]
    with pytest.raises(ValueError, match="got 0"):
        DmaModel(0)
