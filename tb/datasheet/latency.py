"""The latency formulas of docs/design.md, one a row of the datasheet's table.

Cycles from the event at the head of the event FIFO to its last decision record, both counted,
without stalls. `tb/datasheet/bench.py` brings each about and measures it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from unison.contract.encodings import Arch
from unison.scoring import Form

#: Cycles of a ranking pass beyond the rows (slots, if linear) it looks at: start to results.
PASS = {
    Arch.ROWS: {Form.COMPACT: 8, Form.PRODUCT: 8, Form.QUOTIENT: 12, Form.RECIPROCAL: 7},
    Arch.LINEAR: {Form.PRODUCT: 7, Form.QUOTIENT: 7, Form.RATIO: 3, Form.RECIPROCAL: 6},
}
#: Scores with which the linear architecture divides for Tide's budget, and that divider's stages.
DIVIDED = (Form.QUOTIENT, Form.RECIPROCAL)
DIVIDER = 6


@dataclass(frozen=True)
class Core:
    """What the formulas ask of a core: `used`, the rows or slots that a full pass looks at."""

    arch: Arch
    form: Form
    used: int

    @property
    def scan(self) -> int:
        """Cycles of a pass, start to results."""
        return self.used + PASS[self.arch][self.form]

    @property
    def divider(self) -> int:
        """Cycles of the divider before Tide's test."""
        return DIVIDER if self.arch is Arch.LINEAR and self.form in DIVIDED else 0


def _repeated(core: Core) -> int:
    """Three victims of one lane: its list holds two, the third needs the pass again."""
    if core.arch is Arch.LINEAR:
        return 3 * (core.scan + 1)
    # Two rows are empty by then.
    return core.scan + 1 + 2 + (core.scan - 2) + 1


def _promote(core: Core) -> int:
    """The event's own session is resident. Linear: Tide's scan begins in the sixth cycle."""
    return core.scan + 4 if core.arch is Arch.ROWS else 6 + core.scan + 3 + core.divider


@dataclass(frozen=True)
class Row:
    """A decision, its formula in words for both architectures, and as a function.

    rows, linear: `P` is a pass of R rows, or of N slots.
    least: the fewest rows in which it can be brought about.
    """

    name: str
    rows: str
    linear: str
    cycles: Callable[[Core], int]
    least: int = 1


ROWS = (
    Row("BYPASS", "P + 1", "P + 1", lambda c: c.scan + 1),
    Row("EVICT", "P + 1", "P + 1", lambda c: c.scan + 1),
    Row("two EVICTs of different lanes", "P + 3", "2 (P + 1)",
        lambda c: c.scan + 3 if c.arch is Arch.ROWS else 2 * (c.scan + 1), 2),
    Row("three EVICTs of one lane", "P + 3, and a second pass of R - 2 rows: 2 P + 2",
        "3 (P + 1)", _repeated, 4),
    Row("PROMOTE, after GAP_OPEN of a resident session", "P + 4", "P + 9 + D", _promote),
    Row("DEMOTE and PROMOTE, likewise", "P + 6", "P + 11 + D", lambda c: _promote(c) + 2),
)  # fmt: skip
BY_NAME = {row.name: row for row in ROWS}
