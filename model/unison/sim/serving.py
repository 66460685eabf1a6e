"""The closed loop of `unison.traces.serving`, compiled: same events, same slots, same order.

Everything lives in int64 arrays, so that the loop can stop after any event, when the caller's
buffer is full, and go on later. All compiled helpers of `fill` must stay in this file: numba's
disk cache looks at the time of a function's own file only.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from unison.contract import EventCode
from unison.traces.load import ServingLoad

# What numba takes for constants must be plain integers.
_REQ, _GAP_OPEN = int(EventCode.REQ), int(EventCode.GAP_OPEN)
_GAP_CLOSE, _DONE = int(EventCode.GAP_CLOSE), int(EventCode.DONE)
#: What happens next, in the order of things that happen at the same microsecond.
_LINGERED, _DECODED, _RETURNED, _STARTED = range(4)
#: Columns of `State.turns`.
_WAIT, _SERVICE, _PROMPT, _OUTPUT, _TOOL = range(5)
#: Columns of `State.live`. A session is in the agenda at most once, so its entry is kept here.
_TIME, _KIND, _NUMBER, _TURN, _FIRST, _COUNT, _SLOT = range(7)
#: Places in `State.now`. IDLE: agents that have not begun. TAKEN: sessions taken of the order.
_CLOCK, _DISPATCHING, _BUSY, _IDLE, _TAKEN, _NEXT_NUMBER, _SERVERS, _LINGER = range(8)
_MAX_NUMBER = np.iinfo(np.int32).max


class State(NamedTuple):
    """State of one replay, int64 throughout. A row is a session's place in `live`.

    spans: (sessions, 2), first turn and number of turns. turns: (turns, 5), wait and service in
    microseconds, prompt and output in tokens, class of the tool called at its end (-1: none).
    order: sessions to come, indices of `spans`. now: (8,). live: (rows, 7). owner: (slots,), row
    that holds the slot, -1 when free. agenda: its length, then a binary heap of rows. queue (for
    a server), homeless (for a slot), spare (unused rows): rings of rows, see `_push`.
    """

    spans: np.ndarray
    turns: np.ndarray
    order: np.ndarray
    now: np.ndarray
    live: np.ndarray
    owner: np.ndarray
    agenda: np.ndarray
    queue: np.ndarray
    homeless: np.ndarray
    spare: np.ndarray


def start(spans: np.ndarray, turns: np.ndarray, load: ServingLoad, slots: int) -> State:
    """State before the first event, with an empty order. ValueError: slots < 1."""
    if slots < 1:
        raise ValueError(f"slots: got {slots}, expected at least 1")
    # Each agent has at most one unfinished session; all others under way hold a slot.
    rows = load.agents + slots
    now = np.zeros(8, np.int64)
    now[_IDLE], now[_SERVERS], now[_LINGER] = load.agents, load.servers, load.linger_us
    queue, homeless, spare = np.zeros((3, rows + 2), np.int64)
    spare[1], spare[2:] = rows, np.arange(rows)
    order, live = np.empty(0, np.int64), np.zeros((rows, 7), np.int64)
    owner, agenda = np.full(slots, -1, np.int64), np.zeros(rows + 1, np.int64)
    return State(spans, turns, order, now, live, owner, agenda, queue, homeless, spare)


def refill(state: State, order: np.ndarray) -> State:
    """The state with a new order (indices of `spans`), once the last one is used up.

    OverflowError: a session number that would not fit the `session` field of `EVENT`.
    """
    if state.now[_NEXT_NUMBER] + len(order) - 1 > _MAX_NUMBER:
        raise OverflowError(f"session number: expected at most {_MAX_NUMBER}")
    state.now[_TAKEN] = 0
    return state._replace(order=np.ascontiguousarray(order, np.int64))


@njit(cache=True)
def _push(ring, value):
    """Append to a ring: place of the oldest item, number of items, then the items."""
    ring[2 + (ring[0] + ring[1]) % (len(ring) - 2)] = value
    ring[1] += 1


@njit(cache=True)
def _pop(ring):
    """Take the oldest item of a ring that has one."""
    value = ring[2 + ring[0]]
    ring[0] = (ring[0] + 1) % (len(ring) - 2)
    ring[1] -= 1
    return value


@njit(cache=True)
def _before(live, a, b):
    """Whether row a's agenda entry comes before row b's: by time, kind, session number."""
    if live[a, _TIME] != live[b, _TIME]:
        return live[a, _TIME] < live[b, _TIME]
    if live[a, _KIND] != live[b, _KIND]:
        return live[a, _KIND] < live[b, _KIND]
    return live[a, _NUMBER] < live[b, _NUMBER]


@njit(cache=True)
def _at(s, time, kind, row):
    """Enter a row into the agenda; the heap is 1-based, the children of i are 2i and 2i + 1."""
    # Local names: numba counts references at each s.x, which took a third of the time here.
    live, agenda = s.live, s.agenda
    live[row, _TIME], live[row, _KIND] = time, kind
    agenda[0] += 1
    i = agenda[0]
    while i > 1 and _before(live, row, agenda[i // 2]):
        agenda[i] = agenda[i // 2]
        i //= 2
    agenda[i] = row


@njit(cache=True)
def _next_row(s):
    """Take the first row out of an agenda that has one."""
    live, agenda = s.live, s.agenda
    first, last = agenda[1], agenda[agenda[0]]
    agenda[0] -= 1
    i, child, length = 1, 2, agenda[0]
    while child <= length:
        if child < length and _before(live, agenda[child + 1], agenda[child]):
            child += 1
        if not _before(live, agenda[child], last):
            break
        agenda[i] = agenda[child]
        i, child = child, 2 * child
    agenda[i] = last
    return first


@njit(cache=True)
def _next_session(s, time):
    """An agent takes the next session of the order, if there is one, and starts it at `time`."""
    if s.now[_TAKEN] == len(s.order):
        return
    row = _pop(s.spare)
    s.live[row, _NUMBER], s.live[row, _TURN] = s.now[_NEXT_NUMBER], 0
    s.live[row, _FIRST], s.live[row, _COUNT] = s.spans[s.order[s.now[_TAKEN]]]
    s.now[_TAKEN] += 1
    s.now[_NEXT_NUMBER] += 1
    _at(s, time, _STARTED, row)


@njit(cache=True)
def _started(s, row):
    """Take the lowest free slot and queue the first request; without a slot, wait for one."""
    for slot in range(len(s.owner)):
        if s.owner[slot] < 0:
            s.owner[slot], s.live[row, _SLOT] = row, slot
            _push(s.queue, row)
            return
    _push(s.homeless, row)


@njit(cache=True)
def _emit(s, event, code, row, tokens, tool):
    """Write one event of a row's session at its present turn."""
    event.code, event.slot, event.tokens, event.tool = code, s.live[row, _SLOT], tokens, tool
    event.session, event.turn = s.live[row, _NUMBER], s.live[row, _TURN]
    event.time_us, event.next_us = s.now[_CLOCK], -1


