"""The score in integers, as the RTL computes it (contract section 3)."""

from dataclasses import dataclass, field
from enum import IntEnum

from unison.contract import CoreEvent, mask
from unison.contract.widths import (
    BW_F,
    GAP_W,
    HAZARD_W,
    ODDS_F,
    QUOTIENT_F,
    QUOTIENT_W,
    RATIO_F,
    SCORE_F,
    SCORE_W,
    TIME_W,
    WEIGHT_F,
)
from unison.scoring.octave import weight_bin
from unison.scoring.tables import Tables, turn_index


class Form(IntEnum):
    """Form of the score; the value is the RTL's `Scorer` parameter.

    RECIPROCAL has the keys of QUOTIENT, which the RTL finds without a divider.
    """

    PRODUCT = 0
    QUOTIENT = 1
    RATIO = 2
    RECIPROCAL = 3

    @property
    def by_hazard(self) -> bool:
        """The turn table holds hazards, and the elapsed wait does not count."""
        return self is not Form.PRODUCT


# The functions below are also compiled by `unison.sim`: integers of at most 63 bits, plain
# constants, no method calls.
_SCORE_TOP, _QUOTIENT_TOP, _GAP_TOP = mask(SCORE_W), mask(QUOTIENT_W), mask(GAP_W)


def product_score(ghat: int, w: int, z: int, odds: int) -> int:
    """S_p = min(2^48 - 1, (ghat * ((w << 12) + odds * z)) >> 8); w, z Q12.4, odds Q4.12."""
    m = (w << ODDS_F) + odds * z
    return min(_SCORE_TOP, (ghat * m) >> (ODDS_F + WEIGHT_F - SCORE_F))


def quotient_score(ghat: int, hazard: int) -> int:
    """S_q = min(2^24 - 1, floor((ghat << 4) / (256 - h8)))."""
    return min(_QUOTIENT_TOP, (ghat << QUOTIENT_F) // ((1 << HAZARD_W) - hazard))


def ratio_score(ghat: int, hazard: int) -> int:
    """floor((ghat << 16) / (256 - h8)): 40 bits that order the exact ratios.

    Two different ratios with divisors of at most 256 differ by 2**-16 or more.
    """
    return (ghat << RATIO_F) // ((1 << HAZARD_W) - hazard)


def gap_average(ghat: int, gap: int, seen: bool, shift: int) -> int:
    """EMA of the gaps, rounding half up; `gap` saturates to 24 bits."""
    gap = min(gap, _GAP_TOP)
    if not seen or shift == 0:
        return gap
    return ghat + ((gap - ghat + (1 << (shift - 1))) >> shift)


@dataclass(frozen=True)
class FixedScorer:
    """Integer score over raw table contents (what the driver writes to the registers).

    turn: 64 raw entries, odds or hazard by `form`; weight_w, weight_z: 16 raw entries each;
    gap_prior in ticks, ema_shift 0..7, dma_bw raw Q8.8 tokens per tick.
    """

    form: Form
    turn: tuple[int, ...]
    weight_w: tuple[int, ...]
    weight_z: tuple[int, ...]
    gap_prior: int
    ema_shift: int
    dma_bw: int
    _ready_top: int = field(default=mask(TIME_W), repr=False)

    @classmethod
    def from_tables(
        cls, form: Form, tables: Tables, gap_prior: int, ema_shift: int, dma_bw: int
    ) -> "FixedScorer":
        """Quantise exact tables into the registers' formats."""
        w, z = tables.weight_raw()
        turn = tables.hazard_raw() if form.by_hazard else tables.odds_raw()
        return cls(form, turn, w, z, min(gap_prior, mask(GAP_W)), ema_shift, dma_bw)

    def stamp(self, event: CoreEvent) -> int:
        """Ticks modulo 2^32."""
        return event.ts & mask(TIME_W)

    def elapsed(self, now: int, onset: int) -> int:
        """Ticks from onset to now, modulo 2^32."""
        return (now - onset) & mask(TIME_W)

    def prior(self) -> int:
        """G0, ticks."""
        return self.gap_prior

    def update(self, ghat: int, gap: int, seen: bool) -> int:
        """`gap_average` with the programmed shift."""
        return gap_average(ghat, gap, seen, self.ema_shift)

    def gap_key(self, ghat: int, k: int, elapsed: int) -> tuple[int, int]:
        """(1, score)."""
        turn = self.turn[turn_index(k)]
        if self.form is Form.RATIO:
            return 1, ratio_score(ghat, turn)
        if self.form.by_hazard:
            return 1, quotient_score(ghat, turn)
        b = weight_bin(elapsed, ghat)
        return 1, product_score(ghat, self.weight_w[b], self.weight_z[b], turn)

    def ready_key(self, age: int) -> tuple[int, int]:
        """(0, 2^32 - 1 - age)."""
        return 0, self._ready_top - age

    def budget(self, ghat: int) -> int:
        """ghat * BW >> 8, tokens."""
        return (ghat * self.dma_bw) >> BW_F


def raw_key(key: tuple[int, int]) -> int:
    """The RTL's 49-bit form of an integer key."""
    return key[0] << SCORE_W | key[1]
