"""Traces as columns of events for the simulator, whole or in chunks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
from numba import njit

from unison.contract import EventCode
from unison.contract.widths import DEFAULT_SLOTS
from unison.sim import serving
from unison.sim.layout import EVENT, Tools
from unison.traces.load import ServingLoad
from unison.traces.model import Session, Trace

#: Tool classes a policy can tell apart; rarer tools share the last one.
MAX_TOOLS = 64
CHUNK = 1 << 16
# What numba takes for a constant must be a plain integer.
_REQ = int(EventCode.REQ)


def tool_classes(trace: Trace) -> Tools:
    """Tools of a trace, most frequent first, ties by name; at most `MAX_TOOLS`."""
    count = Counter(t.tool for t in trace.turns() if t.tool)
    ranked = sorted(count, key=lambda name: (-count[name], name))
    return Tools(tuple(ranked[:MAX_TOOLS]))


def reorder(trace: Trace, seed: int) -> Trace:
    """The trace with its sessions in a random order, renumbered; seed 0 keeps the file's."""
    if seed == 0:
        return trace
    order = list(trace.sessions)
    Random(seed).shuffle(order)
    sessions = (
        Session(n, tuple(replace(t, session=n) for t in s.turns)) for n, s in enumerate(order)
    )
    return replace(trace, sessions=tuple(sessions))


def flatten(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """`spans` and `turns` of `serving.State`, with the classes of `tool_classes`.

    ValueError: sessions not numbered 0, 1, ..., or a session without turns.
    """
    index, last = tool_classes(trace).index(), MAX_TOOLS - 1
    spans, turns = [], []
    for number, session in enumerate(trace.sessions):
        if session.id != number:
            raise ValueError(f"session id: got {session.id}, expected {number}")
        if not session.turns:
            raise ValueError(f"session {number}: got no turns, expected at least 1")
        spans.append((len(turns), len(session.turns)))
        for i, t in enumerate(session.turns):
            wait_us, tool = t.wait_us if i else 0, index.get(t.tool, last) if t.tool else -1
            turns.append((wait_us, t.service_us, t.prompt_tokens, t.output_tokens, tool))
    return np.array(spans, np.int64).reshape(-1, 2), np.array(turns, np.int64).reshape(-1, 5)


def chunks(
    trace: Trace, load: ServingLoad, slots: int = DEFAULT_SLOTS, size: int = CHUNK
) -> Iterator[np.ndarray]:
    """Events of the closed loop as arrays of `EVENT`, `size` rows each, the last one fewer.

    `next_us` is -1 throughout: a stream knows no future. Beyond the trace, memory is bounded by
    `size`, the agents and the slots. ValueError: size or slots < 1, or as in `flatten`.
    """
    return _draw(trace, load, slots, size, iter([np.arange(len(trace.sessions))]))


def columns(trace: Trace, load: ServingLoad, slots: int = DEFAULT_SLOTS) -> np.ndarray:
    """All events of the closed loop, with `next_us` filled in: shape (events,), `EVENT`.

    ValueError: as in `chunks`.
    """
    # A turn has a REQ and a GAP_OPEN, and a GAP_CLOSE before it or, the last one, a DONE after.
    total = 3 * sum(len(session.turns) for session in trace.sessions)
    out = next(chunks(trace, load, slots, max(1, total)), np.empty(0, EVENT))
    fill_next(out)
    return out


def endless(
    trace: Trace,
    load: ServingLoad,
    slots: int,
    total_events: int,
    seed: int,
    size: int = CHUNK,
) -> Iterator[np.ndarray]:
    """The first `total_events` events of a run that never ends, in chunks as in `chunks`.

    The trace's sessions come again and again, each round in a new random order drawn from
    `seed`, numbered on from round to round; those under way at the end are cut off. Memory as
    in `chunks`, however long the run. ValueError: as in `chunks`, a trace without sessions, or
    total_events < 0. OverflowError, while drawing: a session number beyond 31 bits.
    """
    if not trace.sessions:
        raise ValueError("trace: got no sessions, expected at least 1")
    if total_events < 0:
        raise ValueError(f"total_events: got {total_events}, expected at least 0")
    return _draw(trace, load, slots, size, _rounds(len(trace.sessions), seed), total_events)


def _rounds(sessions: int, seed: int) -> Iterator[np.ndarray]:
    """Random orders of 0..sessions-1, one after the other, for ever."""
    random = Random(seed)
    while True:
        order = list(range(sessions))
        random.shuffle(order)
        yield np.array(order)


def _draw(
    trace: Trace,
    load: ServingLoad,
    slots: int,
    size: int,
    rounds: Iterator[np.ndarray],
    total: int | None = None,
) -> Iterator[np.ndarray]:
    """Chunks of a replay whose agents take the sessions round by round; `total` events at most.

    Not a generator itself, so that wrong arguments show at the call.
    """
    if size < 1:
        raise ValueError(f"size: got {size}, expected at least 1")
    state = serving.start(*flatten(trace), load, slots)
    return _pieces(state, size, rounds, total)


def _pieces(
    state: serving.State, size: int, rounds: Iterator[np.ndarray], total: int | None
) -> Iterator[np.ndarray]:
    """The drawing of `_draw`."""
    more = True
    while total is None or total > 0:
        out = np.empty(size if total is None else min(size, total), EVENT)
        made = serving.fill(state, out, more)
        while more and made < len(out):
            order = next(rounds, None)
            if order is None:
                more = False
            else:
                state = serving.refill(state, order)
            made += serving.fill(state, out[made:], more)
        if made:
            yield out[:made]
        if made < len(out):
            return
        if total is not None:
            total -= made


@njit(cache=True)
def fill_next(rows: np.ndarray) -> None:
    """Set `next_us` of every row to the time of its session's next REQ after it, or -1.

    rows: (n,) of `EVENT`, in time order. Memory: 8 bytes for each session number in its range.
    """
    if len(rows) == 0:
        return
    low = high = rows[0].session
    for i in range(len(rows)):
        low, high = min(low, rows[i].session), max(high, rows[i].session)
    due = np.full(high - low + 1, -1, np.int64)
    for i in range(len(rows) - 1, -1, -1):
        session = rows[i].session - low
        rows[i].next_us = due[session]
        if rows[i].code == _REQ:
            due[session] = rows[i].time_us
