"""The compiled closed loop makes the same events as the Python one, in chunks of any size."""

import tracemalloc
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.traces.conftest import make_trace
from unison.contract import EventCode
from unison.sim import serving, stream
from unison.sim.layout import EVENT
from unison.traces import FAMILIES, ServingLoad, derive_load, envelope, events, open_trace
from unison.traces.model import Session

REQ, OPEN, CLOSE, DONE = (int(c) for c in list(EventCode)[:4])
#: Code by the code before it in the same slot; 0 for none.
LEGAL = {(0, REQ), (REQ, OPEN), (OPEN, CLOSE), (OPEN, DONE), (CLOSE, REQ), (DONE, REQ)}

# Few different numbers, so that many things happen at the same time.
_ROW = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 50), st.integers(1, 50))
_LOAD = st.builds(ServingLoad, st.integers(1, 7), st.integers(1, 4), st.integers(0, 9))
_TOOLS = st.lists(st.sampled_from(("", "a", "b")), min_size=48, max_size=48)


@st.composite
def _traces(draw):
    rows = draw(st.lists(st.lists(_ROW, min_size=1, max_size=4), min_size=1, max_size=12))
    trace = make_trace([[(None, *turns[0][1:]), *turns[1:]] for turns in rows])
    return with_tools(trace, draw(_TOOLS))


def with_tools(trace, names):
    """The trace with these tools, one a turn in file order."""
    tools = iter(names)
    sessions = (
        Session(s.id, tuple(replace(t, tool=next(tools)) for t in s.turns)) for s in trace.sessions
    )
    return replace(trace, sessions=tuple(sessions))


def reference(trace, load, slots, limit=None):
    """Events of the Python loop as an array, `next_us` -1."""
    index = stream.tool_classes(trace).index()

    def tool(e):
        name = trace.sessions[e.session].turns[e.turn].tool
        return index.get(name, stream.MAX_TOOLS - 1) if name and e.code == OPEN else -1

    rows = [
        (e.code, e.slot, e.tokens, tool(e), e.session, e.turn, e.time_us, -1)
        for e in islice(events(trace, load, slots), limit)
    ]
    return np.array(rows, EVENT)


def next_by_search(rows):
    """The definition of `next_us`: the first REQ of the same session among the later rows."""
    plain = rows[["session", "code", "time_us"]].tolist()
    return [
        next((time for s, code, time in plain[i + 1 :] if s == session and code == REQ), -1)
        for i, (session, _, _) in enumerate(plain)
    ]


def without_next(rows):
    rows = rows.copy()
    rows["next_us"] = -1
    return rows


def joined(pieces):
    return np.concatenate([np.empty(0, EVENT), *pieces])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("pool", "slots"), [("edge-tight", 64), ("gpu", 64), ("node", 9)])
def test_families(family, pool, slots):
    trace = open_trace(family)
    load = derive_load(trace, envelope(pool).pool_tokens, slots=slots)
    rows = stream.columns(trace, load, slots)
    assert np.array_equal(without_next(rows), reference(trace, load, slots))
    assert np.array_equal(joined(stream.chunks(trace, load, slots)), without_next(rows))
    # A GAP_CLOSE leads to the REQ of its own turn, a REQ or GAP_OPEN to that of the turn after.
    due = {(r["session"], r["turn"]): r["time_us"] for r in rows[rows["code"] == REQ]}
    turn = rows["turn"] + (rows["code"] != CLOSE)
    want = [due.get(key, -1) for key in zip(rows["session"], turn, strict=True)]
    assert rows["next_us"].tolist() == want


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_reordered(seed):
    trace = stream.reorder(open_trace("gaia_gemma4"), seed)
    load = ServingLoad(20, 3, 5_000_000)
    got = joined(stream.chunks(trace, load, 16))
    assert np.array_equal(got, reference(trace, load, 16))


@settings(max_examples=300, deadline=None)
@given(_traces(), _LOAD, st.integers(1, 6), st.integers(1, 9))
def test_any_trace(trace, load, slots, size):
    want = reference(trace, load, slots)
    assert np.array_equal(joined(stream.chunks(trace, load, slots, size)), want)
    rows = stream.columns(trace, load, slots)
    assert np.array_equal(without_next(rows), want)
    assert rows["next_us"].tolist() == next_by_search(rows)


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_chunk_sizes(size):
    trace = open_trace("gaia_devstral")
    load = ServingLoad(20, 3, 5_000_000)
    pieces = list(stream.chunks(trace, load, 16, size))
    assert all(len(p) == size for p in pieces[:-1])
    assert 1 <= len(pieces[-1]) <= size
    assert np.array_equal(joined(pieces), joined(stream.chunks(trace, load, 16)))


