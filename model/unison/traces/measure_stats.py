"""Statistics of `unison.traces.measure`: fits and correlations, none of them random."""

from collections.abc import Hashable, Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unison.traces.quantiles import LEVELS

Floats = NDArray[np.float64]
_NORMAL = NormalDist()
#: Reweighting: residuals below this (unit of `y`) weigh as this; most rounds.
_FLOOR, _ROUNDS = 1e-8, 2_000


def lad_fit(columns: Sequence[Sequence[float]], y: Sequence[float]) -> Floats:
    """Coefficients b that minimise sum |y - b0 - b1 x1 - ...|, least absolute deviation.

    Iteratively reweighted least squares with weights 1 / |residual|, from the least-squares
    fit, until no coefficient moves. Result: b0 in the unit of `y`, the others per unit of
    their column. ValueError for columns of another length.
    """
    rows = np.column_stack([np.ones(len(y)), *(np.asarray(c, dtype=float) for c in columns)])
    target = np.asarray(y, dtype=float)
    fit: Floats = np.linalg.lstsq(rows, target, rcond=None)[0]
    for _ in range(_ROUNDS):
        weighted = rows.T / np.maximum(np.abs(target - rows @ fit), _FLOOR)
        new: Floats = np.linalg.solve(weighted @ rows, weighted @ target)
        if np.allclose(new, fit, rtol=1e-12, atol=0):
            return new
        fit = new
    return fit


def midranks(values: Sequence[float]) -> Floats:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = ((last - counts + 1 + last) / 2)[place]
    return ranks


def normal_scores(values: Sequence[float]) -> Floats:
    """Phi^-1((rank - 1/2) / n) with midranks: the sample made normal, units gone."""
    return np.array([_NORMAL.inv_cdf((r - 0.5) / len(values)) for r in midranks(values)])


def intraclass(values: Sequence[float], groups: Sequence[Hashable]) -> float:
    """Intraclass correlation of normal scores, one-way analysis of variance with random effects:

        ICC = (MSB - MSW) / (MSB + (n0 - 1) MSW),   n0 = (n - sum n_i^2 / n) / (a - 1)

    with n values in a groups of n_i; MSB, MSW: mean squares between and within groups. No
    unit; negative when groups differ less than chance would have it. ValueError: fewer than
    two groups, or no group of two.
    """
    members: dict[Hashable, list[float]] = {}
    for group, z in zip(groups, normal_scores(values), strict=True):
        members.setdefault(group, []).append(float(z))
    n, a = len(values), len(members)
    if not 1 < a < n:
        raise ValueError(f"groups: got {a} for {n} values, expected at least 2, not all single")
    total = sum(sum(z) for z in members.values()) / n
    means = {group: sum(z) / len(z) for group, z in members.items()}
    between = sum(len(z) * (means[g] - total) ** 2 for g, z in members.items()) / (a - 1)
    within = sum((x - means[g]) ** 2 for g, z in members.items() for x in z) / (n - a)
    size = (n - sum(len(z) ** 2 for z in members.values()) / n) / (a - 1)
    return (between - within) / (between + (size - 1) * within)


def pace_correlation(values: Sequence[float], groups: Sequence[Hashable]) -> float:
    """sqrt(ICC), 0 for a negative one: with score = r * pace + sqrt(1 - r^2) * own, two values
    of one group have correlation r^2. No unit."""
    return max(0.0, intraclass(values, groups)) ** 0.5


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Rank correlation: Pearson's correlation of the midranks. No unit."""
    return float(np.corrcoef(midranks(x), midranks(y))[0, 1])


def gaussian(rank_correlation: float) -> float:
    """Correlation of the Gaussian copula with that Spearman rho: 2 sin(pi rho / 6). No unit."""
    return float(2 * np.sin(np.pi * rank_correlation / 6))


def order_quantiles(values: Sequence[float]) -> tuple[float, ...]:
    """p10, p50, p90, p99 as order statistics, the first at or above p (n - 1), unit of the values.

    The published rows are given so; `quantiles.measure` interpolates instead.
    """
    return tuple(float(v) for v in np.quantile(np.asarray(values), LEVELS, method="higher"))
