"""Spear: expected next reference from a session's own gaps and progress (contract section 3)."""

import numpy as np

from unison.contract.widths import COMPACT_W, TIME_W, TURN_ENTRIES, WEIGHT_ENTRIES, mask
from unison.policies.base import READY, Policy, Setting, ready_key
from unison.scoring.fixed import (
    FixedScorer,
    Form,
    compact_score,
    product_score,
    quotient_score,
    ratio_score,
)
from unison.scoring.float64 import float_product, float_quotient
from unison.scoring.octave import weight_bin
from unison.scoring.tables import turn_index

# Layout of `p`: the turn table, then W, then Z.
W_AT = TURN_ENTRIES
Z_AT = W_AT + WEIGHT_ENTRIES
_TIME_TOP, _COMPACT_TOP = mask(TIME_W), mask(COMPACT_W)
# A key in GAP is above every key in READY: bit 48 of the hardware's key.
_IN_GAP = 1 << 48


def exact_tables(setting: Setting) -> np.ndarray:
    """Hazard, W and Z in float64: shape (96,)."""
    t = setting.tables
    return np.array([*t.hazard, *t.weight_w, *t.weight_z], float)


class GapOnly(Policy):
    """One signal: the session's gap average."""

    name = "spear1"
    source = "Unison's Spear with its first signal, the gap recurrence, alone."

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        return s.ghat


class TwoSignals(Policy):
    """Gap average and completion hazard: the paper's hardware score."""

    name = "spear2"
    source = "The paper's two-signal Spear: ghat / (1 - h), in float64."

    def params(self, setting):
        return exact_tables(setting)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        return float_quotient(s.ghat, p[turn_index(s.k)])


class Spear(TwoSignals):
    """Gap average, completion hazard and the time already waited."""

    name = "spear"
    source = "The paper's three-signal Spear, with the weights of docs/contract.md (beta = 1)."

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        b = weight_bin(now - s.t_on, s.ghat)
        return float_product(s.ghat, p[W_AT + b], p[Z_AT + b], p[turn_index(s.k)])


class ElapsedNoHazard(TwoSignals):
    """Spear without its hazard: gap average and time already waited."""

    name = "spear-nohazard"
    source = "Ours, for the leave-one-out figure: ghat * W[b]."

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        return s.ghat * p[W_AT + weight_bin(now - s.t_on, s.ghat)]


class ElapsedNoGap(TwoSignals):
    """Spear without its gap average: every session is expected to wait the prior."""

    name = "spear-nogap"
    source = "Ours, for the leave-one-out figure: the prior takes the place of ghat."

    def params(self, setting):
        return np.append(exact_tables(setting), setting.gap_prior)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        ghat = p[-1]
        b = weight_bin(now - s.t_on, ghat)
        return float_product(ghat, p[W_AT + b], p[Z_AT + b], p[turn_index(s.k)])


class _Hardware(Policy):
    """The integer score of the RTL over raw tables."""

    integer = True
    form = Form.PRODUCT

    def params(self, setting):
        raw = FixedScorer.from_tables(self.form, setting.tables, round(setting.gap_prior), 0, 1)
        return np.array([*raw.turn, *raw.weight_w, *raw.weight_z], float)


class HardwareProduct(_Hardware):
    """Spear as the RTL computes it by default: integer product."""

    name = "spear-hw"
    source = "This project's hardware: contract section 3, `product`."

    @staticmethod
    def score(s, now, p):
        age = int(now - s.t_on) & _TIME_TOP
        if s.state == READY:
            return float(_TIME_TOP - age)
        ghat = int(s.ghat)
        b = weight_bin(age, ghat)
        return float(
            _IN_GAP
            + product_score(ghat, int(p[W_AT + b]), int(p[Z_AT + b]), int(p[turn_index(s.k)]))
        )


class HardwareCompact(_Hardware):
    """Spear as the RTL computes it in small floats."""

    name = "spear-hwc"
    source = "This project's hardware: contract section 3, `compact`."
    form = Form.COMPACT
    compact = True

    @staticmethod
    def score(s, now, p):
        age = int(now - s.t_on) & _TIME_TOP
        if s.state == READY:
            return float(max(_COMPACT_TOP - age, 0))
        ghat = int(s.ghat)
        b = weight_bin(age, ghat)
        return float(
            _IN_GAP
            + compact_score(ghat, int(p[W_AT + b]), int(p[Z_AT + b]), int(p[turn_index(s.k)]))
        )


class HardwareQuotient(_Hardware):
    """The paper's integer score: exact divider, eight-bit hazard."""

    name = "spear-hwq"
    source = "The paper's hardware score as reconstructed in contract section 3, `quotient`."
    form = Form.QUOTIENT

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return float(_TIME_TOP - (int(now - s.t_on) & _TIME_TOP))
        return float(_IN_GAP + quotient_score(int(s.ghat), int(p[turn_index(s.k)])))


class HardwareRatio(_Hardware):
    """The quotient's exact ratio, which the RTL orders by cross-multiplication."""

    name = "spear-hwr"
    source = "This project's hardware: contract section 3, `ratio`."
    form = Form.RATIO

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return float(_TIME_TOP - (int(now - s.t_on) & _TIME_TOP))
        return float(_IN_GAP + ratio_score(int(s.ghat), int(p[turn_index(s.k)])))
