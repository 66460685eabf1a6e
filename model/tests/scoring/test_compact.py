"""The compact score against its definition in contract section 3, in exact fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unison.scoring import FixedScorer, FloatScorer, Form, Tables, elapsed_weights, fit_hazard
from unison.scoring.fixed import compact_code, compact_gap, compact_score

GAP = st.integers(0, 2**24 - 1)
RAW16 = st.integers(0, 2**16 - 1)
#: Every value that a slot can hold, ascending.
HELD = sorted({((1024 + f) << e) >> 10 for e in range(24) for f in range(1024)})


def _cut(x: int, bits: int) -> int:
    """x with all but its `bits` leading bits cleared."""
    drop = max(x.bit_length() - bits, 0)
    return x >> drop << drop


@given(GAP)
def test_a_slot_holds_the_nearest_value_half_up(gap):
    want = min(HELD, key=lambda v: (abs(v - max(gap, 1)), -v))
    assert compact_gap(gap) == want
    assert compact_gap(want) == want


@given(st.sampled_from(HELD))
def test_the_code_is_fifteen_bits_that_order_as_the_values(value):
    code = compact_code(value)
    assert 0 <= code < 2**15
    assert ((1024 + code % 1024) << (code >> 10)) >> 10 == value
    smaller = HELD[max(HELD.index(value) - 1, 0)]
    assert compact_code(smaller) <= code


@given(st.sampled_from(HELD), RAW16, RAW16, RAW16)
def test_the_score_is_the_cut_product_as_a_float(ghat, w, z, odds):
    product = ghat * _cut(w * 4096 + odds * z, 12)
    score = compact_score(ghat, w, z, odds)
    assert 0 <= score < 2**24
    if product == 0:
        assert score == 0
        return
    exponent, fraction = score >> 18, score % 2**18
    below = Fraction(product, 2**exponent) - 1
    assert 0 <= below < 1
    assert fraction == math.floor(below * 2**18)


@given(st.sampled_from(HELD), st.sampled_from(HELD), RAW16, RAW16, RAW16)
def test_a_larger_average_never_scores_less(a, b, w, z, odds):
    low, high = sorted((a, b))
    assert compact_score(low, w, z, odds) <= compact_score(high, w, z, odds)


@given(st.sampled_from(HELD), st.integers(1, 255), st.integers(0, 2**30))
def test_it_follows_the_float_score_to_eleven_bits(ghat, k, elapsed):
    tables = Tables(fit_hazard([3, 9, 30, 41, 77, 200]), elapsed_weights(), elapsed_weights())
    fixed = FixedScorer.from_tables(Form.COMPACT, tables, 1000, 2, 256)
    exact = FloatScorer(Form.COMPACT, tables, 1000.0, 2, 256)
    raw = fixed.gap_key(ghat, k, elapsed)[1]
    got = (1 + raw % 2**18 / 2**18) * 2.0 ** (raw >> 18) / 2**16
    assert got == pytest.approx(exact.gap_key(ghat, k, elapsed)[1], rel=2.0**-10)


def test_ready_ages_saturate_and_averages_are_held():
    fixed = FixedScorer(Form.COMPACT, (0,) * 64, (16,) * 16, (0,) * 16, 2**24 - 1, 2, 256)
    assert fixed.ready_key(0) == (0, 2**24 - 1)
    assert fixed.ready_key(2**24 - 1) == fixed.ready_key(2**32 - 1) == (0, 0)
    assert fixed.prior() == 2047 << 13
    assert fixed.update(0, 4097, False) == 4096
    assert fixed.update(0, 4098, False) == 4100
