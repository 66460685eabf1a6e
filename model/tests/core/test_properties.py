"""Properties of the golden core over random streams, legal and illegal."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from model.tests.core.streams import RAW_EVENTS, core, events
from unison.contract import Cause, CoreEvent, EventCode, Outcome, RecordKind, SlotState, Tier
from unison.scoring import Form

CORES = st.builds(
    core,
    sram=st.sampled_from([0, 120, 300]),
    hbm=st.sampled_from([0, 350, 900]),
    form=st.sampled_from(Form),
    exact=st.booleans(),
    tide=st.booleans(),
    tok_w=st.sampled_from([10, 20]),
)


def _state(c):
    return copy.deepcopy((c.slots, c.used, c.outstanding, c._last_ts))


@settings(max_examples=200, deadline=None)
@given(CORES, RAW_EVENTS)
def test_accounts_hold_after_every_event(c, raw):
    for event in events(raw):
        c.step(event)
        for tier in (Tier.SRAM, Tier.HBM):
            assert c.used[tier] == sum(s.tokens for s in c.slots if s.tier == tier)
            assert 0 <= c.used[tier] <= c.capacity[tier]
        for s in c.slots:
            assert s.state != SlotState.FREE or (s.tier, s.in_flight) == (Tier.NONE, False)
        assert c.outstanding or not any(s.in_flight for s in c.slots)


@settings(max_examples=200, deadline=None)
@given(CORES, RAW_EVENTS)
def test_an_illegal_event_changes_nothing_and_says_why(c, raw):
    for n, event in enumerate(events(raw)):
        before, cause = _state(c), c.fault(event)
        records = c.step(event)
        assert all(r.seq == n % 4096 for r in records)
        errors = [r for r in records if r.kind == RecordKind.ERROR]
        if cause is None:
            assert not errors
        else:
            assert records == errors
            assert [(r.info, r.slot, r.tokens) for r in errors] == [
                (cause, event.slot, event.tokens)
            ]
            assert _state(c) == before
    assert c.counters.events == len(raw)
    assert sum(c.counters.errors.values()) == c.counters.records[RecordKind.ERROR]


@settings(max_examples=300, deadline=None)
@given(CORES, RAW_EVENTS)
def test_victims_are_the_worst_candidates_and_only_when_needed(c, raw):
    for event in events(raw):
        before = copy.deepcopy(c)
        records = c.step(event)
        kinds = [r.kind for r in records]
        evicted = [r for r in records if r.kind == RecordKind.EVICT]
        if RecordKind.BYPASS in kinds:
            assert not evicted
            assert c.slots[event.slot].tier == Tier.NONE or RecordKind.PROMOTE in kinds
        # Replay the event's own part of the state so that keys are read at its time.
        before._now = c._now
        left = {
            i for t in (Tier.SRAM, Tier.HBM) for i in before.candidates(t, event.slot)
        }
        tiers = {r.tier for r in evicted}
        for r in evicted:
            rivals = [i for i in left if before.slots[i].tier in tiers]
            assert r.slot == max(rivals, key=lambda i: (before.key(i), -i))
            assert r.tokens == before.slots[r.slot].tokens
            left.remove(r.slot)


@settings(max_examples=200, deadline=None)
@given(CORES, RAW_EVENTS)
def test_outcomes_follow_residency(c, raw):
    for event in events(raw):
        legal = c.fault(event) is None
        before = copy.copy(c.slots[event.slot]) if event.slot < len(c.slots) else None
        records = c.step(event)
        outcomes = [Outcome(r.info) for r in records if r.kind == RecordKind.OUTCOME]
        if not legal or event.code != EventCode.REQ:
            assert not outcomes
            continue
        if before.state == SlotState.FREE:
            want = Outcome.COLD
        elif before.tier == Tier.NONE:
            want = Outcome.MISS
        elif before.tier == Tier.SRAM and not before.in_flight:
            want = Outcome.HIT_SRAM
        else:
            want = Outcome.HIT_HBM
        assert outcomes == [want]
        assert c.slots[event.slot].tokens == event.tokens


@settings(max_examples=200, deadline=None)
@given(CORES, RAW_EVENTS)
def test_migrations_keep_their_promises(c, raw):
    for event in events(raw):
        was_out = c.outstanding
        records = c.step(event)
        moves = [r for r in records if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE)]
        if not moves:
            continue
        assert c.config.tide
        assert not was_out
        assert event.code == EventCode.GAP_OPEN
        assert [r.kind for r in moves] in (
            [RecordKind.PROMOTE],
            [RecordKind.DEMOTE, RecordKind.PROMOTE],
        )
        assert sum(r.tokens for r in moves) <= c.scorer.budget(c.slots[event.slot].ghat)
        assert all(c.slots[r.slot].in_flight and c.slots[r.slot].tier == r.tier for r in moves)
        if len(moves) == 2:
            assert c.key(moves[0].slot) > c.key(moves[1].slot)


@settings(max_examples=60, deadline=None)
@given(RAW_EVENTS)
def test_deterministic(raw):
    a, b = core(), core()
    assert [a.step(e) for e in events(raw)] == [b.step(e) for e in events(raw)]


def test_every_cause_can_happen():
    c = core(tok_w=10)
    for e in (
        CoreEvent(0, 99, 0, 0), CoreEvent(1, 16, 0, 0), CoreEvent(1, 0, 5, 100),
        CoreEvent(2, 0, 0, 99), CoreEvent(2, 0, 0, 100), CoreEvent(2, 0, 1024, 100),
        CoreEvent(4, 1, 0, 100), CoreEvent(1, 0, 5, 100), CoreEvent(3, 0, 0, 100),
        CoreEvent(2, 0, 5, 100), CoreEvent(2, 0, 5, 100), CoreEvent(5, 99, 0, 100),
    ):
        c.step(e)
    assert c.counters.errors == dict.fromkeys(Cause, 1)
