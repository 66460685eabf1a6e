"""Field widths, in bits, and the constants that follow from them.

One meaning, one place: the RTL package is generated from this file, the register map
(``rtl/unison.rdl``) is checked against it, and the integer models import it. Formats are
written Qi.f (i integer bits, f fraction bits, unsigned).
"""

#: Slots: the handle of a live session is 8 bits wide, so 16..256 slots.
SLOT_W = 8
MIN_SLOTS, MAX_SLOTS, DEFAULT_SLOTS = 16, 256, 64
DEFAULT_LANES = 4
#: Form of the score by default: `unison.scoring.Form`, the RTL's `Scorer`.
DEFAULT_SCORER = 4

#: Tokens of a session and of a tier, at most (the core's TokW may be narrower).
TOK_W = 20
MIN_TOK_W = 8

#: Timestamps in ticks, compared modulo 2**32.
TIME_W = 32

#: Gap average, ticks, saturating.
GAP_W = 24

#: Requests seen, saturating.
TURN_W = 8

#: Elapsed-wait tables W, Z: 16 entries, Q12.4.
WEIGHT_ENTRIES, WEIGHT_W, WEIGHT_F = 16, 16, 4
#: Bin of an elapsed wait equal to the expected one.
WEIGHT_CENTRE = 4

#: Turn table: 64 entries; Q4.12 odds (product) or the 8-bit hazard (quotient).
TURN_ENTRIES, ODDS_W, ODDS_F = 64, 16, 12
#: Turns with an entry of their own, and turns that share one beyond them.
TURN_SINGLE, TURN_GROUP = 32, 4

#: Hazard bits (quotient) and the quotient score's width and fraction bits.
HAZARD_W = 8
QUOTIENT_W, QUOTIENT_F = 24, 4
#: Ratio score: fraction bits that tell apart any two quotients by divisors up to 2**HAZARD_W.
RATIO_F = 2 * HAZARD_W

#: Product score: ghat * (W + o*Z) keeps SCORE_F fraction bits, saturates at SCORE_W bits.
SCORE_W, SCORE_F = 48, 8
#: Ranking key: {in GAP, score or ~age}.
KEY_W = SCORE_W + 1

#: Compact score: the gap average is kept as a float of GHAT_EXP_W exponent and GHAT_FRAC_W
#: fraction bits below a leading one, the multiplier as COMPACT_M_W significant bits, and the key in
#: GAP is the product as a float of COMPACT_EXP_W exponent and COMPACT_FRAC_W fraction bits.
GHAT_EXP_W, GHAT_FRAC_W = 5, 10
COMPACT_M_W = 12
COMPACT_EXP_W, COMPACT_FRAC_W = 6, 18
COMPACT_W = COMPACT_EXP_W + COMPACT_FRAC_W

#: DMA bandwidth, tokens per tick, Q8.8.
BW_W, BW_F = 16, 8

#: EMA shift register.
SHIFT_W = 3

#: Event number carried by each record.
SEQ_W = 12

KIND_W, INFO_W, TIER_W, CODE_W, STATE_W = 3, 4, 2, 4, 2

#: Ticks per microsecond as an exact fraction: a tick is 1/16 ms.
TICKS_PER_MS = 16


def mask(width: int) -> int:
    """Largest unsigned value of `width` bits."""
    return (1 << width) - 1


def ticks(time_us: int) -> int:
    """Whole ticks of 1/16 ms that have passed at `time_us` microseconds (not wrapped)."""
    return time_us * TICKS_PER_MS // 1000
