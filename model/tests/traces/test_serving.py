"""The closed loop keeps its rules for any trace and load."""

import itertools
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.conftest import make_trace
from unison.contract import EventCode
from unison.traces import (
    FAMILIES,
    ServingLoad,
    ServingStats,
    derive_load,
    envelope,
    events,
    open_trace,
)

REQ, OPEN, CLOSE, DONE = EventCode.REQ, EventCode.GAP_OPEN, EventCode.GAP_CLOSE, EventCode.DONE
NEXT = {None: {REQ}, REQ: {OPEN}, OPEN: {CLOSE, DONE}, CLOSE: {REQ}}

_ROW = st.tuples(st.integers(0, 6), st.integers(1, 6), st.integers(1, 50), st.integers(1, 50))
_LOAD = st.builds(ServingLoad, st.integers(1, 6), st.integers(1, 4), st.integers(0, 12))


@st.composite
def _traces(draw):
    rows = draw(st.lists(st.lists(_ROW, min_size=1, max_size=4), min_size=1, max_size=12))
    return make_trace([[(None, *turns[0][1:]), *turns[1:]] for turns in rows])


def check_rules(trace, load, slots):
    """Everything docs/traces.md says of the stream; the statistics of the run."""
    stats = ServingStats()
    state, owner, when = {}, {}, {}
    busy = agents = 0
    now = 0
    joined = {}  # session: time it joined the queue
    seen = defaultdict(list)
    free = set(range(slots))
    started = {}  # session: slot; a session starts before its first REQ, which may queue
    starts = list(range(min(load.agents, len(trace.sessions))))
    coming = iter(range(len(starts), len(trace.sessions)))
    for count, e in enumerate(events(trace, load, slots, stats), 1):
        assert e.time_us >= now
        if e.code is REQ or e.time_us > now:
            while starts and free:
                started[starts[0]] = min(free)
                free.remove(min(free))
                joined[starts[0]] = when[starts.pop(0), "joined"] = now
        now = e.time_us
        turns = trace.sessions[e.session].turns
        assert e.code in NEXT[state.get(e.slot)]
        assert owner.setdefault(e.slot, e.session) == e.session
        if e.code is REQ:
            busy += 1
            if state.get(e.slot) is None:
                assert e.slot == started[e.session]
                agents += 1
            assert e.tokens == turns[e.turn].prompt_tokens
            # Nobody who joined the queue earlier is still in it.
            assert joined.pop(e.session) == when[e.session, "joined"]
            assert all(time >= when[e.session, "joined"] for time in joined.values())
        elif e.code is OPEN:
            busy -= 1
            assert e.time_us == when[e.session, REQ] + turns[e.turn].service_us
            assert e.tokens == turns[e.turn].kv_tokens
            if e.turn == len(turns) - 1:
                agents -= 1
                starts += itertools.islice(coming, 1)
        elif e.code is CLOSE:
            assert e.time_us == when[e.session, OPEN] + turns[e.turn].wait_us
            joined[e.session] = when[e.session, "joined"] = now
        else:
            assert e.turn == len(turns) - 1
            assert e.time_us == when[e.session, OPEN] + load.linger_us
            del owner[e.slot]
            free.add(e.slot)
        state[e.slot] = None if e.code is DONE else e.code
        when[e.session, e.code] = now
        seen[e.session].append((e.code, e.turn))
        assert 0 <= busy <= load.servers
        assert agents <= load.agents
        assert len(owner) <= stats.max_live <= slots
        assert stats.events == count
    for session in trace.sessions:
        expected = [(REQ, 0), (OPEN, 0)]
        for turn in range(1, len(session.turns)):
            expected += [(CLOSE, turn), (REQ, turn), (OPEN, turn)]
        assert seen[session.id] == [*expected, (DONE, len(session.turns) - 1)]
    assert stats.live == stats.busy == stats.queued == 0
    assert stats.end_us == now
    return stats


@given(_traces(), _LOAD, st.integers(1, 8))
def test_rules(trace, load, slots):
    check_rules(trace, load, slots)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("pool", ["edge-tight", "gpu"])
def test_families_fit_64_slots(family, pool):
    trace = open_trace(family)
    stats = check_rules(trace, derive_load(trace, envelope(pool).pool_tokens), 64)
    assert stats.events == 3 * trace.header.turns
    assert stats.waited == 0
    assert stats.end_us < 74 * 3_600_000_000


def test_few_slots_make_sessions_wait():
    trace = open_trace("gaia_gemma4")
    stats = check_rules(trace, derive_load(trace, 480_000), 16)
    assert stats.waited > 50
    assert stats.max_live == 16


@given(_traces(), _LOAD, st.integers(1, 30))
def test_drawn_in_pieces_it_is_the_same(trace, load, piece):
    whole = list(events(trace, load, 4))
    stream, parts = events(trace, load, 4), []
    while part := list(itertools.islice(stream, piece)):
        parts += part
    assert parts == whole


def test_by_hand():
    trace = make_trace([[(None, 10, 5, 1), (3, 10, 8, 1)], [(None, 4, 7, 2)], [(None, 1, 9, 9)]])
    got = [(e.time_us, e.code, e.slot, e.tokens) for e in events(trace, ServingLoad(2, 1, 2), 2)]
    assert got == [
        (0, REQ, 0, 5),
        (10, OPEN, 0, 6),
        (10, REQ, 1, 7),  # session 1 has waited for the server
        (13, CLOSE, 0, 0),
        (14, OPEN, 1, 9),
        (14, REQ, 0, 8),  # session 2 has no slot yet
        (16, DONE, 1, 0),
        (24, OPEN, 0, 9),
        (24, REQ, 1, 9),
        (25, OPEN, 1, 18),
        (26, DONE, 0, 0),
        (27, DONE, 1, 0),
    ]


def test_slots_must_be_there():
    with pytest.raises(ValueError, match="slots: got 0"):
        events(make_trace([[(None, 1, 1, 1)]]), ServingLoad(1, 1, 0), 0)
