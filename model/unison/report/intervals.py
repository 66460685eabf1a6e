"""What a timeline is made of: stays in a tier, phases of a session, marks at instants."""

from dataclasses import dataclass, field
from enum import StrEnum

from unison.contract import Tier


class Ended(StrEnum):
    """How a stay in a tier ended; OPEN: it had not when the run did."""

    EVICTED = "evicted"
    BYPASSED = "bypassed"
    MOVED = "moved"
    DONE = "done"
    OPEN = "open"


@dataclass
class Stay:
    """A session in one tier, without a break; of no length when it moves on at the same instant.

    steps: (time_us, tokens) at its start and wherever the size changes.
    """

    session: int
    slot: int
    tier: Tier
    start_us: int
    steps: list[tuple[int, int]]
    end_us: int = -1
    ended: Ended = Ended.OPEN

    def tokens_at(self, time_us: int) -> int:
        """Resident tokens at an instant within the stay."""
        return next(t for at, t in reversed(self.steps) if at <= time_us)


@dataclass
class Phase:
    """A session in one state. state: 'active', 'gap', 'ready', or 'finished': the last decode is
    over, the session will not come back, but nobody has been told yet."""

    session: int
    slot: int
    state: str
    start_us: int
    end_us: int = -1


@dataclass(frozen=True)
class Mark:
    """Something that happened at an instant.

    kind: 'evict', 'bypass', 'promote', 'demote', 'miss' (a session came back and was not
    there) or 'cold'. tokens: that left, moved, or were asked for. returns_us: of an eviction
    or a bypass, when the session asks again; None when never.
    """

    time_us: int
    kind: str
    session: int
    slot: int
    tier: Tier
    tokens: int
    returns_us: int | None = None


@dataclass
class Timeline:
    """A run as intervals. used: (time_us, fast, slow, finished) tokens after each event that
    changed them, the last event of an instant counting; finished: held for sessions that will
    not come back. capacity: tokens of (fast, slow)."""

    capacity: tuple[int, int]
    start_us: int = 0
    end_us: int = 0
    stays: list[Stay] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    used: list[tuple[int, int, int, int]] = field(default_factory=list)

    def count(self, kind: str) -> int:
        """Marks of a kind."""
        return sum(m.kind == kind for m in self.marks)

    def thrown_away(self) -> list[Mark]:
        """Evictions of sessions that came back later."""
        return [m for m in self.marks if m.kind == "evict" and m.returns_us is not None]

    def clipped(self, start_us: int, end_us: int) -> "Timeline":
        """The part within a window; what crosses its ends is cut there, times stay absolute."""
        asked = f"window: got {start_us / 1e6:g}..{end_us / 1e6:g} s"
        if not start_us < end_us:
            raise ValueError(f"{asked}, expected an end after its start")
        if start_us > self.end_us or end_us < self.start_us:
            whole = f"{self.start_us / 1e6:g}..{self.end_us / 1e6:g} s"
            raise ValueError(f"{asked}, expected a part of {whole}")
        start_us, end_us = max(start_us, self.start_us), min(end_us, self.end_us)
        out = Timeline(self.capacity, start_us, end_us)
        for s in self.stays:
            if s.start_us < end_us and s.end_us > start_us:
                at = max(s.start_us, start_us)
                steps = [(at, s.tokens_at(at)), *((t, n) for t, n in s.steps if at < t < end_us)]
                cut = s.end_us > end_us
                out.stays.append(
                    Stay(
                        s.session,
                        s.slot,
                        s.tier,
                        at,
                        steps,
                        min(s.end_us, end_us),
                        Ended.OPEN if cut else s.ended,
                    )
                )
        out.phases = [
            Phase(p.session, p.slot, p.state, max(p.start_us, start_us), min(p.end_us, end_us))
            for p in self.phases
            if p.start_us < end_us and p.end_us > start_us
        ]
        out.marks = [m for m in self.marks if start_us <= m.time_us <= end_us]
        before = [u for u in self.used if u[0] <= start_us]
        if before:
            out.used.append((start_us, *before[-1][1:]))
        out.used += [u for u in self.used if start_us < u[0] <= end_us]
        return out
