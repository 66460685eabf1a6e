"""Distributions given by four published quantiles, and the statistics to check them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

#: The four probabilities that the published rows give.
LEVELS = (0.10, 0.50, 0.90, 0.99)
_NORMAL = NormalDist()
_SCORES = tuple(_NORMAL.inv_cdf(level) for level in LEVELS)
#: Nothing is published beyond p99: the outer pieces end at p0.1 and p99.9.
_END = _NORMAL.inv_cdf(0.999)


def score(u: float) -> float:
    """Normal score of a probability; 0 and 1 are moved inside."""
    return _NORMAL.inv_cdf(min(max(u, 1e-12), 1 - 1e-12))


@dataclass(frozen=True, slots=True)
class Quantiles:
    """p10, p50, p90, p99 of a positive quantity, in its own unit, not decreasing."""

    p10: float
    p50: float
    p90: float
    p99: float

    def at(self, z: float) -> float:
        """Value at normal score `z`.

        The logarithm is linear in `z` between the four points (a lognormal is one straight
        line) and continues with the outer slopes up to p0.1 and p99.9.
        """
        z = min(max(z, -_END), _END)
        points = tuple(zip(_SCORES, (self.p10, self.p50, self.p90, self.p99), strict=True))
        low, high = next(
            (pair for pair in itertools.pairwise(points) if z <= pair[1][0]),
            points[-2:],
        )
        slope = math.log(high[1] / low[1]) / (high[0] - low[0])
        return low[1] * math.exp(slope * (z - low[0]))


def measure(values: Sequence[float]) -> Quantiles:
    """Quantiles of a sample, linear between order statistics. ValueError when empty."""
    if not values:
        raise ValueError("values: got none, expected at least one")
    ordered = sorted(values)

    def pick(level: float) -> float:
        place = level * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])

    return Quantiles(*(pick(level) for level in LEVELS))
