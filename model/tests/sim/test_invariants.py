"""Accounts, candidates and orders hold after every event, whatever the policy and residency."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sim.random_events import event_rows, pool_of
from unison.contract import CoreEvent, EventCode, RecordKind, SlotState, Tier, ticks
from unison.core import EventCore
from unison.core.dma import DmaModel, with_migrations
from unison.core.replay import moved_tokens
from unison.core.state import CoreConfig
from unison.policies import POLICIES, placing, policy
from unison.scoring import FixedScorer, Form
from unison.sim import pool
from unison.sim.layout import EVENT
from unison.sim.simulate import EMA_SHIFT, _Simulator, simulate

FAST = sorted(n for n, cls in POLICIES.items() if not cls.interpreted)
CAPS = st.sampled_from([(0, 90), (70, 0), (60, 60), (30, 120), (120, 100), (0, 0), (150, 150)])


def check(state: pool.Pool, trim: bool) -> None:
    """Assert that the arrays of a pool agree with its slot table."""
    s, n = state.slots, state.n
    waits = (s["state"] >= SlotState.GAP) & (s["tier"] != Tier.NONE) & (s["in_flight"] == 0)
    for tier in (Tier.SRAM, Tier.HBM):
        here = s["tier"] == tier
        assert n[pool.USED + tier] == s["kept"][here].sum() <= n[pool.CAP + tier]
        assert n[pool.REACH + tier] == s["kept"][here & waits].sum()
    listed = n[pool.CAND : pool.CAND + n[pool.N_CAND]]
    assert sorted(listed) == np.flatnonzero(waits).tolist()
    assert (s["position"][listed] == np.arange(len(listed))).all()
    resident = s["tier"] != Tier.NONE
    assert (s["kept"][~resident] == 0).all()
    whole = s["kept"] == s["tokens"]
    assert (resident <= ((s["kept"] > 0) & (s["kept"] <= s["tokens"]))).all()
    assert trim or (resident <= whole).all()


def check_order(state: pool.Pool) -> None:
    """The list of a `fixed` order: all candidates, by falling key, ties by slot."""
    at, seen = state.n[pool.HEAD], []
    while at >= 0:
        seen.append(at)
        at = state.slots["after"][at]
    keys = [(-state.slots["key"][i], i) for i in seen]
    assert keys == sorted(keys)
    assert len(seen) == state.n[pool.N_CAND]


@pytest.mark.parametrize("residency", ["whole", "trim"])
@pytest.mark.parametrize("name", FAST)
@given(rows=event_rows(), caps=CAPS, placement=st.sampled_from(["none", "tide", "hint"]))
@settings(max_examples=12, deadline=None)
def test_accounts_after_every_event(name, residency, rows, caps, placement):
    trim, one = residency == "trim", policy(name)
    running = _Simulator(pool_of(*caps), one, placing(placement), trim, keep=True)

    def pieces():
        for i in range(len(rows)):
            yield rows[i : i + 1]
            check(running.pool, trim)
            if one.fixed:
                check_order(running.pool)

    totals = running.run(pieces()).totals
    assert totals.illegal == 0
    assert totals.events == len(rows)


@given(rows=event_rows(), caps=CAPS)
@settings(max_examples=60, deadline=None)
def test_trimming_never_keeps_less(rows, caps):
    """The first eviction may differ, but no trim run without evictions differs from a whole one."""
    whole = simulate(pool_of(*caps), policy("lru"), rows=rows).totals
    trimmed = simulate(pool_of(*caps), policy("lru"), residency="trim", rows=rows).totals
    assert trimmed.requests == whole.requests
    if whole.decisions["EVICT"] == 0:
        assert trimmed == whole


def test_trim_takes_the_tail():
    """Two sessions of 60 in a pool of 100: the second one costs the first its tail of 20."""
    rows = np.array(
        [
            (1, 0, 60, -1, 0, 0, 0, -1),
            (2, 0, 60, 0, 0, 0, 1000, -1),
            (1, 1, 60, -1, 1, 0, 2000, -1),
            (2, 1, 60, 0, 1, 0, 3000, -1),
            (3, 0, 0, -1, 0, 1, 4000, -1),
            (1, 0, 60, -1, 0, 1, 5000, -1),
        ],
        EVENT,
    )
    run = simulate(pool_of(100, 0), policy("lru"), residency="trim", rows=rows, keep=True)
    evicted = run.records[run.records["kind"] == RecordKind.EVICT]
    assert evicted["tokens"].tolist() == [20, 20]
    assert evicted["slot"].tolist() == [0, 1]
    assert run.requests["cached"].tolist() == [0, 0, 40]
    assert run.totals.partial == pytest.approx(1 / 3)
    assert run.totals.hit_rate == 0
    assert run.totals.extra_prefill_tokens == 20
    assert run.totals.token_hit_rate == pytest.approx(40 / 180)


@given(rows=event_rows(legal=False), caps=CAPS, tide=st.booleans())
@settings(max_examples=150, deadline=None)
def test_random_events_as_the_golden_model(rows, caps, tide):
    """Integer product score, illegal events included: the same records in the same order."""
    scenario = pool_of(*caps)
    run = simulate(
        scenario, policy("spear-hw"), placing("tide" if tide else "none"), rows=rows, keep=True
    )
    bw = scenario.envelope.dma_bw_q8
    fixed = FixedScorer.from_tables(
        Form.PRODUCT, scenario.tables, round(scenario.gap_prior), EMA_SHIFT, bw
    )
    core = EventCore(CoreConfig(*caps, scenario.slots, tide=tide), fixed)
    dma, want, illegal = DmaModel(bw), [], 0
    stream = (
        CoreEvent(EventCode(r["code"]), int(r["slot"]), int(r["tokens"]), ticks(int(r["time_us"])))
        for r in rows
    )
    for seq, event in enumerate(with_migrations(stream, dma)):
        records = core.step(event)
        if moved := moved_tokens(records):
            dma.start(event.ts, moved)
        for r in records:
            if r.kind == RecordKind.ERROR:
                illegal += 1
            else:
                want.append((seq, r.kind, r.slot, r.tier, r.tokens, r.info))
    got = run.records
    columns = (got[c].tolist() for c in ("seq", "kind", "slot", "tier", "tokens", "info"))
    assert list(zip(*columns, strict=True)) == want
    assert run.totals.illegal == illegal


@given(rows=event_rows(), caps=CAPS, size=st.integers(1, 50))
@settings(max_examples=40, deadline=None)
def test_chunks_do_not_matter(rows, caps, size):
    pieces = [rows[i : i + size] for i in range(0, len(rows), size)]
    one = simulate(pool_of(*caps), policy("spear"), placing("tide"), rows=rows)
    other = simulate(pool_of(*caps), policy("spear"), placing("tide"), rows=pieces)
    assert one.totals == other.totals


@given(rows=event_rows(), caps=CAPS, tracked=st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_fewer_rows_than_sessions(rows, caps, tracked):
    """At most `tracked` sessions have a row, residents always have one."""
    scenario = replace(pool_of(*caps), tracked=tracked)
    running = _Simulator(scenario, policy("spear"), placing("tide"), False, keep=False)

    def pieces():
        for i in range(len(rows)):
            yield rows[i : i + 1]
            s = running.pool.slots
            assert s["tracked"].sum() == running.pool.n[pool.TRACKED] <= tracked
            assert (s["tracked"][s["tier"] != Tier.NONE] == 1).all()
            check(running.pool, False)

    running.run(pieces())