def test_rare_tools_share_a_class():
    names = [f"tool{i:03}" for i in range(stream.MAX_TOOLS + 3)] + [""]
    trace = make_trace([[(None, 1, 1, 1)] for _ in names])
    rows = stream.columns(with_tools(trace, names), ServingLoad(1, 1, 0), 1)
    last = stream.MAX_TOOLS - 1
    opened = rows[rows["code"] == OPEN]
    assert opened["tool"].tolist() == [*range(last + 1), last, last, last, -1]
    assert set(rows[rows["code"] != OPEN]["tool"]) == {-1}


def test_no_sessions():
    trace, load = make_trace([]), ServingLoad(2, 1, 0)
    assert list(stream.chunks(trace, load)) == []
    rows = stream.columns(trace, load)
    assert rows.dtype == EVENT
    assert len(rows) == 0
    with pytest.raises(ValueError, match="no sessions"):
        stream.endless(trace, load, 4, 10, 0)


def test_errors_at_the_call():
    trace, load = make_trace([[(None, 1, 1, 1)]]), ServingLoad(1, 1, 0)
    with pytest.raises(ValueError, match="slots: got 0"):
        stream.chunks(trace, load, 0)
    with pytest.raises(ValueError, match="size: got 0"):
        stream.chunks(trace, load, 4, 0)
    with pytest.raises(ValueError, match="total_events: got -1"):
        stream.endless(trace, load, 4, -1, 0)
    shifted = replace(trace, sessions=(Session(3, trace.sessions[0].turns),))
    with pytest.raises(ValueError, match="session id: got 3, expected 0"):
        stream.chunks(shifted, load)
    with pytest.raises(ValueError, match="session 0: got no turns"):
        stream.chunks(replace(trace, sessions=(Session(0, ()),)), load)


@settings(max_examples=100, deadline=None)
@given(_traces(), _LOAD, st.integers(1, 6), st.integers(1, 9), st.integers(0, 99))
def test_endless_is_a_long_trace(trace, load, slots, size, seed):
    """Rounds of the trace, one after the other, in the Python loop."""
    rounds = stream._rounds(len(trace.sessions), seed)
    order = np.concatenate(list(islice(rounds, 4))).tolist()
    sessions = tuple(Session(n, trace.sessions[i].turns) for n, i in enumerate(order))
    want = reference(replace(trace, sessions=sessions), load, slots)
    # Only as far as the event at which an agent misses a fifth round.
    assume(load.agents <= len(order))
    last = [
        t == len(sessions[s].turns) - 1 for s, t in zip(want["session"], want["turn"], strict=True)
    ]
    ended = np.cumsum((want["code"] == OPEN) & np.array(last))
    total = int(np.searchsorted(ended, len(order) - load.agents + 1)) + 1
    got = joined(stream.endless(trace, load, slots, total, seed, size))
    assert np.array_equal(got, want[:total])


def test_endless_is_legal():
    trace, total = open_trace("gaia_gemma4"), 100_003
    load = derive_load(trace, envelope("gpu").pool_tokens)
    rows = joined(stream.endless(trace, load, 64, total, 5))
    assert len(rows) == total
    assert np.all(np.diff(rows["time_us"]) >= 0)
    assert rows["session"].max() > 20 * len(trace.sessions)
    for slot in np.unique(rows["slot"]):
        mine = rows[rows["slot"] == slot]
        pairs = set(zip([0, *mine["code"][:-1].tolist()], mine["code"].tolist(), strict=True))
        assert pairs <= LEGAL
        # A slot belongs to one session from its first REQ to its DONE.
        changes = np.flatnonzero(np.diff(mine["session"]))
        assert np.all(mine["code"][changes] == DONE)
        assert np.count_nonzero(mine["code"][:-1] == DONE) == len(changes)
    started = np.unique(rows["session"])
    assert started[-1] < len(started) + load.agents


def test_endless_is_deterministic():
    trace, load = open_trace("gaia_gemma4"), ServingLoad(20, 3, 5_000_000)
    first, again, other = (
        joined(stream.endless(trace, load, 16, 20_000, seed, size))
        for seed, size in ((1, 1 << 16), (1, 777), (2, 777))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    # The future within a piece of a long run, where session numbers do not begin at 0.
    piece = first[15_000:15_400].copy()
    stream.fill_next(piece)
    assert piece["next_us"].tolist() == next_by_search(piece)


def test_endless_memory_does_not_grow():
    trace, load = open_trace("gaia_gemma4"), ServingLoad(20, 3, 5_000_000)

    def peak(total):
        tracemalloc.start()
        made = sum(len(p) for p in stream.endless(trace, load, 16, total, 1, 1000))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert made == total
        return used

    peak(1000)
    once = peak(50_000)
    assert peak(250_000) < once + 20_000


def test_session_numbers_fit_their_field():
    state = serving.start(*stream.flatten(make_trace([[(None, 1, 1, 1)]])), ServingLoad(1, 1, 0), 1)
    state.now[serving._NEXT_NUMBER] = 2**31 - 1
    state = serving.refill(state, np.zeros(1, np.int64))
    with pytest.raises(OverflowError, match="session number"):
        serving.refill(state, np.zeros(2, np.int64))
