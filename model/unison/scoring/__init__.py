"""The ranking score: once in float64, once in integers (and once in RTL)."""

from unison.scoring.base import Scorer
from unison.scoring.fixed import DEFAULT_FORM, FixedScorer, Form, compact_code, compact_gap, raw_key
from unison.scoring.float64 import FloatScorer
from unison.scoring.tables import Tables, elapsed_weights, fit_hazard, turn_index

__all__ = [
    "DEFAULT_FORM",
    "FixedScorer",
    "FloatScorer",
    "Form",
    "Scorer",
    "Tables",
    "compact_code",
    "compact_gap",
    "elapsed_weights",
    "fit_hazard",
    "raw_key",
    "turn_index",
]
