"""Directed events for what random streams and traces hardly ever reach."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unison.contract import CoreEvent, EventCode, mask
from unison.contract.widths import GAP_W, ODDS_W, TIME_W, TOK_W, TURN_ENTRIES, WEIGHT_W
from unison.scoring import FixedScorer, Form

#: Slots by role: two that take turns, a scratch one, and three for placement.
A, B, SCRATCH, C, D, E = range(6)
PRIOR = 1000
CAP_SRAM = 1000


def scorer(form: Form, shift: int, steep: bool = False) -> FixedScorer:
    """Tables of ones, or with `steep` the largest there are, so that scores saturate."""
    top = mask(WEIGHT_W) if steep else 16
    turn = 255 if form.by_hazard else mask(ODDS_W)
    turns = (turn if steep else 0,) * TURN_ENTRIES
    return FixedScorer(form, turns, (top,) * 16, (top,) * 16, PRIOR, shift, 0xFFFF)


@dataclass(frozen=True)
class Leg:
    """Events under one configuration; the last of them leaves a record."""

    name: str
    scorer: FixedScorer
    tide: bool
    events: list[CoreEvent]


class Script:
    """Collects events; `now` is the time of the next one, not wrapped."""

    def __init__(self, now: int) -> None:
        self.now = now
        self.events: list[CoreEvent] = []

    def add(self, code: int, slot: int = 0, tokens: int = 1, after: int = 0) -> None:
        """One event, `after` ticks later than the last."""
        self.now += after
        self.events.append(CoreEvent(code, slot, tokens, self.now))

    def turn(self, slot: int, tokens: int, gap: int) -> None:
        """A REQ and the GAP_OPEN `gap` ticks before the slot's next REQ."""
        self.add(EventCode.REQ, slot, tokens)
        self.add(EventCode.GAP_OPEN, slot, tokens)
        self.now += gap

    def take(self) -> list[CoreEvent]:
        """The events so far, closed by one that leaves a record."""
        self.add(0)
        events, self.events = self.events, []
        return events


def legs(form: Form, slots: int) -> Iterator[Leg]:
    """All legs, in order; each leaves the core without live sessions."""
    plain = scorer(form, 2)
    s = Script(mask(TIME_W) - 1000)
    yield Leg("first", plain, True, _first(s, slots))
    yield Leg("in flight", plain, True, _in_flight(s))
    yield Leg("moves in flight", plain, True, _in_flight_moves(s))
    yield Leg("wraps", plain, True, _wraps(s))
    yield Leg("ready ties", plain, False, _ready_ties(s))
    yield Leg("turns", plain, True, _turns(s))
    yield Leg("octaves", replace(plain, ema_shift=0), True, _octaves(s))
    for shift in range(8):
        yield Leg(f"shift {shift}", replace(plain, ema_shift=shift), True, _shift(s))
    yield Leg("saturated", scorer(form, 0, steep=True), True, _saturated(s))


def _first(s: Script, slots: int) -> list[CoreEvent]:
    """Everything that is illegal before the first legal event."""
    for code in (EventCode.GAP_OPEN, EventCode.GAP_CLOSE, EventCode.DONE, EventCode.MIG_DONE):
        s.add(code)
    if slots < 256:
        for code in (EventCode.REQ, EventCode.GAP_OPEN, EventCode.GAP_CLOSE, EventCode.DONE):
            s.add(code, slots)
    return s.take()


def _promotion(s: Script) -> None:
    """Sessions B, C: B in the HBM, and promoted at C's GAP_OPEN: in flight until MIG_DONE."""
    s.add(EventCode.REQ, A, CAP_SRAM)
    s.add(EventCode.REQ, B, 600)
    s.add(EventCode.GAP_OPEN, B, 600)
    s.add(EventCode.DONE, A)
    s.add(EventCode.REQ, C, 10)
    s.add(EventCode.GAP_OPEN, C, 10)


def _in_flight(s: Script) -> list[CoreEvent]:
    """Every event, legal or not, in every state of a slot that is in flight."""
    _promotion(s)
    s.add(EventCode.GAP_OPEN, B, 600)
    s.add(EventCode.GAP_CLOSE, B)
    s.add(EventCode.GAP_OPEN, B, 600)
    s.add(EventCode.GAP_CLOSE, B)
    s.add(EventCode.REQ, B, 600)
    s.add(EventCode.REQ, B, 600)
    s.add(EventCode.GAP_CLOSE, B)
    s.add(EventCode.GAP_OPEN, B, 600)
    s.add(EventCode.REQ, B, 600)
    s.add(EventCode.DONE, B)
    s.add(EventCode.MIG_DONE)
    s.add(EventCode.DONE, C)
    return s.take()


