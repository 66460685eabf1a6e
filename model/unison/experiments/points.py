"""Aggregates of a comparison over points (trace, envelope) and seeds.

Every comparison is paired: two policies are set against each other on the same event stream
(same trace, envelope and seed), aggregated within the seed, and only then over the seeds, so
that the intervals are those of the comparison and not of the traces.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from unison.experiments.base import Row
from unison.experiments.compared import BOUND
from unison.experiments.lineup import BASELINE, ORACLE
from unison.experiments.statistics import Mean, geometric_mean, mean

#: (trace, envelope).
Point = tuple[str, str]


@dataclass(frozen=True)
class Summary:
    """A policy over some points; rates and differences of rates are parts of 1.

    hit, tokens (part of all prompt tokens that is not prefilled), gain (over the baseline), br:
    mean over the points. amat, ttft: geometric mean of the ratios to the baseline. prefill: part
    of the baseline's extra prefill that is saved, the sums over the envelopes of a trace set
    against each other, mean over the traces. to_oracle, to_bound: what Belady and the bound have
    more. None: not measured, or nothing to divide by.
    """

    policy: str
    hit: Mean
    tokens: Mean
    gain: Mean
    amat: Mean
    ttft: Mean
    prefill: Mean | None
    br: Mean | None
    to_oracle: Mean | None
    to_bound: Mean | None


class Results:
    """Rows of one pressure, by policy, point and seed. Each has family, envelope, seed, policy."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[tuple[str, Point, int], Row] = {}
        self.seeds: list[int] = []
        self.points: list[Point] = []
        self.policies: list[str] = []
        self.online: set[str] = set()
        for row in rows:
            point = (row["family"], row["envelope"])
            self._rows[row["policy"], point, row["seed"]] = row
            for known, value in (
                (self.seeds, row["seed"]),
                (self.points, point),
                (self.policies, row["policy"]),
            ):
                if value not in known:
                    known.append(value)
            if row["online"]:
                self.online.add(row["policy"])

    def complete(self, points: Sequence[Point]) -> list[str]:
        """Policies measured at all these points with all seeds, in order of appearance."""
        return [
            p
            for p in self.policies
            if p != BOUND and all((p, at, s) in self._rows for at in points for s in self.seeds)
        ]

    def get(self, policy: str, point: Point, seed: int) -> Row:
        """One row; KeyError when it was not measured."""
        return self._rows[policy, point, seed]

    def values(self, metric: str, policy: str, point: Point) -> list[float]:
        """A metric of a policy at a point, one a seed it was measured with."""
        found = (self._rows.get((policy, point, s)) for s in self.seeds)
        return [row[metric] for row in found if row is not None]

    def hit(self, policy: str, point: Point) -> Mean | None:
        """Hit rate at a point; None when not measured there."""
        values = self.values("hit_rate", policy, point)
        return mean(values) if values else None

    def difference(self, a: str, b: str, point: Point) -> Mean:
        """Hit rate of `a` minus that of `b`, paired."""
        pairs = zip(*(self.values("hit_rate", x, point) for x in (a, b)), strict=True)
        return mean([x - y for x, y in pairs])

    def ratio(self, metric: str, a: str, b: str, point: Point) -> Mean:
        """`metric` of `a` over that of `b`, paired."""
        pairs = zip(*(self.values(metric, x, point) for x in (a, b)), strict=True)
        return mean([x / y for x, y in pairs])

    def best(self, point: Point, among: Iterable[str], metric: str = "hit_rate") -> str:
        """The policy with the highest hit rate, or the lowest AMAT, the first of equals."""
        means = {p: math.fsum(self.values(metric, p, point)) for p in among}
        return (max if metric == "hit_rate" else min)(means, key=means.__getitem__)

    def leaders(self, point: Point, among: Sequence[str]) -> list[str]:
        """All policies with the highest hit rate; none when every policy has the same."""
        sums = {p: math.fsum(self.values("hit_rate", p, point)) for p in among}
        top = max(sums.values())
        first = [p for p in among if sums[p] == top]
        return first if len(first) < len(among) else []

    def summary(self, policy: str, points: Sequence[Point]) -> Summary:
        """A policy over `points`."""

        def over(function: Callable[[Row, Row], float], other: str = BASELINE) -> list[list[float]]:
            pairs = [
                [(self.get(policy, at, s), self.get(other, at, s)) for at in points]
                for s in self.seeds
            ]
            return [[function(*pair) for pair in found] for found in pairs]

        def gap(other: str) -> Mean | None:
            if any((other, at, s) not in self._rows for at in points for s in self.seeds):
                return None
            differences = over(lambda a, b: b["hit_rate"] - a["hit_rate"], other)
            return mean([average(x) for x in differences])

        return Summary(
            policy,
            hit=mean([average(x) for x in over(lambda a, _: a["hit_rate"])]),
            tokens=mean([average(x) for x in over(lambda a, _: a["token_hit_rate"])]),
            gain=mean([average(x) for x in over(lambda a, b: a["hit_rate"] - b["hit_rate"])]),
            amat=mean([geometric_mean(x) for x in over(lambda a, b: a["amat_us"] / b["amat_us"])]),
            ttft=mean(
                [geometric_mean(x) for x in over(lambda a, b: a["ttft_p50_us"] / b["ttft_p50_us"])]
            ),
            prefill=self._prefill(policy, points),
            br=self._br(policy, points),
            to_oracle=gap(ORACLE),
            to_bound=gap(BOUND),
        )

    def _prefill(self, policy: str, points: Sequence[Point]) -> Mean | None:
        """Saved part of the baseline's extra prefill; traces where it has none are left out."""
        families = list(dict.fromkeys(f for f, _ in points))
        by_seed = []
        for seed in self.seeds:
            parts = []
            for family in families:
                ours, base = (
                    sum(
                        self.get(p, at, seed)["extra_prefill_tokens"]
                        for at in points
                        if at[0] == family
                    )
                    for p in (policy, BASELINE)
                )
                if base:
                    parts.append(1 - ours / base)
            if parts:
                by_seed.append(average(parts))
        return mean(by_seed) if by_seed else None

    def _br(self, policy: str, points: Sequence[Point]) -> Mean | None:
        """Hits over the oracle's; points where the oracle has none are left out."""
        by_seed = []
        for seed in self.seeds:
            pairs = [
                (self.get(policy, at, seed)["hit_rate"], self.get(ORACLE, at, seed)["hit_rate"])
                for at in points
                if (ORACLE, at, seed) in self._rows
            ]
            parts = [a / b for a, b in pairs if b]
            if parts:
                by_seed.append(average(parts))
        return mean(by_seed) if by_seed else None


def average(values: Sequence[float]) -> float:
    """Arithmetic mean, independent of the order."""
    return math.fsum(values) / len(values)
