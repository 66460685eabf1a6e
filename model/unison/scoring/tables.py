"""The tables of the score: turn-indexed hazard, elapsed-wait weights, and their raw form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unison.contract.widths import (
    HAZARD_W,
    ODDS_F,
    ODDS_W,
    TURN_ENTRIES,
    TURN_GROUP,
    TURN_SINGLE,
    WEIGHT_CENTRE,
    WEIGHT_ENTRIES,
    WEIGHT_F,
    WEIGHT_W,
    mask,
)


def turn_index(k: int) -> int:
    """Entry of the turn table for the `k`-th turn, k >= 1 (contract section 3)."""
    i = k - 1
    if i >= TURN_SINGLE:
        i = TURN_SINGLE + (i - TURN_SINGLE) // TURN_GROUP
    return min(i, TURN_ENTRIES - 1)


@dataclass(frozen=True)
class Tables:
    """Exact tables: `hazard` h (64 probabilities), `weight_w`, `weight_z` (16 each)."""

    hazard: tuple[float, ...]
    weight_w: tuple[float, ...]
    weight_z: tuple[float, ...]

    def __post_init__(self) -> None:
        for name, size in (
            ("hazard", TURN_ENTRIES),
            ("weight_w", WEIGHT_ENTRIES),
            ("weight_z", WEIGHT_ENTRIES),
        ):
            got = len(getattr(self, name))
            if got != size:
                raise ValueError(f"{name}: got {got} entries, expected {size}")
        for i, h in enumerate(self.hazard):
            if not 0 <= h < 1:
                raise ValueError(f"hazard[{i}]: got {h}, expected 0 <= h < 1")

    def odds_raw(self) -> tuple[int, ...]:
        """o = h / (1 - h) as raw Q4.12, saturating: the product score's turn table."""
        return tuple(min(mask(ODDS_W), round((h / (1 - h)) * (1 << ODDS_F))) for h in self.hazard)

    def hazard_raw(self) -> tuple[int, ...]:
        """round(256 h) clipped to 0..255: the quotient score's turn table."""
        return tuple(min(mask(HAZARD_W), round(h * (1 << HAZARD_W))) for h in self.hazard)

    def weight_raw(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """W and Z as raw Q12.4, saturating."""
        return tuple(
            tuple(min(mask(WEIGHT_W), round(v * (1 << WEIGHT_F))) for v in column)
            for column in (self.weight_w, self.weight_z)
        )


def elapsed_weights(beta: float = 1.0) -> tuple[float, ...]:
    """W[b] = 1 + beta * 2^(b-4): the paper's elapsed-idle signal by octave of e / ghat."""
    return tuple(1 + beta * 2.0 ** (b - WEIGHT_CENTRE) for b in range(WEIGHT_ENTRIES))


def fit_hazard(turn_counts: Iterable[int], strength: float = 8.0) -> tuple[float, ...]:
    """Completion hazard by turn from the turn counts of ended sessions.

    h(entry) = (ended + strength * h_all) / (reached + strength), a count smoothed towards
    the overall hazard h_all = sessions / turns; a group of turns counts as one entry.
    ValueError when there is no session or a count below 1.
    """
    counts: Sequence[int] = list(turn_counts)
    if not counts or min(counts) < 1:
        raise ValueError("turn counts: expected at least one session of at least one turn")
    ended, reached = [0] * TURN_ENTRIES, [0] * TURN_ENTRIES
    for n in counts:
        ended[turn_index(n)] += 1
        for k in range(1, n + 1):
            reached[turn_index(k)] += 1
    overall = len(counts) / sum(counts)
    top = 1 - 2.0**-HAZARD_W
    return tuple(
        min(top, (d + strength * overall) / (r + strength))
        for d, r in zip(ended, reached, strict=True)
    )
