"""Agreement of two rankings over the same candidates (contract section 6)."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np


def _ranks(scores: Mapping[Hashable, Any]) -> np.ndarray:
    """Dense ranks of a score map, in its own key order; scores need only be comparable."""
    order = {v: i for i, v in enumerate(sorted(set(scores.values())))}
    return np.array([order[v] for v in scores.values()])


def kendall_tau_b(a: Mapping[Hashable, Any], b: Mapping[Hashable, Any]) -> float | None:
    """Kendall's tau-b of two score maps over the same keys (Kendall 1945).

    Scores are hashable and comparable. None when either ranking is constant or has fewer
    than two members, where tau-b is undefined. ValueError when the keys differ.
    """
    if a.keys() != b.keys():
        raise ValueError(f"candidates differ: got {sorted(a)} and {sorted(b)}")
    x, y = _ranks(a), _ranks({k: b[k] for k in a})
    dx = np.sign(x[:, None] - x)
    dy = np.sign(y[:, None] - y)
    scale = float(np.count_nonzero(dx)) * float(np.count_nonzero(dy))
    return float((dx * dy).sum()) / scale**0.5 if scale else None


def top1(scores: Mapping[int, Any]) -> int:
    """The slot evicted first: largest score, ties to the lowest slot. ValueError if empty."""
    return max(scores, key=lambda slot: (scores[slot], -slot))