@njit(cache=True)
def _dispatch(s, event):
    """Give the oldest request to a free server: one event."""
    row = _pop(s.queue)
    turn = s.turns[s.live[row, _FIRST] + s.live[row, _TURN]]
    s.now[_BUSY] += 1
    _at(s, s.now[_CLOCK] + turn[_SERVICE], _DECODED, row)
    _emit(s, event, _REQ, row, turn[_PROMPT], -1)


@njit(cache=True)
def _decoded(s, row, event):
    """A decode ended: the wait begins, also after the last turn. One event."""
    time, i = s.now[_CLOCK], s.live[row, _FIRST] + s.live[row, _TURN]
    s.now[_BUSY] -= 1
    _emit(s, event, _GAP_OPEN, row, s.turns[i, _PROMPT] + s.turns[i, _OUTPUT], s.turns[i, _TOOL])
    if s.live[row, _TURN] + 1 < s.live[row, _COUNT]:
        s.live[row, _TURN] += 1
        _at(s, time + s.turns[i + 1, _WAIT], _RETURNED, row)
    else:
        _at(s, time + s.now[_LINGER], _LINGERED, row)
        _next_session(s, time)


@njit(cache=True)
def _lingered(s, row, event):
    """A session is forgotten; the one that has waited longest for a slot starts. One event."""
    _emit(s, event, _DONE, row, 0, -1)
    s.owner[s.live[row, _SLOT]] = -1
    _push(s.spare, row)
    if s.homeless[1]:
        # Not at once: other slots may be freed in the same instant, and the lowest counts.
        _at(s, s.now[_CLOCK], _STARTED, _pop(s.homeless))


@njit(cache=True)
def _step(s, event):
    """Do what is first in the agenda; the number of events written, 0 or 1."""
    row = _next_row(s)
    kind = s.live[row, _KIND]
    if kind == _STARTED:
        _started(s, row)
        return 0
    if kind == _DECODED:
        _decoded(s, row, event)
    elif kind == _LINGERED:
        _lingered(s, row, event)
    else:
        _push(s.queue, row)
        _emit(s, event, _GAP_CLOSE, row, 0, -1)
    return 1


@njit(cache=True)
def fill(s, out, more):
    """Write the next events into `out`, (n,) of `EVENT`, `next_us` -1; how many.

    more: whether another order will come when this one is used up. Fewer than n events mean,
    if `more`, that it is wanted now (`refill`), else that the replay has ended.
    """
    made = 0
    while made < len(out) and not (more and s.now[_TAKEN] == len(s.order)):
        due = s.agenda[0] > 0 and s.live[s.agenda[1], _TIME] == s.now[_CLOCK]
        if s.now[_IDLE]:
            s.now[_IDLE] -= 1
            _next_session(s, 0)
        elif not s.now[_DISPATCHING] and due:
            made += _step(s, out[made])
        elif not s.now[_DISPATCHING]:
            # Everything of this instant is known: requests go to servers in queue order.
            s.now[_DISPATCHING] = 1
        elif s.queue[1] and s.now[_BUSY] < s.now[_SERVERS]:
            _dispatch(s, out[made])
            made += 1
        elif s.agenda[0]:
            s.now[_CLOCK], s.now[_DISPATCHING] = s.live[s.agenda[1], _TIME], 0
        else:
            break
    return made
