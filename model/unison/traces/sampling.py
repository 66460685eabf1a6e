"""Reproducible draws: everything comes from `random.Random(seed).random()`.

That one generator and method are stable across Python versions and platforms; shuffles and
inverse distributions are written out here, and every result is rounded to an integer, so
the last bit of a libm function does not matter.
"""

import math
from collections.abc import Callable, Sequence
from random import Random

from unison.traces.quantiles import Quantiles, score


def strata(rng: Random, count: int) -> list[float]:
    """`count` normal scores, one from each of `count` equal strata, in random order."""
    scores = [score((i + rng.random()) / count) for i in range(count)]
    # Fisher-Yates, from the top.
    for i in range(count - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        scores[i], scores[j] = scores[j], scores[i]
    return scores


def follow(rng: Random, z: float, correlation: float) -> float:
    """A normal score with the given correlation to `z` (Gaussian copula)."""
    return correlation * z + math.sqrt(1 - correlation * correlation) * score(rng.random())


def choose(u: float, shares: Sequence[float]) -> int:
    """Index drawn by shares that add up to 1, from one uniform draw."""
    total = 0.0
    for index, share in enumerate(shares):
        total += share
        if u < total:
            return index
    return len(shares) - 1


def counts_with_total(shape: Quantiles, scores: Sequence[float], total: int) -> list[int]:
    """Integers of at least 1, one a score, that follow `shape` and add up to `total`.

    The shape is scaled by the one factor that gives the total (bisection); what rounding
    leaves goes to the largest remainders. ValueError when `total` is below the count.
    """
    if total < len(scores):
        raise ValueError(f"total: got {total}, expected at least {len(scores)}")
    values = [shape.at(z) for z in scores]

    def scaled(factor: float) -> list[float]:
        return [max(1.0, value * factor) for value in values]

    factor = bisect(lambda f: sum(scaled(f)) - total, 1e-9, 1e9)
    exact = scaled(factor)
    result = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: (result[i] - exact[i], i))
    for i in order[: total - sum(result)]:
        result[i] += 1
    return result


def bisect(rising: Callable[[float], float], low: float, high: float) -> float:
    """The root of a rising function of a positive argument, by halving its logarithm."""
    for _ in range(100):
        middle = math.sqrt(low * high)
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return high
