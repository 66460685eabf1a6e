"""Distributions from four quantiles, and draws that repeat."""

from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unison.traces.quantiles import LEVELS, Quantiles, measure, score
from unison.traces.sampling import choose, counts_with_total, follow, strata

SHAPE = Quantiles(2, 7, 17, 21)


def test_passes_through_its_points():
    for level, value in zip(LEVELS, (2, 7, 17, 21), strict=True):
        assert SHAPE.at(score(level)) == pytest.approx(value)


@given(st.floats(-9, 9), st.floats(-9, 9))
def test_rises(a, b):
    assert (SHAPE.at(a) <= SHAPE.at(b)) or a > b


def test_a_lognormal_is_one_straight_line():
    z = [NormalDist().inv_cdf(level) for level in LEVELS]
    shape = Quantiles(*(2.0**v for v in z))
    assert shape.at(1.0) == pytest.approx(2.0)
    assert shape.at(-3.0) == pytest.approx(1 / 8)
    assert shape.at(99.0) == shape.at(score(0.999))


def test_strata_cover_the_distribution():
    got = measure([SHAPE.at(z) for z in strata(Random(1), 2_000)])
    assert (got.p10, got.p50, got.p90, got.p99) == pytest.approx((2, 7, 17, 21), rel=0.02)


def test_draws_are_pinned():
    # Another value here means that every committed trace changes: see GENERATOR_VERSION.
    rng = Random(1)
    assert [round(follow(rng, 1.0, 0.5), 9) for _ in range(2)] == [-0.457820157, 1.388099501]


@given(st.integers(1, 60), st.integers(0, 5_000), st.integers(0, 99))
def test_counts_add_up(count, extra, seed):
    counts = counts_with_total(SHAPE, strata(Random(seed), count), count + extra)
    assert sum(counts) == count + extra
    assert min(counts) >= 1


def test_counts_need_a_total_of_one_each():
    with pytest.raises(ValueError, match="expected at least 3"):
        counts_with_total(SHAPE, [0.0, 0.0, 0.0], 2)


def test_choose():
    assert [choose(u, (0.25, 0.5, 0.25)) for u in (0.0, 0.249, 0.25, 0.75, 0.9999)] == [
        0,
        0,
        1,
        2,
        2,
    ]
    assert choose(0.9999, (0.5, 0.4)) == 1


def test_measure_needs_values():
    with pytest.raises(ValueError, match="at least one"):
        measure([])
