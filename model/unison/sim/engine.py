"""The event loop of the simulator, compiled (contract sections 2 to 5).

`run` takes a chunk of events and can be called again with the next; all state is in the `Pool`.
A policy's functions come in as function pointers, so that the loop is compiled once for all.
"""

import math

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np
from numba import types

from unison.contract import EventCode, Outcome, RecordKind, SlotState
from unison.contract.widths import GAP_W, TICKS_PER_MS, TURN_W, mask
from unison.scoring.fixed import compact_gap, gap_average
from unison.scoring.float64 import float_average
from unison.sim.compiled import EVENT_TYPE, LEARN_TYPE, PARAMS, SCORE_TYPE, empty_slots
from unison.sim.pool import (
    CAND,
    DROPPED,
    DUE,
    EVENT_INDEX,
    EVENTS,
    ILLEGAL,
    N_CAND,
    N_REC,
    NONE,
    OUTCOMES,
    OUTSTANDING,
    PARTIAL,
    PARTIAL_FAST,
    SEQ,
    SRAM,
    TRACKED,
    UNTRACKED,
    USED,
    USEFUL,
    Options,
    enter_candidates,
    hold,
    leave_candidates,
    let_go,
    new_pool,
    njit,
    njit_call,
    write_record,
)
from unison.sim.tide import migrate, migration_done

REQ, GAP_OPEN, GAP_CLOSE = int(EventCode.REQ), int(EventCode.GAP_OPEN), int(EventCode.GAP_CLOSE)
DONE = int(EventCode.DONE)
FREE, ACTIVE, GAP, READY = (int(s) for s in SlotState)
COLD, MISS, HIT_SRAM, HIT_HBM = (int(o) for o in Outcome)
OUTCOME = int(RecordKind.OUTCOME)
TURN_TOP, GAP_TOP = mask(TURN_W), mask(GAP_W)

#: What a request found: `before`, the tokens of its prefix that were computed before, and
#: `cached`, those of them that were resident.
REQUEST = np.dtype(
    [
        ("time_us", "i8"),
        ("session", "i4"),
        ("turn", "i4"),
        ("tokens", "i4"),
        ("before", "i4"),
        ("cached", "i4"),
        ("outcome", "i4"),
    ]
)


@njit
def _free_slot(s):
    s.state = FREE
    s.tier = NONE
    s.tokens = 0
    s.kept = 0
    s.k = 0
    s.seen = 0
    s.in_flight = 0
    s.promoted = 0
    s.tracked = 0
    s.tool = -1
    s.tool_before = -1
    s.hits = 0


@njit
def _close_gap(s, opt, now, learn, p):
    gap = now - s.t_on
    s.gap = gap
    if opt.integer == 1:
        s.ghat = gap_average(int(s.ghat), int(gap), s.seen == 1, opt.shift)
        if opt.compact == 1:
            s.ghat = compact_gap(int(s.ghat))
    else:
        s.ghat = float_average(s.ghat, gap, s.seen == 1, opt.shift)
    s.seen = 1
    if opt.learns == 1:
        learn(GAP_CLOSE, s, now, p)


@njit
def _forget(s, opt):
    """A session the table has no history of."""
    s.k = 0
    s.seen = 0
    s.ghat = opt.prior


@njit_call
def _track(pool, opt, i):
    """True when slot `i` has, or gets, a row of the slot table.

    A row is taken from the non-resident waiting session whose gap opened first; a resident
    one never loses its row.
    """
    if pool.slots[i].tracked == 1:
        return True
    if pool.n[TRACKED] >= opt.tracked:
        oldest = -1
        for j in range(len(pool.slots)):
            s = pool.slots[j]
            idle = s.state >= GAP and s.tier == NONE and s.tracked == 1
            if idle and (oldest < 0 or s.t_open < pool.slots[oldest].t_open):
                oldest = j
        if oldest < 0:
            return False
        pool.slots[oldest].tracked = 0
        pool.n[TRACKED] -= 1
    pool.n[TRACKED] += 1
    pool.slots[i].tracked = 1
    _forget(pool.slots[i], opt)
    return True


@njit
def _request(pool, opt, e, log, n, now, score, learn, p):
    i = e.slot
    s = pool.slots[i]
    leave_candidates(pool, opt, i)
    if s.state == GAP:
        _close_gap(s, opt, now, learn, p)
    outcome = MISS
    if s.state == FREE:
        outcome = COLD
        s.session = e.session
        s.t_start = now
        s.tokens = 0
    elif s.tier != NONE:
        outcome = HIT_HBM if s.tier != SRAM or s.in_flight == 1 else HIT_SRAM
    r = log[n]
    r.time_us = e.time_us
    r.session = e.session
    r.turn = e.turn
    r.tokens = e.tokens
    r.before = min(s.tokens, e.tokens)
    r.cached = min(s.kept, e.tokens)
    r.outcome = outcome
    pool.n[OUTCOMES + outcome] += 1
    if s.tier != NONE and s.kept < s.tokens:
        pool.n[PARTIAL] += 1
        pool.n[PARTIAL_FAST] += outcome == HIT_SRAM
    if outcome == HIT_SRAM and s.promoted == 1:
        pool.n[USEFUL] += 1
    s.promoted = 0
    s.state = ACTIVE
    if not _track(pool, opt, i):
        pool.n[UNTRACKED] += 1
        s.tokens = e.tokens
        return
    write_record(pool, opt, e.time_us, OUTCOME, i, s.tier, e.tokens, outcome)
    s.k = min(s.k + 1, TURN_TOP)
    s.hits += 1
    s.t_req = now
    if opt.learns == 1:
        learn(REQ, s, now, p)
    hold(pool, opt, i, e.tokens, e.time_us, now, score, learn, p)


