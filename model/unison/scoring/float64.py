"""The score in float64: the reference that fidelity is measured against."""

import math
from dataclasses import dataclass

from unison.contract import CoreEvent
from unison.contract.widths import BW_F
from unison.scoring.fixed import Form
from unison.scoring.octave import weight_bin
from unison.scoring.tables import Tables, turn_index

# The functions below are also compiled by `unison.sim`.


def float_product(ghat: float, w: float, z: float, hazard: float) -> float:
    """S = ghat * (W + o * Z), o = h / (1 - h); ticks."""
    return ghat * (w + hazard / (1 - hazard) * z)


def float_quotient(ghat: float, hazard: float) -> float:
    """S = ghat / (1 - h); ticks."""
    return ghat / (1 - hazard)


def float_average(ghat: float, gap: float, seen: bool, shift: int) -> float:
    """EMA of the gaps, ticks."""
    return ghat + (gap - ghat) / (1 << shift) if seen else gap


@dataclass(frozen=True)
class FloatScorer:
    """Float64 score over exact tables and exact times (contract section 3).

    form PRODUCT: ghat * (W[b] + o * Z[b]); all others: ghat / (1 - h). gap_prior in ticks.
    """

    form: Form
    tables: Tables
    gap_prior: float
    ema_shift: int
    dma_bw: int

    def stamp(self, event: CoreEvent) -> float:
        """Ticks with their fraction."""
        return float(event.ts) if event.exact is None else event.exact

    def elapsed(self, now: float, onset: float) -> float:
        """Ticks from onset to now."""
        return now - onset

    def prior(self) -> float:
        """G0, ticks."""
        return self.gap_prior

    def update(self, ghat: float, gap: float, seen: bool) -> float:
        """EMA of the gaps."""
        return float_average(ghat, gap, seen, self.ema_shift)

    def gap_key(self, ghat: float, k: int, elapsed: float) -> tuple[int, float]:
        """(1, score)."""
        h = self.tables.hazard[turn_index(k)]
        if self.form.by_hazard:
            return 1, float_quotient(ghat, h)
        b = weight_bin(elapsed, ghat)
        return 1, float_product(ghat, self.tables.weight_w[b], self.tables.weight_z[b], h)

    def ready_key(self, age: float) -> tuple[int, float]:
        """(0, -age)."""
        return 0, -age

    def budget(self, ghat: float) -> float:
        """floor(ghat * BW), tokens."""
        return math.floor(ghat * self.dma_bw / (1 << BW_F))
