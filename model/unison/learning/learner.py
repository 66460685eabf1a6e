"""The learner by itself: a serving engine tells it events, and asks for scores or tables.

    learner = Learner()
    learner.gap("shell", 740.0)            # a tool returned after 740 ms
    learner.end("answer")                  # a session ended that had waited for "answer"
    learner.score("shell", waited_ms=90.0) # the larger, the sooner it may leave

Without numpy and without a simulator. Classes are numbered as they appear.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from unison.contract.widths import TICKS_PER_MS
from unison.learning import fit
from unison.learning.layout import (
    BINS,
    CLASSES,
    GAPS,
    RAW_ODDS,
    RAW_W,
    RAW_Z,
    SHIFT,
    SIZE,
    TURNS,
    UPDATES,
)

#: Gaps between two tables, and the waits a class is judged by: twice, then halved, and so on.
PERIOD, MEMORY = 256, 512


@dataclass(frozen=True)
class LearnedTables:
    """Raw contents of the score's registers.

    w, z: by class, 16 entries each, Q12.4 in a common unit: a raw 1 stands for 2**shift
    ticks; z has the class's odds in it. odds: 64 entries by turn, Q4.12. gaps: seen so far.
    """

    w: tuple[tuple[int, ...], ...]
    z: tuple[tuple[int, ...], ...]
    odds: tuple[int, ...]
    shift: int
    gaps: int


def raw_tables(p: Sequence[float]) -> LearnedTables:
    """Raw tables of a state."""

    def banks(at: int) -> tuple[tuple[int, ...], ...]:
        starts = (at + fit.table_row(p, c) for c in range(CLASSES))
        return tuple(tuple(int(x) for x in p[s : s + BINS]) for s in starts)

    odds = tuple(int(x) for x in p[RAW_ODDS : RAW_ODDS + TURNS])
    return LearnedTables(banks(RAW_W), banks(RAW_Z), odds, int(p[SHIFT]), int(p[GAPS]))


class Learner:
    """Waits by tool class to tables; O(1) a gap, but for new tables every `period` gaps.

    by_turn: the odds of an end also by turn. period: gaps between two tables; the first come
    after 8, 16, 32, ... memory: a class with more waits than this forgets half of them.
    ValueError: period or memory below 1.
    """

    def __init__(
        self,
        by_class: bool = True,
        mean_life: bool = False,
        by_turn: bool = False,
        period: int = PERIOD,
        memory: int = MEMORY,
    ) -> None:
        for name, value in (("period", period), ("memory", memory)):
            if not 1 <= value <= 1 << 20:
                raise ValueError(f"{name}: got {value}, expected 1..2**20")
        self.state = [0] * SIZE
        fit.start(
            self.state, int(by_class), 0, int(mean_life), int(by_turn), int(period), int(memory)
        )
        self._names: dict[str, int] = {}

    def tool_class(self, tool: str | None) -> int:
        """The class of a tool, given out in order of appearance; 0 for None or ''."""
        if not tool:
            return 0
        known = self._names.get(tool)
        if known is None:
            known = self._names[tool] = min(len(self._names) + 1, CLASSES - 1)
        return known

    def gap(self, tool: str | int | None, wait_ms: float, turn: int = 1) -> bool:
        """A tool returned, after turn `turn` (from 1); True when there are new tables.

        ValueError: a wait that is negative or no number, a class out of range.
        """
        wait = _ticks(wait_ms)
        return fit.observe(self.state, self._number(tool), _turn(turn), wait, 1)

    def end(self, tool: str | int | None, turn: int = 1) -> None:
        """A session ended while it waited. ValueError: a class out of range."""
        fit.observe_end(self.state, self._number(tool), _turn(turn))

    def score(self, tool: str | int | None, waited_ms: float, turn: int = 1) -> int:
        """What keeping a session for its next request costs; 48 bits, the largest leaves first."""
        waited, c = _ticks(waited_ms), self._number(tool)
        m = fit.weight(self.state, c, _turn(turn), fit.wait_bin(self.state, waited, 1))
        return fit.class_score(m, waited)

    def tables(self) -> LearnedTables:
        """The tables as they stand."""
        return raw_tables(self.state)

    @property
    def updates(self) -> int:
        """Tables made so far."""
        return int(self.state[UPDATES])

    def _number(self, tool: str | int | None) -> int:
        if isinstance(tool, str) or tool is None:
            return self.tool_class(tool)
        if not 0 <= tool < CLASSES:
            raise ValueError(f"tool class: got {tool}, expected 0..{CLASSES - 1}")
        return int(tool)


def _ticks(ms: float) -> int:
    if not 0 <= ms < math.inf:
        raise ValueError(f"wait: got {ms!r} ms, expected 0 or more and finite")
    return min(int(ms * TICKS_PER_MS), 1 << 48)


def _turn(turn: int) -> int:
    if turn < 1:
        raise ValueError(f"turn: got {turn}, expected at least 1")
    return turn
