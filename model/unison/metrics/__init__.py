"""Metrics of contract section 6."""

from unison.metrics.fidelity import Fidelity
from unison.metrics.ranking import kendall_tau_b, top1

__all__ = ["Fidelity", "kendall_tau_b", "top1"]
