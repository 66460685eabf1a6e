"""The offline bound: against brute force, a clairvoyant greedy, Bélády and the golden core."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.tests.core.streams import core
from unison.contract import CoreEvent, EventCode, SlotState, Tier
from unison.core import EventCore
from unison.core.plan import core_event, plan
from unison.core.replay import Costs, replay
from unison.scoring import Form
from unison.sim import bound_solve
from unison.sim.bound import hit_bound, read_problem
from unison.sim.bound_solve import exact_bound, lagrangian, lp_bound
from unison.sim.layout import EVENT
from unison.traces.envelopes import ENVELOPES
from unison.traces.paths import FAMILIES, open_trace
from unison.traces.serving import events

REQ, OPEN, CLOSE, DONE = EventCode.REQ, EventCode.GAP_OPEN, EventCode.GAP_CLOSE, EventCode.DONE
#: Legal codes of a slot by its state; the most usual first.
LEGAL = {
    SlotState.FREE: (REQ,),
    SlotState.ACTIVE: (*[OPEN] * 7, DONE),
    SlotState.GAP: (*[REQ] * 4, *[CLOSE] * 3, DONE),
    SlotState.READY: (*[REQ] * 7, DONE),
}
AFTER = {
    REQ: SlotState.ACTIVE,
    OPEN: SlotState.GAP,
    CLOSE: SlotState.READY,
    DONE: SlotState.FREE,
}
COSTS = Costs({Tier.SRAM: 1.0, Tier.HBM: 10.0}, 1000.0)
SIZES = st.sampled_from([1, 2, 3, 5, 8]) | st.integers(1, 12)
CAPS = st.sampled_from([0, 2, 4, 5, 7, 8, 10, 12, 16])


def table(events_):
    """`EVENT` rows of (code, slot, tokens, time)."""
    rows = np.zeros(len(events_), EVENT)
    for name, column in zip(("code", "slot", "tokens", "time_us"), range(4), strict=True):
        rows[name] = [e[column] for e in events_]
    return rows


@st.composite
def streams(draw, sizes=SIZES, slots=5, most=45):
    """Legal streams, most of them long; sizes grow and shrink, times repeat."""
    steps = st.tuples(st.integers(0, slots - 1), st.integers(0, 7), sizes, st.integers(0, 3))
    state, now, out = {}, 0, []
    lists = st.lists(steps, min_size=most * 2 // 3, max_size=most) | st.lists(steps, max_size=9)
    for slot, choice, size, wait in draw(lists):
        legal = LEGAL[state.get(slot, SlotState.FREE)]
        code, now = legal[choice % len(legal)], now + wait * 20
        state[slot] = AFTER[code]
        out.append((code, slot, size, now))
    return table(out)


def packs(sizes, sram, hbm):
    """Whether the sizes split over two tiers."""
    whole = sum(sizes)
    return any(
        (low := sum(s for s, b in zip(sizes, pick, strict=True) if b)) <= sram
        and whole - low <= hbm
        for pick in product((0, 1), repeat=len(sizes))
    )


def sizes_after(p, row, chosen):
    """Sizes of the chosen intervals after a row of the stream."""
    return [
        int(p.prompt[i] if row < p.grow[i] else p.kv[i])
        for i in chosen
        if p.start[i] <= row < p.end[i]
    ]


def brute_force(p):
    """Best weight over all choices, checked after every row."""
    last, best = int(p.end.max(initial=0)), 0
    for pick in product((0, 1), repeat=len(p.end)):
        chosen = [i for i, b in enumerate(pick) if b]
        gain = sum(int(p.weight[i]) for i in chosen)
        if gain > best and all(
            packs(sizes_after(p, row, chosen), p.cap_sram, p.cap_hbm) for row in range(last)
        ):
            best = gain
    return best


def clairvoyant(p):
    """Hits of a greedy that drops what returns last until the rest fits (Bélády with bypass)."""
    kept, hits = set(), 0
    for row in range(int(p.end.max(initial=-1)) + 1):
        ended = {i for i in kept if p.end[i] == row}
        kept, hits = kept - ended, hits + len(ended)
        kept |= {int(i) for i in np.flatnonzero(p.start == row)}
        while not packs(sizes_after(p, row, kept), p.cap_sram, p.cap_hbm):
            kept.remove(max(kept, key=lambda i: p.end[i]))
    return hits


@settings(max_examples=100, deadline=None)
@given(streams(most=32), CAPS, CAPS, st.sampled_from(["hits", "tokens"]))
def test_exact_is_the_best_choice_and_the_relaxation_is_no_less(rows, sram, hbm, weight):
    problem = read_problem(rows, sram, hbm, weight)
    assume(len(problem.end) <= 9)
    best = brute_force(problem)
    got = hit_bound(rows, sram, hbm, weight)
    assert (got.method, got.hits) == ("exact", best)
    assert lp_bound(problem.fitting()) >= best


@settings(max_examples=100, deadline=None)
@given(streams(), CAPS, CAPS)
def test_a_clairvoyant_greedy_does_not_pass_it(rows, sram, hbm):
    problem = read_problem(rows, sram, hbm)
    exact = hit_bound(rows, sram, hbm).hits
    assert clairvoyant(problem) <= exact <= lp_bound(problem.fitting())


@settings(max_examples=100, deadline=None)
@given(streams(st.just(1), slots=7, most=90), st.integers(0, 3), st.integers(0, 3))
def test_unit_sizes_give_belady_both_ways(rows, sram, hbm):
    problem = read_problem(rows, sram, hbm)
    belady = clairvoyant(problem)
    assert exact_bound(problem.fitting()) == belady
    assert lp_bound(problem.fitting()) == belady


@settings(max_examples=150, deadline=None)
@given(
    streams(most=90),
    CAPS,
    CAPS,
    st.sampled_from(Form),
    st.booleans(),
    st.booleans(),
    st.sampled_from([8, 64, 4096]),
)
def test_the_golden_core_does_not_pass_it(rows, sram, hbm, form, exact, tide, bw):
    c = core(sram, hbm, form, exact, tide, bw)
    stream = [CoreEvent(*(int(r[n]) for n in ("code", "slot", "tokens", "time_us"))) for r in rows]
    got = replay(c, stream, bw, COSTS)
    assert got.errors == 0
    problem = read_problem(rows, sram, hbm)
    bound = hit_bound(rows, sram, hbm)
    hits = got.outcomes["HIT_SRAM"] + got.outcomes["HIT_HBM"]
    assert hits <= bound.hits <= lp_bound(problem.fitting())
    assert bound.requests == got.requests
    assert bound.returning == got.requests - got.outcomes["COLD"]
    tokens = hit_bound(rows, sram, hbm, "tokens")
    assert tokens.lost <= got.extra_prefill_tokens


@settings(max_examples=100, deadline=None)
@given(streams(most=70), CAPS, CAPS, st.integers(0, 9), st.integers(0, 9))
def test_more_capacity_is_no_worse(rows, sram, hbm, more, again):
    one, two = (
        read_problem(rows, *caps).fitting() for caps in ((sram, hbm), (sram + more, hbm + again))
    )
    assert exact_bound(one) <= exact_bound(two)
    # Each is the floor of a certificate a solver's tolerance above its optimum.
    assert lp_bound(one) <= lp_bound(two) + 1


@settings(max_examples=100, deadline=None)
@given(streams(), st.sampled_from(["hits", "tokens"]))
def test_no_and_endless_capacity(rows, weight):
    assert hit_bound(rows, 0, 0, weight).hits == 0
    everything = hit_bound(rows, 0, 10**6, weight)
    assert everything.hits == everything.returning
    for caps in ((0, 0), (10**6, 0)):
        problem = read_problem(rows, *caps, weight).fitting()
        assert lp_bound(problem) == exact_bound(problem) == problem.weight.sum()


@settings(max_examples=100, deadline=None)
@given(streams(most=60), CAPS, CAPS, st.randoms(use_true_random=False))
def test_any_prices_give_a_bound(rows, sram, hbm, random):
    problem = read_problem(rows, sram, hbm).fitting()
    a, b = bound_solve._rows(problem)
    prices = np.array([random.choice([0.0, 0.3, 1.0, random.random() * 5]) for _ in b])
    assert lagrangian(problem.weight, a, b, prices) >= exact_bound(problem)


@settings(max_examples=100, deadline=None)
@given(streams(most=60), CAPS, CAPS)
def test_rows_of_the_relaxation_are_those_that_matter(rows, sram, hbm):
    """Each is one of those of all rows of the stream, and each of those that binds is covered."""
    problem = read_problem(rows, sram, hbm).fitting()
    low, high = sorted((sram, hbm))
    everything = set()
    for row in range(len(rows)):
        sizes = [sum(sizes_after(problem, row, [i])) for i in range(len(problem.end))]
        everything |= {
            (low + high, tuple(sizes)),
            (high, tuple(s if s > low else 0 for s in sizes)),
        }
    a, b = bound_solve._rows(problem)
    got = set(zip(b.tolist(), map(tuple, a.toarray().tolist()), strict=True))
    assert got <= everything
    for most, sizes in everything:
        assert sum(sizes) <= most or any(
            b <= most and all(s <= t for s, t in zip(sizes, row, strict=True)) for b, row in got
        )


def test_a_growing_session_counts_with_its_size_of_the_moment():
    """Two sessions of 6 then 9 tokens: together until one grows, so on 15 both can hit."""
    rows = table(
        [
            (REQ, 0, 6, 0),
            (OPEN, 0, 9, 1),
            (REQ, 1, 6, 1),
            (REQ, 0, 6, 1),
            (OPEN, 1, 9, 2),
            (REQ, 1, 9, 3),
        ]
    )
    for method in (exact_bound, lp_bound):
        assert [method(read_problem(rows, 0, c).fitting()) for c in (8, 9, 14, 15)] == [0, 1, 1, 2]


def test_a_session_lies_in_one_tier():
    """Two sessions of 6 tokens do not share tiers of 5 and 7, though 12 tokens are free."""
    rows = table(
        [(c, s, 6, 0) for c, s in ((REQ, 0), (OPEN, 0), (REQ, 1), (OPEN, 1), (REQ, 0), (REQ, 1))]
    )
    for method in (exact_bound, lp_bound):
        assert method(read_problem(rows, 5, 7).fitting()) == 1
        assert method(read_problem(rows, 6, 6).fitting()) == 2


@pytest.mark.parametrize(("following", "saved"), [(4, 4), (6, 6), (9, 7)])
def test_tokens_are_those_of_the_last_gap_clipped_to_the_next_prompt(following, saved):
    rows = table([(REQ, 0, 5, 0), (OPEN, 0, 7, 0), (REQ, 0, following, 1), (DONE, 0, 0, 2)])
    again = table([(REQ, 0, 5, 3), (OPEN, 0, 5, 3)])
    got = hit_bound(np.concatenate([rows, again]), 0, 9, "tokens")
    assert (got.hits, got.returning, got.rate, got.requests, got.lost) == (saved, saved, 1, 3, 0)
    none = hit_bound(rows, 6, 6, "tokens")
    assert (none.hits, none.rate, none.lost) == (0, 0, saved)


def test_no_requests_have_no_rate():
    got = hit_bound(np.empty(0, EVENT), 5, 5)
    assert (got.hits, got.requests, got.rate, got.lost) == (0, 0, None, 0)


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ([(REQ, 0, 0, 0)], "row 0: got 0 tokens"),
        ([(REQ, 0, 4, 0), (REQ, 0, 4, 0)], "row 1: got code 1 for slot 0"),
        ([(OPEN, 0, 4, 0)], "row 0: got code 2"),
        ([(REQ, 3, 4, 0), (CLOSE, 3, 0, 0)], "row 1: got code 3 for slot 3"),
        ([(DONE, 0, 0, 0)], "row 0: got code 4"),
        ([(9, 0, 4, 0)], "row 0: got code 9"),
        ([(REQ, 0, 4, 5), (OPEN, 0, 4, 4)], "row 1: got a time before"),
    ],
)
def test_a_stream_no_core_takes_is_refused(stream, message):
    with pytest.raises(ValueError, match=message):
        hit_bound(table(stream), 5, 5)


def test_bad_arguments_are_refused():
    rows = np.empty(0, EVENT)
    with pytest.raises(ValueError, match="cap_sram: got -1"):
        hit_bound(rows, -1, 5)
    with pytest.raises(ValueError, match=r"cap_hbm: got 1\.5"):
        hit_bound(rows, 1, 1.5)
    with pytest.raises(ValueError, match="weight: got 'bytes'"):
        hit_bound(rows, 1, 1, "bytes")
    with pytest.raises(ValueError, match="no column code"):
        hit_bound(np.zeros(3, [("slot", "i4"), ("tokens", "i4"), ("time_us", "i8")]), 1, 1)


@pytest.mark.parametrize("envelope", ["edge-tight", "cloud", "gpu"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_product_score_does_not_pass_it_on_a_family(family, envelope):
    trace = open_trace(family)
    setup = plan(trace, ENVELOPES[envelope])
    stream = list(events(trace, setup.load, setup.config.slots))
    core_ = EventCore(setup.config, setup.fixed())
    got = replay(core_, map(core_event, stream), setup.dma_bw, COSTS)
    rows = table([(e.code, e.slot, e.tokens, e.time_us) for e in stream])
    caps = setup.config.cap_sram, setup.config.cap_hbm
    bound = hit_bound(rows, *caps)
    assert got.outcomes["HIT_SRAM"] + got.outcomes["HIT_HBM"] <= bound.hits
    assert bound.hits <= bound.returning == got.requests - got.outcomes["COLD"]
    assert bound.method == ("lp" if envelope == "gpu" else "exact")
    if bound.method == "exact":
        assert lp_bound(read_problem(rows, *caps).fitting()) >= bound.hits
    if len(rows) < 5000:
        assert hit_bound(rows, *caps, "tokens").lost <= got.extra_prefill_tokens
