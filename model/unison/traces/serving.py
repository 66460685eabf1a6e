"""Closed loop: agents that run a trace's sessions on a few servers, first come first served.

The stream of events depends on the trace, the load and the slots, on nothing a policy does.
"""

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from unison.contract import EventCode
from unison.contract.widths import DEFAULT_SLOTS
from unison.traces.events import TraceEvent
from unison.traces.load import ServingLoad
from unison.traces.model import Session, Trace


class _Kind(IntEnum):
    """What happens next, in the order of things that happen at the same microsecond.

    Slots are freed before they are asked for, and servers before requests are dispatched.
    """

    LINGERED = 0
    DECODED = 1
    RETURNED = 2
    STARTED = 3


@dataclass(slots=True)
class ServingStats:
    """Filled while the events are drawn.

    waited: sessions that found no free slot at their start. live: sessions that hold a slot
    now; max_live: the most so far. busy: servers busy now. queued, max_queued: requests
    that wait for a server. events, end_us: events so far, and the time of the last one.
    """

    waited: int = 0
    live: int = 0
    max_live: int = 0
    busy: int = 0
    queued: int = 0
    max_queued: int = 0
    events: int = 0
    end_us: int = 0


@dataclass(slots=True)
class _Live:
    """A session that holds a slot; `turn` is the one waiting, running or finished."""

    session: Session
    slot: int
    turn: int = 0


def events(
    trace: Trace,
    load: ServingLoad,
    slots: int = DEFAULT_SLOTS,
    stats: ServingStats | None = None,
) -> Iterator[TraceEvent]:
    """Events of the closed loop, in time order; memory is bounded by the live sessions.

    All agents start at time 0. An agent takes the trace's next session as soon as the last
    decode of its last one has ended. Equal times are ordered by kind, then session number.
    A session takes the lowest free slot, or waits its turn for a DONE. ValueError: slots < 1.
    """
    if slots < 1:
        raise ValueError(f"slots: got {slots}, expected at least 1")
    return _Loop(trace, load, slots, stats or ServingStats()).run()


class _Loop:
    """State of one replay."""

    def __init__(self, trace: Trace, load: ServingLoad, slots: int, stats: ServingStats) -> None:
        self.load, self.stats = load, stats
        self.coming = iter(trace.sessions)
        self.free = list(range(slots))
        self.agenda: list[tuple[int, _Kind, int]] = []
        self.live: dict[int, _Live] = {}
        self.starting: dict[int, Session] = {}
        self.homeless: deque[int] = deque()
        self.queue: deque[int] = deque()

    def run(self) -> Iterator[TraceEvent]:
        for _ in range(self.load.agents):
            self._next_session(0)
        steps = {
            _Kind.LINGERED: self._lingered,
            _Kind.DECODED: self._decoded,
            _Kind.RETURNED: self._returned,
            _Kind.STARTED: self._started,
        }
        while self.agenda:
            now = self.agenda[0][0]
            while self.agenda and self.agenda[0][0] == now:
                _, kind, number = heapq.heappop(self.agenda)
                yield from steps[kind](now, number)
            # Everything of this instant is known: requests go to servers in queue order.
            yield from self._dispatch(now)

    def _emit(self, code: EventCode, live: _Live, tokens: int, now: int) -> TraceEvent:
        self.stats.events += 1
        self.stats.end_us = now
        return TraceEvent(code, live.slot, tokens, now, live.session.id, live.turn)

    def _at(self, time: int, kind: _Kind, number: int) -> None:
        heapq.heappush(self.agenda, (time, kind, number))

    def _next_session(self, now: int) -> None:
        session = next(self.coming, None)
        if session is not None:
            self.starting[session.id] = session
            self._at(now, _Kind.STARTED, session.id)

    def _started(self, now: int, number: int) -> Iterator[TraceEvent]:
        """Take a slot and queue the first request; a session without a slot waits."""
        if not self.free:
            self.stats.waited += 1
            self.homeless.append(number)
            return iter(())
        self.live[number] = _Live(self.starting.pop(number), heapq.heappop(self.free))
        self.stats.live = len(self.live)
        self.stats.max_live = max(self.stats.max_live, self.stats.live)
        self._enqueue(number)
        return iter(())

    def _enqueue(self, number: int) -> None:
        self.queue.append(number)
        self.stats.queued = len(self.queue)
        self.stats.max_queued = max(self.stats.max_queued, self.stats.queued)

    def _dispatch(self, now: int) -> Iterator[TraceEvent]:
        while self.queue and self.stats.busy < self.load.servers:
            number = self.queue.popleft()
            self.stats.queued = len(self.queue)
            live = self.live[number]
            turn = live.session.turns[live.turn]
            self.stats.busy += 1
            self._at(now + turn.service_us, _Kind.DECODED, number)
            yield self._emit(EventCode.REQ, live, turn.prompt_tokens, now)

    def _decoded(self, now: int, number: int) -> Iterator[TraceEvent]:
        """A decode ended: the wait begins, also after the last turn."""
        live = self.live[number]
        self.stats.busy -= 1
        yield self._emit(EventCode.GAP_OPEN, live, live.session.turns[live.turn].kv_tokens, now)
        if live.turn + 1 < len(live.session.turns):
            live.turn += 1
            self._at(now + live.session.turns[live.turn].wait_us, _Kind.RETURNED, number)
        else:
            self._at(now + self.load.linger_us, _Kind.LINGERED, number)
            self._next_session(now)

    def _returned(self, now: int, number: int) -> Iterator[TraceEvent]:
        self._enqueue(number)
        yield self._emit(EventCode.GAP_CLOSE, self.live[number], 0, now)

    def _lingered(self, now: int, number: int) -> Iterator[TraceEvent]:
        """A session is forgotten; the one that has waited longest for a slot starts."""
        live = self.live.pop(number)
        heapq.heappush(self.free, live.slot)
        self.stats.live = len(self.live)
        yield self._emit(EventCode.DONE, live, 0, now)
        if self.homeless:
            # Not at once: other slots may be freed in the same instant, and the lowest counts.
            self._at(now, _Kind.STARTED, self.homeless.popleft())
