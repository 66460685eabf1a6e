"""The learner: exact, bounded, robust, forgetful, and the same wherever it runs."""

import math
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unison.contract.widths import ODDS_W, TICKS_PER_MS, WEIGHT_W, mask
from unison.learning import CLASSES, Learner, fit
from unison.learning.layout import BINS, EXACT_W, EXACT_Z, OFFSET, ONE, RETURNS, WAITS

waits = st.one_of(
    st.floats(0, 1e4, allow_nan=False), st.floats(0, 1e13), st.sampled_from([0.0, 16.0, 1e300])
)
events = st.lists(
    st.tuples(st.sampled_from(["gap", "gap", "gap", "end"]), st.integers(0, 15), waits,
              st.integers(1, 400)),
    max_size=80,
)  # fmt: skip


def fed(found, **options):
    learner = Learner(**options)
    for what, c, wait, turn in found:
        if what == "gap":
            learner.gap(c, wait, turn)
        else:
            learner.end(c, turn)
    return learner


@settings(max_examples=25, deadline=None)
@given(events, st.booleans(), st.booleans(), st.sampled_from([8, 64]))
def test_tables_are_in_range_and_repeatable(found, by_class, by_turn, memory):
    one, two = (fed(found, by_class=by_class, by_turn=by_turn, memory=memory) for _ in range(2))
    assert one.tables() == two.tables()
    t = one.tables()
    assert all(0 <= v <= mask(WEIGHT_W) for bank in t.w for v in bank)
    assert all(0 <= v <= mask(WEIGHT_W) for bank in t.z for v in bank)
    assert all(0 <= v <= mask(ODDS_W) for v in t.odds)
    assert (len(t.w), len(t.w[0]), len(t.odds)) == (CLASSES, BINS, 64)
    assert all(float(v).is_integer() and abs(v) < 2**53 for v in one.state)
    if not by_class:
        assert len(set(t.w)) == len(set(t.z)) == 1


@settings(max_examples=25, deadline=None)
@given(events)
def test_the_scale_is_the_finest_that_holds_what_was_seen(found):
    learner = fed(found)
    if not learner.updates:
        return
    top, shift = max(learner.state[EXACT_W:EXACT_Z]), learner.tables().shift
    assert top >> shift <= mask(WEIGHT_W)
    assert shift == 0 or top >> (shift - 1) > mask(WEIGHT_W)


def brute(counts, low_bin, odds, mean_life):
    """W + Z of the horizon that costs least, in exact fractions of the counts."""
    total = sum(counts)
    best = None
    for j in range(low_bin, BINS):
        low = 0 if low_bin == 0 else 2 ** (low_bin + OFFSET)
        cost = back = 0.0
        left = sum(counts[low_bin:])
        for i in range(low_bin, j + 1):
            a = low if i == low_bin else 2 ** (i + OFFSET)
            end = 2 ** (i + OFFSET + (3 if i == BINS - 1 else 1))
            back += counts[i]
            left -= counts[i]
            cost += counts[i] * (end - a) / 2 + left * (end - a)
        if back:
            w, z = cost / back, odds * total * (end - low) / back
            if best is None or w + z < sum(best) or mean_life:
                best = w, z
    return best


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, 14), min_size=64, max_size=64),
    st.integers(0, 20),
    st.booleans(),
)
def test_tables_are_those_of_the_best_horizon(bins, ends, mean_life):
    learner = Learner(by_class=False, mean_life=mean_life, memory=4096)
    for _ in range(ends):
        learner.end(3)
    for b in bins:
        # The middle of a bin; the last of 64 gaps makes the tables.
        learner.gap(3, 1.5 * 2 ** (b + OFFSET) / TICKS_PER_MS)
    fit.make_tables(learner.state)
    counts = [bins.count(b) for b in range(BINS)]
    mean = (ends + 0.5) / (len(bins) + 1)
    odds = (ends + 8 * mean) / (len(bins) + 8)
    at = fit.table_row(learner.state, 0)
    for b in range(BINS):
        want = brute(counts, b, odds, mean_life)
        w, z = learner.state[EXACT_W + at + b], learner.state[EXACT_Z + at + b]
        if want is None:
            assert w < 0
        else:
            assert w + z == pytest.approx(sum(want), rel=2e-3, abs=3)


def test_mean_life_of_equal_waits_is_what_is_left():
    learner = Learner(by_class=False, mean_life=True)
    for _ in range(256):
        learner.gap(1, 1000.0)
    at = fit.table_row(learner.state, 0)
    # 16,000 ticks lie in bin 5, 8,192 to 16,383: on average its middle, 12,288.
    assert learner.state[EXACT_W + at] == pytest.approx(12_288, rel=0.01)
    assert learner.state[EXACT_W + at + 5] == pytest.approx(4_096, rel=0.01)


