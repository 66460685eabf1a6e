"""The score in float64: the reference that fidelity is measured against."""

import math
from dataclasses import dataclass

from unison.contract import CoreEvent
from unison.contract.widths import BW_F, WEIGHT_CENTRE, WEIGHT_ENTRIES
from unison.scoring.fixed import Form
from unison.scoring.tables import Tables, turn_index


def octave(x: float) -> int:
    """floor(log2(max(x, 1))), exact at powers of two."""
    return math.frexp(max(x, 1.0))[1] - 1


@dataclass(frozen=True)
class FloatScorer:
    """Float64 score over exact tables and exact times (contract section 3).

    form PRODUCT: ghat * (W[b] + o * Z[b]); QUOTIENT: ghat / (1 - h). gap_prior in ticks.
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
        return ghat + (gap - ghat) / (1 << self.ema_shift) if seen else gap

    def gap_key(self, ghat: float, k: int, elapsed: float) -> tuple[int, float]:
        """(1, score)."""
        h = self.tables.hazard[turn_index(k)]
        if self.form is Form.QUOTIENT:
            return 1, ghat / (1 - h)
        b = octave(elapsed) - octave(ghat) + WEIGHT_CENTRE
        b = min(max(b, 0), WEIGHT_ENTRIES - 1)
        return 1, ghat * (self.tables.weight_w[b] + h / (1 - h) * self.tables.weight_z[b])

    def ready_key(self, age: float) -> tuple[int, float]:
        """(0, -age)."""
        return 0, -age

    def budget(self, ghat: float) -> float:
        """floor(ghat * BW), tokens."""
        return math.floor(ghat * self.dma_bw / (1 << BW_F))
