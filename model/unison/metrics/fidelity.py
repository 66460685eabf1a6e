"""Fidelity of an integer ranking against the float64 one, snapshot by snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unison.metrics.ranking import kendall_tau_b, top1


@dataclass
class Fidelity:
    """Means over eviction snapshots with at least two candidates.

    A snapshot whose tau-b is undefined (all candidates tied in one ranking) counts for
    top-1 only.
    """

    snapshots: int = 0
    agreed: int = 0
    ranked: int = 0
    tau_sum: float = 0.0

    def add(self, got: Mapping[int, Any], reference: Mapping[int, Any]) -> None:
        """One eviction: candidate slot to key, as ranked and as float64 ranks it."""
        if len(got) < 2:
            return
        self.snapshots += 1
        self.agreed += top1(got) == top1(reference)
        tau = kendall_tau_b(got, reference)
        if tau is not None:
            self.ranked += 1
            self.tau_sum += tau

    @property
    def top1(self) -> float | None:
        """Share of snapshots whose victim is float64's."""
        return self.agreed / self.snapshots if self.snapshots else None

    @property
    def kendall_tau(self) -> float | None:
        """Mean tau-b."""
        return self.tau_sum / self.ranked if self.ranked else None
