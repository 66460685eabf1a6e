"""What the sweeps share: means within a seed first, then over the seeds."""

import pytest

from unison.experiments.statistics import Mean
from unison.experiments.sweep import average, average_ratio, change, over_seeds, significant, table


def row(seed, value, family="a", **more):
    return {"seed": seed, "family": family, "envelope": "e", "x": value, **more}


def test_mean_within_a_seed_comes_first():
    rows = [row(0, 1.0), row(0, 3.0), row(1, 4.0)]
    found = over_seeds(rows, lambda part: average(part, "x"))
    # 2 and 4: not the 8/3 of all rows together. Student, one degree: 12.706 * sqrt(2) / sqrt(2).
    assert found.value == 3.0
    assert found.half == pytest.approx(12.706, abs=1e-3)


def test_seeds_without_a_value_are_left_out():
    assert over_seeds([row(0, 1.0)], lambda part: None) is None
    mixed = over_seeds([row(0, 1.0), row(1, 2.0)], lambda p: p[0]["x"] if p[0]["seed"] else None)
    assert mixed == Mean(2.0, None)


def test_ratio_is_geometric_and_pairs_points():
    rows = [row(0, 2.0, "a"), row(0, 8.0, "b")]
    base = [row(0, 1.0, "b"), row(0, 1.0, "a")]
    assert average_ratio(rows, "x", base) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("value", "half", "words"),
    [
        (0.012, 0.003, "1.20 ± 0.30 pp more"),
        (-0.012, 0.003, "1.20 ± 0.30 pp less"),
        (0.012, 0.013, "not distinguishable (+1.20 ± 1.30 pp)"),
        (0.0, 0.0, "not distinguishable (+0.00 ± 0.00 pp)"),
    ],
)
def test_sentences_follow_the_interval(value, half, words):
    assert change(Mean(value, half)) == words
    assert significant(Mean(value, half)) is not words.startswith("not")


def test_table():
    assert table("a | b", [[1, "x"]]) == ["| a | b |", "|---|---|", "| 1 | x |"]
