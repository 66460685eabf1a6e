"""The score in integers, as the RTL computes it (contract section 3)."""

from dataclasses import dataclass
from enum import IntEnum

from unison.contract import CoreEvent, mask
from unison.contract.widths import (
    BW_F,
    COMPACT_FRAC_W,
    COMPACT_M_W,
    COMPACT_W,
    DEFAULT_SCORER,
    GAP_W,
    GHAT_EXP_W,
    GHAT_FRAC_W,
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
from unison.scoring.octave import octave, weight_bin
from unison.scoring.tables import Tables, turn_index


class Form(IntEnum):
    """Form of the score; the value is the RTL's `Scorer` parameter.

    RECIPROCAL has the keys of QUOTIENT, which the RTL finds without a divider.
    """

    PRODUCT = 0
    QUOTIENT = 1
    RATIO = 2
    RECIPROCAL = 3
    COMPACT = 4

    @property
    def by_hazard(self) -> bool:
        """The turn table holds hazards, and the elapsed wait does not count."""
        return self not in (Form.PRODUCT, Form.COMPACT)

    @property
    def ghat_w(self) -> int:
        """Bits in which a slot holds a gap average."""
        return GHAT_EXP_W + GHAT_FRAC_W if self is Form.COMPACT else GAP_W


#: The form that the core has by default.
DEFAULT_FORM = Form(DEFAULT_SCORER)


# The functions below are also compiled by `unison.sim`: integers of at most 63 bits, plain
# constants, no method calls.
_SCORE_TOP, _QUOTIENT_TOP, _GAP_TOP = mask(SCORE_W), mask(QUOTIENT_W), mask(GAP_W)
_COMPACT_TOP = mask(COMPACT_W)
_GHAT_TOP = mask(GHAT_FRAC_W + 1) << (GAP_W - GHAT_FRAC_W - 1)


def product_score(ghat: int, w: int, z: int, odds: int) -> int:
    """S_p = min(2^48 - 1, (ghat * ((w << 12) + odds * z)) >> 8); w, z Q12.4, odds Q4.12."""
    m = (w << ODDS_F) + odds * z
    return min(_SCORE_TOP, (ghat * m) >> (ODDS_F + WEIGHT_F - SCORE_F))


def quotient_score(ghat: int, hazard: int) -> int:
    """S_q = min(2^24 - 1, floor((ghat << 4) / (256 - h8)))."""
    return min(_QUOTIENT_TOP, (ghat << QUOTIENT_F) // ((1 << HAZARD_W) - hazard))


def compact_gap(gap: int) -> int:
    """Nearest gap average that a slot of the compact score can hold, half up; at least 1 tick.

    The value is (2^10 + f) << e >> 10: eleven significant bits, so below 2^11 every tick is exact.
    """
    gap = max(gap, 1)
    cut = max(octave(gap) - GHAT_FRAC_W, 0)
    return min((gap + ((1 << cut) >> 1)) >> cut << cut, _GHAT_TOP)


def compact_code(ghat: int) -> int:
    """The 15 bits in which a slot holds a value of `compact_gap`: {exponent, fraction}."""
    exponent = octave(ghat)
    return exponent << GHAT_FRAC_W | (ghat << GHAT_FRAC_W >> exponent) - (1 << GHAT_FRAC_W)


def compact_score(ghat: int, w: int, z: int, odds: int) -> int:
    """ghat * M as a float, M = (w << 12) + odds * z cut to 12 significant bits; 0 for M = 0.

    The exponent L(ghat * M) stands above 18 fraction bits, both cut, so the order of two scores is
    the order of the products up to the cut.
    """
    m = (w << ODDS_F) + odds * z
    if m == 0:
        return 0
    cut = max(octave(m) - (COMPACT_M_W - 1), 0)
    product = ghat * (m >> cut << cut)
    exponent = octave(product)
    below = product - (1 << exponent)
    if exponent >= COMPACT_FRAC_W:
        below >>= exponent - COMPACT_FRAC_W
    else:
        below <<= COMPACT_FRAC_W - exponent
    return (exponent << COMPACT_FRAC_W) + below


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
        """G0, ticks, as a slot holds it."""
        return self._held(self.gap_prior)

    def update(self, ghat: int, gap: int, seen: bool) -> int:
        """`gap_average` with the programmed shift, as a slot holds it."""
        return self._held(gap_average(ghat, gap, seen, self.ema_shift))

    def _held(self, ghat: int) -> int:
        return compact_gap(ghat) if self.form is Form.COMPACT else ghat

    def gap_key(self, ghat: int, k: int, elapsed: int) -> tuple[int, int]:
        """(1, score)."""
        turn = self.turn[turn_index(k)]
        if self.form is Form.RATIO:
            return 1, ratio_score(ghat, turn)
        if self.form.by_hazard:
            return 1, quotient_score(ghat, turn)
        b = weight_bin(elapsed, ghat)
        score = compact_score if self.form is Form.COMPACT else product_score
        return 1, score(ghat, self.weight_w[b], self.weight_z[b], turn)

    def ready_key(self, age: int) -> tuple[int, int]:
        """(0, 2^32 - 1 - age); compact: (0, 2^24 - 1 - age), the age saturating."""
        if self.form is Form.COMPACT:
            return 0, max(_COMPACT_TOP - age, 0)
        return 0, mask(TIME_W) - age

    def budget(self, ghat: int) -> int:
        """ghat * BW >> 8, tokens."""
        return (ghat * self.dma_bw) >> BW_F


def raw_key(key: tuple[int, int]) -> int:
    """The RTL's 49-bit form of an integer key."""
    return key[0] << SCORE_W | key[1]
