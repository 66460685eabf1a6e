"""What the event core asks of a score; the float and the integer form answer it."""

from typing import Protocol

from unison.contract import CoreEvent


class Scorer(Protocol):
    """The ranking of candidates, and the gap average it rests on (contract section 3).

    Keys are tuples `(in_gap, value)` compared as such: READY slots (0) rank below slots
    in GAP (1), the largest key is evicted first.
    """

    def stamp(self, event: CoreEvent) -> float:
        """The event's time in the form this score stores in `t_on`."""

    def elapsed(self, now: float, onset: float) -> float:
        """Ticks from `onset` to `now`."""

    def prior(self) -> float:
        """Gap average of a session that has not had a gap yet, ticks."""

    def update(self, ghat: float, gap: float, seen: bool) -> float:
        """Gap average after a gap of `gap` ticks; `seen`: an earlier gap was measured."""

    def gap_key(self, ghat: float, k: int, elapsed: float) -> tuple[int, float]:
        """Key of a slot in GAP that has waited `elapsed` ticks."""

    def ready_key(self, age: float) -> tuple[int, float]:
        """Key of a slot whose gap closed `age` ticks ago."""

    def budget(self, ghat: float) -> float:
        """Tokens that DMA moves in an average gap: floor(ghat * BW)."""
