"""Regret: how far a policy is from the best online one at each point, paired by seed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unison.experiments.base import Row
from unison.experiments.statistics import Mean, mean

#: (family, envelope, pressure, residency).
Point = tuple[str, str, str, str]
#: Metrics; a regret is in parts of 1, of a rate as a difference, of AMAT as a ratio less 1.
HIT, TOKENS, AMAT = "hit_rate", "token_hit_rate", "amat_us"


@dataclass(frozen=True)
class Regret:
    """At one point: the best of the rivals, and what it has more, or costs less."""

    point: Point
    rival: str
    value: Mean


class Standings:
    """Rows by point, policy and seed. Each has family, envelope, pressure, residency, seed,
    policy."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._found: dict[Point, dict[str, dict[int, Row]]] = {}
        for row in rows:
            point = (row["family"], row["envelope"], row["pressure"], row["residency"])
            self._found.setdefault(point, {}).setdefault(row["policy"], {})[row["seed"]] = row

    def points(self, families: Sequence[str] | None = None) -> list[Point]:
        """All points, or those of some families."""
        return [p for p in self._found if families is None or p[0] in families]

    def policies(self) -> list[str]:
        """Everybody who was measured anywhere, in order of appearance."""
        return list(dict.fromkeys(n for found in self._found.values() for n in found))

    def values(self, point: Point, policy: str, metric: str) -> list[float]:
        """A metric, one a seed; empty when it was not measured there."""
        return [r[metric] for _, r in sorted(self._found[point].get(policy, {}).items())]

    def best(self, point: Point, rivals: Iterable[str], metric: str) -> str:
        """The rival with the best mean over the seeds, the first of equals."""
        sums = {n: math.fsum(self.values(point, n, metric)) for n in rivals}
        return (min if metric == AMAT else max)(sums, key=sums.__getitem__)

    def regret(self, policy: str, point: Point, rivals: Iterable[str], metric: str) -> Regret:
        """0 for the best itself; below 0 only for a policy that is no rival and better."""
        rival = self.best(point, rivals, metric)
        pairs = zip(
            *(self.values(point, n, metric) for n in (policy, rival)),
            strict=True,
        )
        if metric == AMAT:
            return Regret(point, rival, mean([a / b - 1 for a, b in pairs]))
        return Regret(point, rival, mean([b - a for a, b in pairs]))

    def regrets(
        self, policy: str, points: Iterable[Point], rivals: Sequence[str], metric: str
    ) -> list[Regret]:
        """At all of `points`."""
        return [self.regret(policy, p, rivals, metric) for p in points]

    def difference(self, a: str, b: str, points: Sequence[Point], metric: str) -> Mean:
        """`a` minus `b` (AMAT: a / b - 1), mean over the points within a seed, then over seeds."""
        seeds = zip(
            *(
                [
                    x / y - 1 if metric == AMAT else x - y
                    for x, y in zip(
                        self.values(p, a, metric), self.values(p, b, metric), strict=True
                    )
                ]
                for p in points
            ),
            strict=True,
        )
        return mean([math.fsum(s) / len(s) for s in seeds])


def worst(regrets: Sequence[Regret]) -> Regret:
    """The largest."""
    return max(regrets, key=lambda r: r.value.value)


def mean_regret(regrets: Sequence[Regret]) -> float:
    """Over the points, each alike."""
    return math.fsum(r.value.value for r in regrets) / len(regrets)
