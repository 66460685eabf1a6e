"""Kendall tau-b against SciPy's, and the fidelity means."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unison.metrics import Fidelity, kendall_tau_b, top1

scipy_stats = pytest.importorskip("scipy.stats", reason="SciPy is a test dependency only")


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=20))
def test_tau_b_equals_scipy(pairs):
    a = {i: p[0] for i, p in enumerate(pairs)}
    b = {i: p[1] for i, p in enumerate(pairs)}
    got = kendall_tau_b(a, b)
    want = scipy_stats.kendalltau(list(a.values()), list(b.values())).statistic
    if math.isnan(want):
        assert got is None
    else:
        assert got == pytest.approx(want)


def test_tau_refuses_different_candidates():
    with pytest.raises(ValueError, match="candidates differ"):
        kendall_tau_b({1: 0}, {2: 0})


def test_top1_prefers_the_lowest_slot_of_a_tie():
    assert top1({7: 5, 3: 5, 9: 4}) == 3


def test_fidelity_counts_what_it_ranks():
    f = Fidelity()
    assert f.top1 is None
    assert f.kendall_tau is None
    f.add({1: 1}, {1: 1})
    assert f.snapshots == 0
    f.add({1: 1, 2: 2}, {1: 5, 2: 9})
    f.add({1: 1, 2: 2}, {1: 9, 2: 5})
    f.add({1: 1, 2: 1}, {1: 1, 2: 2})
    assert (f.snapshots, f.ranked, f.agreed) == (3, 2, 1)
    assert f.kendall_tau == 0.0