@njit
def _gap_open(pool, opt, e, ts, now, score, learn, p, place, pp):
    i = e.slot
    s = pool.slots[i]
    s.state = GAP
    s.t_on = now
    s.t_open = now
    s.tool_before = s.tool
    s.tool = e.tool
    if s.tracked == 0:
        s.tokens = e.tokens
        return
    if opt.learns == 1:
        learn(GAP_OPEN, s, now, p)
    if s.tier == NONE:
        s.tokens = e.tokens
    else:
        hold(pool, opt, i, e.tokens, e.time_us, now, score, learn, p)
        if s.tier != NONE and s.in_flight == 0:
            enter_candidates(pool, opt, i, now, score, p)
    if opt.place & 1:
        migrate(pool, opt, i, ts, e.time_us, now, place, pp)


@njit_call
def _gap_close(pool, opt, e, ts, now, score, learn, p, place, pp):
    i = e.slot
    s = pool.slots[i]
    _close_gap(s, opt, now, learn, p)
    s.state = READY
    s.t_on = now
    if opt.fixed == 1 and s.position >= 0:
        leave_candidates(pool, opt, i)
        enter_candidates(pool, opt, i, now, score, p)
    if opt.place & 2 and s.tracked == 1:
        migrate(pool, opt, i, ts, e.time_us, now, place, pp)


@njit_call
def _done(pool, opt, e, now, learn, p):
    i = e.slot
    s = pool.slots[i]
    if opt.learns == 1:
        learn(DONE, s, now, p)
    leave_candidates(pool, opt, i)
    pool.n[USED + s.tier] -= s.kept
    pool.n[TRACKED] -= s.tracked
    _free_slot(s)


@njit_call
def _sweep(pool, opt, time_us, now, score, learn, p):
    """Let go of every candidate whose score is infinite."""
    j = 0
    while j < pool.n[N_CAND]:
        i = pool.n[CAND + j]
        if score(pool.slots[i], now, p) == math.inf:
            pool.n[DROPPED] += 1
            let_go(pool, opt, i, time_us, now, learn, p)
        else:
            j += 1


@njit
def _legal(code, state):
    if code == REQ:
        return state != ACTIVE
    if code == GAP_OPEN:
        return state == ACTIVE
    if code == GAP_CLOSE:
        return state == GAP
    return code == DONE and state != FREE


def _run(rows, score, p, learn, place, pp, opt, pool, log):
    """Process `rows` from `n[EVENT_INDEX]` on; returns the number of requests logged.

    Stops early, with EVENT_INDEX at the next event, when the record buffer might overflow.
    An event that its slot's state does not allow changes nothing and is counted.
    """
    n = 0
    e_index = pool.n[EVENT_INDEX]
    margin = 2 * len(pool.slots) + 8
    while e_index < len(rows):
        if opt.record == 1 and pool.n[N_REC] + margin > len(pool.records):
            break
        e = rows[e_index]
        e_index += 1
        ts = e.time_us * TICKS_PER_MS // 1000
        now = float(ts) if opt.integer == 1 else (e.time_us * TICKS_PER_MS) / 1000
        if pool.n[OUTSTANDING] == 1 and pool.n[DUE] <= ts:
            migration_done(pool, opt, now, score, p)
            pool.n[SEQ] += 1
        if opt.drops == 1:
            _sweep(pool, opt, e.time_us, now, score, learn, p)
        s = pool.slots[e.slot]
        if _legal(e.code, s.state):
            s.next_req = math.inf
            if opt.oracle == 1 and e.next_us >= 0:
                s.next_req = (e.next_us * TICKS_PER_MS) / 1000
            if e.code == REQ:
                _request(pool, opt, e, log, n, now, score, learn, p)
                n += 1
            elif e.code == GAP_OPEN:
                _gap_open(pool, opt, e, ts, now, score, learn, p, place, pp)
            elif e.code == GAP_CLOSE:
                _gap_close(pool, opt, e, ts, now, score, learn, p, place, pp)
            else:
                _done(pool, opt, e, now, learn, p)
        else:
            pool.n[ILLEGAL] += 1
        pool.n[SEQ] += 1
    pool.n[EVENTS] += e_index - pool.n[EVENT_INDEX]
    pool.n[EVENT_INDEX] = e_index
    return n


_OPTIONS = Options(0, 0, 2, 1.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

run = numba.njit(
    types.int64(
        EVENT_TYPE[::1],
        SCORE_TYPE,
        PARAMS,
        LEARN_TYPE,
        SCORE_TYPE,
        PARAMS,
        numba.typeof(_OPTIONS),
        numba.typeof(new_pool(empty_slots(1), 0, 0, 0)),
        numba.from_dtype(REQUEST)[::1],
    ),
    cache=True,
    _nrt=False,
)(_run)
