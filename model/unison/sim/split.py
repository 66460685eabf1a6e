"""Spear and Tide as two engines with private registers: what the paper's Table I compares.

Engine S evicts and places; it sees every event. Engine T migrates; it is told that a gap opened,
but its register file is the copy made at the last synchronization. Neither sees what the other
has decided since. The memory itself keeps the truth: a decision that does not fit it is void.
"""

from typing import NamedTuple

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np
from numba import types

from unison.contract import RecordKind
from unison.contract.widths import TICKS_PER_MS
from unison.core.plan import EMA_SHIFT
from unison.policies.base import Policy, Setting
from unison.policies.placement import Tide
from unison.sim import engine
from unison.sim.account import Ledger
from unison.sim.bind import bind
from unison.sim.compiled import EVENT_TYPE, LEARN_TYPE, PARAMS, SCORE_TYPE, empty_slots
from unison.sim.pool import (
    CAP,
    DUE,
    HBM,
    HEAD,
    MOVED_A,
    MOVED_B,
    N_CAND,
    N_REC,
    NONE,
    OUTSTANDING,
    REACH,
    SRAM,
    TAIL,
    USED,
    Options,
    Pool,
    enter_candidates,
    new_pool,
    njit_call,
)
from unison.sim.scenario import Scenario
from unison.sim.tide import migrate, migration_done

EVICT, PROMOTE, DEMOTE = int(RecordKind.EVICT), int(RecordKind.PROMOTE), int(RecordKind.DEMOTE)
GAP = engine.GAP

#: What the memory holds: one row a slot.
HELD = np.dtype([("tier", "i8"), ("kept", "i8"), ("in_flight", "i8")])
#: Void decisions, by kind: indices of `void`.
VOID_EVICT, VOID_PLACE, VOID_MOVE = 0, 1, 2


class SplitTotals(NamedTuple):
    """Outcome of a split run: hit rate, AMAT (us), and decisions that the memory refused."""

    hit_rate: float
    amat_us: float
    void_evictions: int
    void_placements: int
    void_migrations: int


@njit_call
def _drop(held, used, i):
    h = held[i]
    used[h.tier] -= h.kept
    h.tier = NONE
    h.kept = 0


@njit_call
def _apply_evictions(pool, held, used, void):
    """Evictions of engine S, on the truth; a session in flight cannot be dropped."""
    for j in range(pool.n[N_REC]):
        r = pool.records[j]
        if r.kind != EVICT:
            continue
        if held[r.slot].tier == NONE or held[r.slot].in_flight == 1:
            void[VOID_EVICT] += 1
        else:
            _drop(held, used, r.slot)


@njit_call
def _apply_hold(pool, held, used, void, i):
    """Engine S wants slot `i` to be held as its own file says; the memory does what it can."""
    s, h = pool.slots[i], held[i]
    old, want = h.tier, s.tier
    _drop(held, used, i)
    if want == NONE:
        return
    tier = NONE
    if old != NONE and pool.n[CAP + old] - used[old] >= s.kept:
        tier = old
    elif pool.n[CAP + want] - used[want] >= s.kept:
        tier = want
    if tier == NONE:
        void[VOID_PLACE] += 1
        return
    h.tier = tier
    h.kept = s.kept
    used[tier] += s.kept


@njit_call
def _movable(spear, held, i, tier):
    waits = spear.slots[i].state >= GAP
    return held[i].tier == tier and held[i].in_flight == 0 and waits


@njit_call
def _apply_moves(spear, tide, held, used, void):
    """Migrations of engine T, on the truth; all or nothing."""
    n = tide.n[N_REC]
    if n == 0:
        return
    sram, hbm = used[SRAM], used[HBM]
    fits = True
    for j in range(n):
        r = tide.records[j]
        kept = held[r.slot].kept
        if r.kind == PROMOTE:
            fits = fits and _movable(spear, held, r.slot, HBM)
            sram, hbm = sram + kept, hbm - kept
        else:
            fits = fits and _movable(spear, held, r.slot, SRAM)
            sram, hbm = sram - kept, hbm + kept
    if not fits or sram > tide.n[CAP + SRAM] or hbm > tide.n[CAP + HBM]:
        void[VOID_MOVE] += 1
        tide.n[OUTSTANDING] = 0
        tide.n[MOVED_A] = -1
        tide.n[MOVED_B] = -1
        return
    for j in range(n):
        r = tide.records[j]
        h = held[r.slot]
        h.tier = SRAM if r.kind == PROMOTE else HBM
        h.in_flight = 1
    used[SRAM] = sram
    used[HBM] = hbm


@njit_call
def _refresh(pool, opt, held, used, now, score, p):
    """Write the truth into a register file; accounts and candidates follow."""
    pool.n[N_CAND] = 0
    pool.n[HEAD] = -1
    pool.n[TAIL] = -1
    for tier in range(3):
        pool.n[USED + tier] = used[tier]
        pool.n[REACH + tier] = 0
    for i in range(len(pool.slots)):
        s, h = pool.slots[i], held[i]
        s.tier = h.tier
        s.kept = h.kept
        s.in_flight = h.in_flight
        s.position = -1
        if s.tier != NONE and s.state >= GAP and s.in_flight == 0:
            enter_candidates(pool, opt, i, now, score, p)