def test_regular_waits_fall_and_heavy_tails_rise():
    regular, heavy = Learner(), Learner()
    for i in range(512):
        regular.gap("shell", 3000.0)
        # Pareto, alpha 0.5.
        heavy.gap("human", 10 / (1 - (i * 37 % 512) / 512) ** 2)
    early, late = (regular.score("shell", ms) >> 24 for ms in (30.0, 2100.0))
    assert late < early
    early, late = (heavy.score("human", ms) >> 24 for ms in (30.0, 100_000.0))
    assert late > 4 * early


def test_classes_are_told_apart():
    learner = Learner()
    for _ in range(256):
        learner.gap("read", 20.0)
        learner.gap("shell", 7000.0)
    # One session that mixes both is not fooled: what it waits for now decides.
    assert learner.score("read", 10.0) < learner.score("shell", 10.0)
    # A read that has taken long is not what reads are like: it may go first.
    assert learner.score("read", 60_000.0) > learner.score("shell", 10.0)


def test_ends_make_a_class_dear():
    few, many = Learner(), Learner()
    for n, learner in ((2, few), (200, many)):
        for i in range(256):
            learner.gap("answer", 1000.0 + i)
            if i < n:
                learner.end("answer")
        fit.make_tables(learner.state)
    assert many.score("answer", 20.0) > few.score("answer", 20.0)


def test_odds_by_turn_follow_the_ends():
    learner = Learner(by_turn=True)
    for i in range(1024):
        learner.gap(1, 100.0, turn=1 + i % 4)
        if i % 2:
            learner.end(1, turn=20)
    fit.make_tables(learner.state)
    odds = learner.tables().odds
    assert odds[19] > 2 * odds[0]
    assert odds[0] < 1 << 12


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 5), st.floats(1e9, 1e13))
def test_a_few_absurd_waits_change_little(count, absurd):
    clean, dirty = Learner(), Learner()
    for i in range(256):
        for learner in (clean, dirty):
            learner.gap("shell", 500.0 + i)
        if i < count:
            dirty.gap("shell", absurd)
    for learner in (clean, dirty):
        fit.make_tables(learner.state)
    for ms in (1.0, 100.0, 300.0):
        a, b = (x.state[EXACT_W + BINS + fit.wait_bin(x.state, int(ms * 16), 1)]
                for x in (clean, dirty))  # fmt: skip
        assert b == pytest.approx(a, rel=0.03 * count)


def test_a_changed_workload_is_learned():
    changed, fresh = Learner(), Learner()
    for _ in range(3000):
        changed.gap("tool", 30.0)
    for _ in range(2048):
        changed.gap("tool", 90_000.0)
        fresh.gap("tool", 90_000.0)
    at = WAITS + BINS
    old = sum(changed.state[at : at + 4]) / changed.state[RETURNS + 1]
    assert old < 0.01
    for learner in (changed, fresh):
        fit.make_tables(learner.state)
    # Once a session has waited longer than it used to, it is judged by the new waits alone.
    for b in (4, 8, 12):
        got, want = (x.state[EXACT_W + BINS + b] for x in (changed, fresh))
        assert got == pytest.approx(want, rel=0.05)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=1, max_size=600), st.sampled_from([16, 256]))
def test_constant_work_a_gap(classes, period):
    """New tables: a few while it starts, a few for each new class, then one a period."""
    learner = Learner(period=period)
    made = [learner.gap(c, 50.0) for c in classes]
    assert sum(made) == learner.updates
    starts = math.log2(period) + 1
    used = len(set(classes))
    assert learner.updates <= len(classes) / period + starts + used * starts


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 300)), min_size=20, max_size=400))
def test_memory_is_bounded(found):
    learner = Learner(memory=32)
    for c, end in found:
        learner.gap(c, float(end))
        if end % 2:
            learner.end(c)
    assert max(learner.state[RETURNS : RETURNS + CLASSES + 1]) <= 32 * ONE


def test_cold_start_is_recency():
    learner = Learner()
    ages = [0.0, 1.0, 17.0, 200.0, 201.0, 1e5, 1e6]
    scores = [learner.score("any", a) for a in ages]
    assert scores == sorted(scores)
    assert len(set(scores)) == len(ages)


def test_the_example_of_the_page_runs():
    page = Path(__file__).parents[3] / "docs" / "learning.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    names: dict = {}
    exec(code, names)
    assert names["learner"].tables().gaps == 1


def test_tools_are_numbered_as_they_come_and_share_the_last_class():
    learner = Learner()
    assert [learner.tool_class(x) for x in ("a", "b", "a", None, "")] == [1, 2, 1, 0, 0]
    assert {learner.tool_class(f"t{i}") for i in range(40)} == set(range(3, CLASSES))


@pytest.mark.parametrize("wait", [-1.0, math.nan, math.inf])
def test_faults_are_refused(wait):
    learner = Learner()
    with pytest.raises(ValueError, match="wait: got"):
        learner.gap(1, wait)
    with pytest.raises(ValueError, match=r"class: got 16, expected 0\.\.15"):
        learner.gap(16, 1.0)
    with pytest.raises(ValueError, match="turn: got 0"):
        learner.end(1, turn=0)
    with pytest.raises(ValueError, match="memory: got 0"):
        Learner(memory=0)
