"""Signals: the loss of a signal is Spear's hit rate minus that of the policy without it."""

import pytest

from unison.experiments.signals import loss


def row(policy, seed, hit):
    return {
        "family": "a",
        "envelope": "e",
        "seed": seed,
        "policy": policy,
        "place": "none",
        "hit_rate": hit,
    }


def test_loss_is_paired_by_seed():
    rows = [
        row("spear", 0, 0.5),
        row("spear2", 0, 0.4),
        row("spear", 1, 0.9),
        row("spear2", 1, 0.8),
    ]
    found = loss(rows, "elapsed wait", "none")
    assert found.value == pytest.approx(0.1)
    # The seeds differ by far more than the pairs do.
    assert found.half == pytest.approx(0.0, abs=1e-12)
