"""Capacity: points of the axes and gains, by hand."""

import pytest

from unison.experiments.capacity import AXES, amat_gain, hit_gain, points, prefill_gain


def rows():
    def pair(family, hits, amat, extra):
        return [
            {"family": family, "policy": p, "hit_rate": h, "amat_us": a, "extra": e}
            for p, h, a, e in zip(("lru", "spear"), hits, amat, extra, strict=True)
        ]

    return pair("a", (0.2, 0.5), (10.0, 5.0), (100, 25)) + pair("b", (0.4, 0.3), (4.0, 5.0), (0, 7))


def test_gains():
    assert hit_gain(rows()) == pytest.approx((0.3 - 0.1) / 2)
    assert amat_gain(rows()) == pytest.approx((0.5 - 0.25) / 2)
    # The trace on which LRU prefills nothing again has no part to save.
    assert prefill_gain(rows()) == pytest.approx(0.75)
    assert prefill_gain(rows()[2:]) is None


def test_points_hold_what_their_axis_says():
    found = points(12_000, 48_000)
    by_axis = {a: [(s, h) for axis, s, h in found if axis == a] for a in AXES}
    assert {s for s, _ in by_axis[AXES[0]]} == {12_000}
    assert {h for _, h in by_axis[AXES[1]]} == {48_000}
    assert {s + h for s, h in by_axis[AXES[2]]} == {60_000}
    assert all((12_000, 48_000) in places for places in by_axis.values())
