"""The integer score against the formulas of contract section 3, evaluated in exact fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unison.contract import CoreEvent
from unison.scoring import FixedScorer, FloatScorer, Form, Tables, elapsed_weights, fit_hazard
from unison.scoring.fixed import (
    gap_average,
    product_score,
    quotient_score,
    ratio_score,
    raw_key,
)
from unison.scoring.octave import octave, weight_bin
from unison.scoring.tables import turn_index

GHAT = st.integers(0, 2**24 - 1)
RAW16 = st.integers(0, 2**16 - 1)


@given(GHAT, RAW16, RAW16, RAW16)
def test_product_is_the_formula_cut_to_eight_fraction_bits(ghat, w, z, odds):
    exact = ghat * (Fraction(w, 16) + Fraction(odds, 4096) * Fraction(z, 16))
    assert product_score(ghat, w, z, odds) == min(2**48 - 1, math.floor(exact * 256))


@given(GHAT, st.integers(0, 255))
def test_quotient_is_the_paper_s_divider(ghat, h8):
    assert quotient_score(ghat, h8) == min(2**24 - 1, math.floor(Fraction(16 * ghat, 256 - h8)))


@given(GHAT, st.integers(0, 255), GHAT, st.integers(0, 255))
def test_ratio_orders_the_exact_fractions(a, ha, b, hb):
    exact = Fraction(a, 256 - ha), Fraction(b, 256 - hb)
    got = ratio_score(a, ha), ratio_score(b, hb)
    assert (got[0] < got[1], got[0] == got[1]) == (exact[0] < exact[1], exact[0] == exact[1])
    assert max(got) < 2**40


def test_ratio_tells_the_closest_fractions_apart():
    """Neighbours m / 256 and n / 255 differ by 1 / (255 * 256), near the least there can be."""
    for m in (255 * 7, 255 * 256 - 1, 2**24 - 1):
        n = m * 255 // 256
        for a, ha, b, hb in ((m, 0, n, 1), (m, 0, n + 1, 1)):
            exact = Fraction(a, 256 - ha) < Fraction(b, 256 - hb)
            assert (ratio_score(a, ha) < ratio_score(b, hb)) == exact


def test_table_of_reciprocals_is_exact_over_all_divisors():
    """The numbers of rtl/unison_score_reciprocal.sv: proved for every gap, and tried at the edges.

    With R = ceil(2^36 / d'), d' = d << shift, the error R * d' - 2^36 times the largest dividend
    stays below 2^36: the product exceeds n / d by less than 1 / d, and floor() does not see it.
    """
    top = 2**24 - 1
    for h8 in range(256):
        d = 256 - h8
        shift = next(s for s in range(9) if 129 <= d << s <= 256)
        r = -(-(2**36) // (d << shift))
        assert 2**28 <= r < 2**29
        assert 16 * top * (r * (d << shift) - 2**36) < 2**36
        for ghat in (0, 1, top, *(top - (top * 16 % d + j) // 16 for j in range(0, 3 * d, 7))):
            assert min(top, ghat * r >> (32 - shift)) == quotient_score(ghat, h8)


@given(GHAT, st.integers(0, 2**32 - 1), st.integers(0, 7))
def test_gap_average_rounds_half_up(ghat, gap, shift):
    g = min(gap, 2**24 - 1)
    want = ghat + math.floor(Fraction(g - ghat, 2**shift) + Fraction(1, 2))
    assert gap_average(ghat, gap, True, shift) == want
    assert 0 <= want < 2**24
    assert gap_average(ghat, gap, False, shift) == g


@pytest.mark.parametrize(
    ("ghat", "gap", "want"), [(0, 1, 0), (0, 2, 1), (10, 8, 10), (10, 7, 9), (8, 10, 9)]
)
def test_gap_average_at_the_halves(ghat, gap, want):
    assert gap_average(ghat, gap, True, 2) == want


@given(st.integers(0, 2**32 - 1))
def test_octave_is_floor_log2(x):
    n = octave(x)
    assert 2**n <= max(x, 1) < 2 ** (n + 1)
    assert octave(float(x)) == n


@pytest.mark.parametrize(
    ("elapsed", "ghat", "want"),
    [(0, 1000, 0), (1000, 1000, 4), (2000, 1000, 5), (500, 1000, 3), (2**31, 16, 15), (0, 0, 4)],
)
def test_weight_bin(elapsed, ghat, want):
    assert weight_bin(elapsed, ghat) == want


def test_turn_index_is_single_then_by_four_then_the_rest():
    index = [turn_index(k) for k in range(1, 256)]
    assert index[:32] == list(range(32))
    assert index[32:40] == [32] * 4 + [33] * 4
    assert index[-1] == 63
    assert index == sorted(index)
    assert turn_index(157) == 63
    assert turn_index(156) == 62


def test_default_weights_are_exact_in_their_format():
    weights = elapsed_weights()
    w, z = Tables((0.0,) * 64, weights, weights).weight_raw()
    assert [v / 16 for v in w] == list(weights)
    assert w == z
    assert weights[4] == 2.0


def test_hazard_fit_counts_and_smooths():
    h = fit_hazard([1, 2, 2, 4], strength=0.0 + 1e-12)
    assert h[:4] == pytest.approx((1 / 4, 2 / 3, 0, 255 / 256), abs=1e-9)
    assert h[40] == pytest.approx(4 / 9)
    assert all(0 <= v < 1 for v in fit_hazard([300] * 5))


@pytest.mark.parametrize("bad", [[], [0], [3, -1]])
def test_hazard_fit_refuses(bad):
    with pytest.raises(ValueError, match="turn counts"):
        fit_hazard(bad)


def test_tables_refuse_wrong_sizes_and_values():
    ok = (1.0,) * 16
    with pytest.raises(ValueError, match=r"hazard: got 3 entries, expected 64"):
        Tables((0.1,) * 3, ok, ok)
    with pytest.raises(ValueError, match=r"hazard\[63\]: got 1.0"):
        Tables((0.1,) * 63 + (1.0,), ok, ok)


def _scorers(form):
    tables = Tables(fit_hazard([3, 9, 30, 41, 77, 200]), elapsed_weights(), elapsed_weights())
    fixed = FixedScorer.from_tables(form, tables, 1000, 2, 256)
    return fixed, FloatScorer(form, tables, 1000.0, 2, 256)


@given(st.integers(2000, 2**23), st.integers(1, 255), st.integers(0, 2**30))
def test_integer_and_float_scores_agree_to_their_format(ghat, k, elapsed):
    fixed, exact = _scorers(Form.PRODUCT)
    got = fixed.gap_key(ghat, k, elapsed)[1] / 256
    assert got == pytest.approx(exact.gap_key(ghat, k, elapsed)[1], rel=2.0**-12)
    fixed, exact = _scorers(Form.QUOTIENT)
    got = fixed.gap_key(ghat, k, elapsed)[1] / 16 * 256
    want = exact.gap_key(ghat, k, elapsed)[1]
    # One unit of the hazard format relative to the smallest 1 - h of the fit, and one of S_q.
    assert got == pytest.approx(want, rel=0.02, abs=16)


@given(st.integers(0, 2**33), st.integers(0, 2**31), st.integers(0, 2**31))
def test_ready_keys_rank_below_gap_and_latest_close_highest(now, a, b):
    fixed, exact = _scorers(Form.PRODUCT)
    for scorer in (fixed, exact):
        t = scorer.stamp(CoreEvent(1, 0, 1, now + 2**31))
        keys = [
            scorer.ready_key(scorer.elapsed(t, scorer.stamp(CoreEvent(1, 0, 1, now + 2**31 - d))))
            for d in (a, b)
        ]
        assert (keys[0] < keys[1]) == (a > b)
        assert max(keys) < scorer.gap_key(0, 1, 0)
    assert raw_key(fixed.ready_key(0)) == 2**32 - 1
    assert raw_key((1, 0)) == 2**48