@njit_call
def _synchronize(spear, tide, opt, held, used, now, score, p):
    """Both files see the truth, and T gets S's registers."""
    _refresh(spear, opt, held, used, now, score, p)
    for i in range(len(tide.slots)):
        tide.slots[i] = spear.slots[i]
    _refresh(tide, opt, held, used, now, score, p)


def _run(rows, score, p, learn, opt, spear, tide, held, used, void, log, period):
    """Both engines over all `rows`, synchronized before every `period`-th event."""
    n = 0
    for e_index in range(len(rows)):
        e = rows[e_index]
        i = e.slot
        ts = e.time_us * TICKS_PER_MS // 1000
        now = (e.time_us * TICKS_PER_MS) / 1000
        if tide.n[OUTSTANDING] == 1 and tide.n[DUE] <= ts:
            for which in (MOVED_A, MOVED_B):
                if tide.n[which] >= 0:
                    held[tide.n[which]].in_flight = 0
            migration_done(tide, opt, now, score, p)
        if e_index % period == 0:
            _synchronize(spear, tide, opt, held, used, now, score, p)
        spear.n[N_REC] = 0
        tide.n[N_REC] = 0
        h = held[i]
        if e.code == engine.REQ:
            engine._request(spear, opt, e, log, n, now, score, learn, p)
            if log[n].outcome != engine.COLD:
                log[n].cached = min(h.kept, e.tokens)
                log[n].outcome = engine.MISS
                if h.tier != NONE:
                    fast = h.tier == SRAM and h.in_flight == 0
                    log[n].outcome = engine.HIT_SRAM if fast else engine.HIT_HBM
            n += 1
            _apply_evictions(spear, held, used, void)
            _apply_hold(spear, held, used, void, i)
        elif e.code == engine.GAP_OPEN:
            engine._gap_open(spear, opt, e, ts, now, score, learn, p, score, p)
            _apply_evictions(spear, held, used, void)
            if h.tier != NONE:
                # A session the memory has lost stays lost, whatever S believes.
                _apply_hold(spear, held, used, void, i)
            migrate(tide, opt, i, ts, e.time_us, now, score, p)
            _apply_moves(spear, tide, held, used, void)
        elif e.code == engine.GAP_CLOSE:
            engine._gap_close(spear, opt, e, ts, now, score, learn, p, score, p)
        else:
            engine._done(spear, opt, e, now, learn, p)
            _drop(held, used, i)
            h.in_flight = 0
    return n


_POOL = numba.typeof(new_pool(empty_slots(1), 0, 0, 0))
_I64 = types.int64[::1]
run = numba.njit(
    types.int64(
        EVENT_TYPE[::1],
        SCORE_TYPE,
        PARAMS,
        LEARN_TYPE,
        numba.typeof(engine._OPTIONS),
        _POOL,
        _POOL,
        numba.from_dtype(HELD)[::1],
        _I64,
        _I64,
        numba.from_dtype(engine.REQUEST)[::1],
        types.int64,
    ),
    cache=True,
    _nrt=False,
)(_run)


def simulate_split(scenario: Scenario, policy: Policy, period: int) -> SplitTotals:
    """Replay a scenario with split engines, synchronized every `period` events.

    ValueError when `period` is below 1.
    """
    if period < 1:
        raise ValueError(f"period: got {period}, expected at least 1 event")
    e, n = scenario.envelope, scenario.slots
    setting = Setting(scenario.tables, scenario.gap_prior, scenario.tools.names, n, e)
    spear, tide = (_file(n, e.sram.tokens, e.hbm.tokens) for _ in range(2))
    b = bind(policy, Tide(), setting, spear.slots)
    options = Options(
        integer=0, compact=0, shift=EMA_SHIFT, prior=float(scenario.gap_prior), bw=e.dma_bw_q8,
        trim=0, drops=0, learns=0, fixed=0, place=0, windowed=1, tracked=n, record=1,
        oracle=0, admit=0, fitting=0,
    )  # fmt: skip
    held, used, void = np.zeros(n, HELD), np.zeros(3, np.int64), np.zeros(3, np.int64)
    log = np.zeros(scenario.trace.header.turns, engine.REQUEST)
    args = (options, spear, tide, held, used, void, log, period)
    requests = run(scenario.rows, b.score, b.p, b.learn, *args)
    b.check()
    ledger = Ledger(e)
    ledger.add(log[:requests])
    hits = int((log["outcome"][:requests] >= engine.HIT_SRAM).sum())
    return SplitTotals(hits / requests, ledger.access_ns / 1000 / requests, *(int(v) for v in void))


def _file(slots: int, sram: int, hbm: int) -> Pool:
    return new_pool(empty_slots(slots), sram, hbm, 2 * slots + 8)