def _in_flight_moves(s: Script) -> list[CoreEvent]:
    """A slot in flight that is dropped, comes back to either tier, and changes tiers."""
    top = mask(TOK_W)

    def hold(tokens: int) -> None:
        """E, between two gaps, holds so much of the HBM, and cannot be evicted."""
        s.add(EventCode.GAP_OPEN, E, tokens)
        s.add(EventCode.REQ, E, tokens)

    def shrink_in_hbm() -> None:
        """B, waiting, comes to sit in the HBM with 300 tokens, and E fills the rest."""
        hold(2000)
        s.add(EventCode.REQ, B, 2000)
        s.add(EventCode.GAP_OPEN, B, 300)
        hold(top - 300)

    _promotion(s)
    s.add(EventCode.REQ, E, 2000)
    for tokens in (top, top, 600):
        s.add(EventCode.REQ, B, tokens)
        s.add(EventCode.GAP_OPEN, B, top)
    s.add(EventCode.REQ, B, 2000)
    s.add(EventCode.GAP_OPEN, B, top)
    shrink_in_hbm()
    s.add(EventCode.REQ, B, 600)
    s.add(EventCode.GAP_OPEN, B, 600)
    shrink_in_hbm()
    s.add(EventCode.REQ, B, 300)
    s.add(EventCode.GAP_OPEN, B, 600)
    s.add(EventCode.MIG_DONE)
    for slot in (B, C, E):
        s.add(EventCode.DONE, slot)
    return s.take()


def _wraps(s: Script) -> list[CoreEvent]:
    """The counter wraps at an event of each kind; REQ and DONE carry it near the top."""
    half = (1 << (TIME_W - 1)) - 1

    def climb() -> None:
        """Legal events up to ten ticks before the wrap."""
        s.add(EventCode.REQ, SCRATCH, 1, after=half)
        room = mask(TIME_W) - 10 - (s.now & mask(TIME_W))
        if room > half:
            s.add(EventCode.GAP_OPEN, SCRATCH, 1, after=half)
            room -= half
        s.add(EventCode.DONE, SCRATCH, after=room)

    _promotion(s)
    climb()
    s.add(EventCode.MIG_DONE, after=20)
    climb()
    s.add(EventCode.GAP_CLOSE, B, after=20)
    climb()
    s.add(EventCode.DONE, B, after=20)
    climb()
    s.add(EventCode.REQ, D, 1, after=20)
    climb()
    s.add(EventCode.GAP_OPEN, D, 1, after=20)
    for slot in (C, D):
        s.add(EventCode.DONE, slot)
    return s.take()


def _ready_ties(s: Script) -> list[CoreEvent]:
    """Two gaps close at one tick, both tiers are full, and one of the two must go."""
    top = mask(TOK_W)
    for slot, tokens in ((A, CAP_SRAM), (B, top)):
        s.turn(slot, tokens, 50)
    s.add(EventCode.GAP_CLOSE, A)
    s.add(EventCode.GAP_CLOSE, B)
    s.add(EventCode.REQ, C, 500, after=5)
    for slot in (A, B, C):
        s.add(EventCode.DONE, slot)
    # The same in the HBM alone: the SRAM is full of a session that is not waiting.
    s.add(EventCode.REQ, E, CAP_SRAM)
    for slot, tokens in ((A, 2000), (B, top - 2000)):
        s.turn(slot, tokens, 50)
    s.add(EventCode.GAP_CLOSE, A)
    s.add(EventCode.GAP_CLOSE, B)
    s.add(EventCode.REQ, C, 1500, after=5)
    for slot in (B, C, E, A):
        s.add(EventCode.DONE, slot)
    return s.take()


def _turns(s: Script) -> list[CoreEvent]:
    """Two sessions by turns through the whole turn table; each is ranked at the other's gap."""
    for _ in range(4 * TURN_ENTRIES + 2):
        s.turn(A, 10, 3)
        s.turn(B, 10, 3)
    for slot in (A, B):
        s.add(EventCode.DONE, slot)
    return s.take()


def _octaves(s: Script) -> list[CoreEvent]:
    """Gap averages in every octave, ranked after waits of every octave."""
    for octave in range(GAP_W + 2):
        gap = (1 << octave) - (octave > GAP_W) if octave else 1
        s.turn(A, 10, gap)
        # Its gap closes with the octave as its average; the ranking finds it waiting again.
        s.turn(A, 10, 1)
        s.turn(B, 10, 0)
        s.add(EventCode.GAP_CLOSE, A)
    s.turn(A, 10, 0)
    s.add(EventCode.GAP_CLOSE, A)
    for slot in (A, B):
        s.add(EventCode.DONE, slot)
    return s.take()


def _shift(s: Script) -> list[CoreEvent]:
    """Gaps that leave the average, raise it and lower it."""
    for gap in (PRIOR, PRIOR, 5 * PRIOR, 1):
        s.turn(A, 10, gap)
    s.add(EventCode.REQ, A, 10)
    s.add(EventCode.DONE, A)
    return s.take()


def _saturated(s: Script) -> list[CoreEvent]:
    """A gap beyond the average's field, under the steepest tables."""
    s.turn(A, 10, 1 << (GAP_W + 2))
    s.turn(A, 10, 1 << (GAP_W + 3))
    s.turn(B, 10, 0)
    for slot in (A, B):
        s.add(EventCode.DONE, slot)
    return s.take()
