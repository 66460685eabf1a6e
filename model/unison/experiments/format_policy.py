"""The integer scores with every width free, and their fidelity measured as they run.

The score keeps what it returned for each candidate, beside what float64 gives for the same
candidate; when the victim leaves, both rankings are compared (contract section 6). So every
eviction of the integer run is a snapshot, over exactly the candidates that were scanned.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import register_jitable

from unison.contract.widths import (
    GAP_W,
    HAZARD_W,
    ODDS_F,
    ODDS_W,
    QUOTIENT_F,
    QUOTIENT_W,
    SCORE_F,
    SCORE_W,
    TIME_W,
    TURN_ENTRIES,
    WEIGHT_ENTRIES,
    WEIGHT_F,
    WEIGHT_W,
    mask,
)
from unison.policies import EVICT, GAP_CLOSE, GAP_OPEN, READY, REQ, Policy
from unison.scoring import Form
from unison.scoring.fixed import gap_average
from unison.scoring.float64 import float_average, float_product, float_quotient
from unison.scoring.octave import weight_bin
from unison.scoring.tables import turn_index
from unison.sim.simulate import EMA_SHIFT

_TIME_TOP = mask(TIME_W)
_IN_GAP = 1 << SCORE_W
# Layout of `p`: raw turn table, W, Z; the exact ones; scalars; counters; what was scanned.
W_AT = TURN_ENTRIES
Z_AT = W_AT + WEIGHT_ENTRIES
EXACT_AT = Z_AT + WEIGHT_ENTRIES
EXACT_W_AT = EXACT_AT + TURN_ENTRIES
EXACT_Z_AT = EXACT_W_AT + WEIGHT_ENTRIES
_SCALARS = EXACT_Z_AT + WEIGHT_ENTRIES
QUOTIENT, TURN_F_AT, SHIFT_AT, SCORE_TOP, GAP_TOP, UNIT, PRIOR, EXACT_PRIOR = range(
    _SCALARS, _SCALARS + 8
)
SNAPSHOTS, AGREED, RANKED, TAU_SUM, SCANNED = range(_SCALARS + 8, _SCALARS + 13)
SCAN_AT = _SCALARS + 13
#: Candidates that fit the scan: twice the slots, for both looks of Tide. Slot, key, exact key.
_ROOM = 192


@dataclass(frozen=True)
class Format:
    """Widths of a score, bits.

    turn_f: fraction bits of the odds, or bits of the hazard. weight_f: fraction bits of W and Z.
    score_f, score_w: fraction and all bits of the score. gap_w: of the gap average.
    tick: log2 of the time resolution in 1/16 ms.
    """

    form: Form
    turn_f: int
    weight_f: int
    score_f: int
    score_w: int
    gap_w: int = GAP_W
    tick: int = 0


#: What the RTL has.
LOCKED = {
    Form.PRODUCT: Format(Form.PRODUCT, ODDS_F, WEIGHT_F, SCORE_F, SCORE_W),
    Form.QUOTIENT: Format(Form.QUOTIENT, HAZARD_W, WEIGHT_F, QUOTIENT_F, QUOTIENT_W),
}


@register_jitable
def _tally(p):
    """Compare both rankings of the candidates scanned last."""
    n = int(p[SCANNED])
    if n < 2:
        return
    best, best_exact = 0, 0
    agree, differ, differ_exact = 0.0, 0.0, 0.0
    for i in range(n):
        slot, key, exact = p[SCAN_AT + 3 * i], p[SCAN_AT + 3 * i + 1], p[SCAN_AT + 3 * i + 2]
        for j in range(i):
            other = SCAN_AT + 3 * j
            a, b = np.sign(key - p[other + 1]), np.sign(exact - p[other + 2])
            agree += a * b
            differ += abs(a)
            differ_exact += abs(b)
        at = SCAN_AT + 3 * best
        if key > p[at + 1] or (key == p[at + 1] and slot < p[at]):
            best = i
        at = SCAN_AT + 3 * best_exact
        if exact > p[at + 2] or (exact == p[at + 2] and slot < p[at]):
            best_exact = i
    p[SNAPSHOTS] += 1
    if best == best_exact:
        p[AGREED] += 1
    if differ > 0 and differ_exact > 0:
        p[RANKED] += 1
        p[TAU_SUM] += agree / math.sqrt(differ * differ_exact)


class FormatPolicy(Policy):
    """Spear in integers of a given format; `p` counts its fidelity.

    Runs on exact times and truncates them itself. Its gap average is in `a0` (units of its own
    tick; `a1` is 1 once a gap was measured), the exact one in `a2`. `s.ghat`, which the idle
    window is reckoned from, is overwritten with the truncated average.
    """

    name = "spear-format"
    source = "Ours, for the format sweep: contract section 3 with every width free."

    def __init__(self, shape: Format) -> None:
        self.shape = shape
        self.p = np.zeros(SCAN_AT + 3 * _ROOM)

    def params(self, setting: Any) -> np.ndarray:
        """Tables in this format and exact; counters at zero."""
        f, t, p = self.shape, setting.tables, self.p
        quotient = f.form is Form.QUOTIENT
        whole = 0 if quotient else ODDS_W - ODDS_F
        turn = t.hazard if quotient else [h / (1 - h) for h in t.hazard]
        p[:] = 0
        p[:W_AT] = _raw(turn, f.turn_f, whole)
        p[W_AT:Z_AT] = _raw(t.weight_w, f.weight_f, WEIGHT_W - WEIGHT_F)
        p[Z_AT:EXACT_AT] = _raw(t.weight_z, f.weight_f, WEIGHT_W - WEIGHT_F)
        p[EXACT_AT:_SCALARS] = [*t.hazard, *t.weight_w, *t.weight_z]
        p[QUOTIENT], p[TURN_F_AT] = quotient, f.turn_f
        # Left shift of the score's raw value.
        p[SHIFT_AT] = f.score_f if quotient else f.score_f - f.turn_f - f.weight_f
        p[SCORE_TOP], p[GAP_TOP], p[UNIT] = mask(f.score_w), mask(f.gap_w), 2.0**f.tick
        p[PRIOR] = min(mask(f.gap_w), round(setting.gap_prior / 2.0**f.tick))
        p[EXACT_PRIOR] = setting.gap_prior
        return p

    def fidelity(self) -> dict[str, float]:
        """Counts of the last run."""
        names = {"snapshots": SNAPSHOTS, "agreed": AGREED, "ranked": RANKED, "tau_sum": TAU_SUM}
        return {name: float(self.p[at]) for name, at in names.items()}

    @staticmethod
    def score(s, now, p):
        age = int(math.floor(now / p[UNIT]) - math.floor(s.t_on / p[UNIT])) & _TIME_TOP
        if s.state == READY:
            key = float(_TIME_TOP - age)
            exact = -1.0 - (now - s.t_on)
        else:
            ghat = int(s.a0)
            i = turn_index(s.k)
            if p[QUOTIENT] == 1:
                raw = (ghat << int(p[SHIFT_AT])) // ((1 << int(p[TURN_F_AT])) - int(p[i]))
                exact = float_quotient(s.a2, p[EXACT_AT + i])
            else:
                b = weight_bin(age, ghat)
                m = (int(p[W_AT + b]) << int(p[TURN_F_AT])) + int(p[i]) * int(p[Z_AT + b])
                shift = int(p[SHIFT_AT])
                raw = (ghat * m) << shift if shift >= 0 else (ghat * m) >> -shift
                b = weight_bin(now - s.t_on, s.a2)
                exact = float_product(s.a2, p[EXACT_W_AT + b], p[EXACT_Z_AT + b], p[EXACT_AT + i])
            key = float(_IN_GAP + min(int(p[SCORE_TOP]), raw))
        n = int(p[SCANNED])
        if n < _ROOM:
            p[SCAN_AT + 3 * n] = s.slot
            p[SCAN_AT + 3 * n + 1] = key
            p[SCAN_AT + 3 * n + 2] = exact
            p[SCANNED] = n + 1
        return key

    @staticmethod
    def learn(moment, s, now, p):
        if moment == EVICT:
            _tally(p)
            p[SCANNED] = 0
        elif moment in (REQ, GAP_OPEN):
            # What Tide looked at since is no eviction.
            p[SCANNED] = 0
            if moment == REQ and s.k == 1:
                s.a0, s.a1, s.a2 = p[PRIOR], 0.0, p[EXACT_PRIOR]
                s.ghat = s.a0 * p[UNIT]
        elif moment == GAP_CLOSE:
            gap = math.floor(now / p[UNIT]) - math.floor(s.t_on / p[UNIT])
            seen = s.a1 == 1
            s.a0 = float(gap_average(int(s.a0), int(min(gap, p[GAP_TOP])), seen, EMA_SHIFT))
            s.a2 = float_average(s.a2, now - s.t_on, seen, EMA_SHIFT)
            s.a1 = 1.0
            s.ghat = s.a0 * p[UNIT]


def _raw(values: Any, fraction: int, whole: int) -> list[int]:
    """Values as unsigned integers of `whole` and `fraction` bits, saturating."""
    return [min(mask(whole + fraction), round(v * (1 << fraction))) for v in values]
