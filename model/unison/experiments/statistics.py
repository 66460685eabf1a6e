"""Means with intervals, over orders of the sessions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import t as student


@dataclass(frozen=True)
class Mean:
    """A mean and half the width of its 95 % interval; `half` is None for fewer than two values."""

    value: float
    half: float | None

    def text(self, scale: float = 1.0, digits: int = 2, sign: bool = False) -> str:
        """``12.34 ± 0.05``, times `scale`."""
        plus = "+" if sign else ""
        main = f"{scale * self.value:{plus}.{digits}f}"
        return main if self.half is None else f"{main} ± {scale * self.half:.{digits}f}"


def mean(values: Sequence[float]) -> Mean:
    """Arithmetic mean with Student's 95 % interval; ValueError without values."""
    n = len(values)
    if not n:
        raise ValueError("mean: got no values, expected at least one")
    centre = math.fsum(values) / n
    if n < 2:
        return Mean(centre, None)
    variance = math.fsum((v - centre) ** 2 for v in values) / (n - 1)
    return Mean(centre, float(student.ppf(0.975, n - 1)) * math.sqrt(variance / n))


def geometric_mean(values: Sequence[float]) -> float:
    """Geometric mean of positive values; ValueError without values or with one below zero."""
    if not values or min(values) <= 0:
        raise ValueError(f"geometric mean: got {list(values)[:5]}, expected positive values")
    return math.exp(math.fsum(map(math.log, values)) / len(values))
