"""The pool, compiled: accounts, candidates, eviction (contract section 4).

The functions take a `Pool` and the options of a run and change the arrays in place. Every
function here has its golden counterpart in `unison.core.golden`; a test holds them equal.
"""

from typing import NamedTuple

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np

from unison.contract import RecordKind, SlotState, Tier
from unison.sim.layout import LEARN_ENTER, LEARN_EVICT

njit = numba.njit(cache=True)

NONE, SRAM, HBM = int(Tier.NONE), int(Tier.SRAM), int(Tier.HBM)
GAP, READY = int(SlotState.GAP), int(SlotState.READY)
EVICT, BYPASS, PLACE = int(RecordKind.EVICT), int(RecordKind.BYPASS), int(RecordKind.PLACE)

#: Indices of `Pool.meta`: scalars that change.
N_CAND, OUTSTANDING, DUE, MOVED_A, MOVED_B, TRACKED, SEQ, N_REC, EVENT_INDEX, HEAD, TAIL = range(11)
META = 11
#: Indices of `Pool.count`: outcomes 0..3, records 8 + kind, and:
USEFUL, ILLEGAL, EVENTS, UNTRACKED, DROPPED, TRIMMED, PARTIAL = 20, 21, 22, 23, 24, 25, 26
COUNTS = 32

#: A record as the simulator logs it; `seq` counts events, MIG_DONE included.
RECORD = np.dtype(
    [
        ("seq", "i8"),
        ("time_us", "i8"),
        ("kind", "i4"),
        ("info", "i4"),
        ("slot", "i4"),
        ("tier", "i4"),
        ("tokens", "i4"),
        ("session", "i4"),
    ]
)


class Options(NamedTuple):
    """What does not change during a run. Booleans are 0 or 1.

    integer: times and gap averages in whole ticks, as the hardware. shift, prior: of the EMA.
    bw: DMA bandwidth, raw Q8.8. trim: evict only the tail that is needed. drops: an infinite
    score is let go at once. fixed: keys change only with their session's own events.
    place: 0 no migration, 1 at GAP_OPEN, 2 at GAP_CLOSE, 3 at both. windowed: a migration must
    fit the expected gap. tracked: sessions the slot table can hold. record: log all records.
    """

    integer: int
    shift: int
    prior: float
    bw: int
    trim: int
    drops: int
    fixed: int
    place: int
    windowed: int
    tracked: int
    record: int


class Pool(NamedTuple):
    """The state of a run, arrays only.

    slots: `SLOT` rows. cap, used, reach: tokens by `Tier` (capacity, resident, of candidates).
    cand: slots of the candidates, unordered. before, after: the list by falling key that
    `fixed` orders keep, -1 at its ends. meta, count: scalars, see the indices above.
    records: `RECORD` rows, `meta[N_REC]` of them valid.
    """

    slots: np.ndarray
    cap: np.ndarray
    used: np.ndarray
    reach: np.ndarray
    cand: np.ndarray
    before: np.ndarray
    after: np.ndarray
    meta: np.ndarray
    count: np.ndarray
    records: np.ndarray


@njit
def write_record(pool, opt, time_us, kind, i, tier, tokens, info):
    """Count a record, and log it if asked to."""
    pool.count[8 + kind] += 1
    if opt.record == 0:
        return
    n = pool.meta[N_REC]
    r = pool.records[n]
    r.seq = pool.meta[SEQ]
    r.time_us = time_us
    r.kind = kind
    r.info = info
    r.slot = i
    r.tier = tier
    r.tokens = tokens
    r.session = pool.slots[i].session
    pool.meta[N_REC] = n + 1


@njit
def enter_candidates(pool, opt, i, now, score, p):
    """Slot `i` waits, is resident and not in flight: it may be evicted from now on."""
    s = pool.slots[i]
    pool.reach[s.tier] += s.kept
    n = pool.meta[N_CAND]
    pool.cand[n] = i
    s.position = n
    pool.meta[N_CAND] = n + 1
    if opt.fixed == 0:
        return
    # Insert by falling key, ties by slot; from the tail, where the most recent belong.
    key = score(s, now, p)
    s.key = key
    at = pool.meta[TAIL]
    while at >= 0 and (pool.slots[at].key < key or (pool.slots[at].key == key and at > i)):
        at = pool.before[at]
    nxt = pool.after[at] if at >= 0 else pool.meta[HEAD]
    pool.before[i] = at
    pool.after[i] = nxt
    if at >= 0:
        pool.after[at] = i
    else:
        pool.meta[HEAD] = i
    if nxt >= 0:
        pool.before[nxt] = i
    else:
        pool.meta[TAIL] = i


@njit
def leave_candidates(pool, opt, i):
    """Slot `i` is no candidate any more; nothing happens when it was none."""
    s = pool.slots[i]
    at = s.position
    if at < 0:
        return
    pool.reach[s.tier] -= s.kept
    n = pool.meta[N_CAND] - 1
    moved = pool.cand[n]
    pool.cand[at] = moved
    pool.slots[moved].position = at
    s.position = -1
    pool.meta[N_CAND] = n
    if opt.fixed == 0:
        return
    prv, nxt = pool.before[i], pool.after[i]
    if prv >= 0:
        pool.after[prv] = nxt
    else:
        pool.meta[HEAD] = nxt
    if nxt >= 0:
        pool.before[nxt] = prv
    else:
        pool.meta[TAIL] = prv


@njit
def choose_victim(pool, opt, sram, hbm, now, score, p):
    """The candidate with the largest score in the eligible tiers, ties to the lowest slot."""
    if opt.fixed == 1:
        at = pool.meta[HEAD]
        while at >= 0:
            tier = pool.slots[at].tier
            if (tier == SRAM and sram) or (tier == HBM and hbm):
                return at
            at = pool.after[at]
        return at
    best, best_key = -1, 0.0
    for j in range(pool.meta[N_CAND]):
        i = pool.cand[j]
        s = pool.slots[i]
        if (s.tier == SRAM and sram) or (s.tier == HBM and hbm):
            key = score(s, now, p)
            if best < 0 or key > best_key or (key == best_key and i < best):
                best, best_key = i, key
    return best


@njit
def let_go(pool, opt, i, time_us, now, learn, p):
    """Evict slot `i` whole; it may be no candidate."""
    s = pool.slots[i]
    write_record(pool, opt, time_us, EVICT, i, s.tier, s.kept, 0)
    learn(LEARN_EVICT, s, now, p)
    leave_candidates(pool, opt, i)
    pool.used[s.tier] -= s.kept
    s.tier = NONE
    s.kept = 0
    s.promoted = 0


@njit
def evict(pool, opt, sram, hbm, tokens, time_us, now, score, learn, p):
    """Make room for `tokens` by one victim, or by its tail when trimming."""
    i = choose_victim(pool, opt, sram, hbm, now, score, p)
    s = pool.slots[i]
    if opt.trim == 1:
        need = tokens - (pool.cap[s.tier] - pool.used[s.tier])
        if need < s.kept:
            write_record(pool, opt, time_us, EVICT, i, s.tier, need, 0)
            pool.count[TRIMMED] += 1
            s.kept -= need
            pool.used[s.tier] -= need
            pool.reach[s.tier] -= need
            return
    let_go(pool, opt, i, time_us, now, learn, p)


@njit
def find_room(pool, old, tokens):
    """The tier that takes `tokens` without an eviction: the old one, SRAM, HBM; else NONE."""
    if old == HBM and pool.cap[HBM] - pool.used[HBM] >= tokens:
        return HBM
    if pool.cap[SRAM] - pool.used[SRAM] >= tokens:
        return SRAM
    if pool.cap[HBM] - pool.used[HBM] >= tokens:
        return HBM
    return NONE


@njit
def hold(pool, opt, i, tokens, time_us, now, score, learn, p):
    """Session `i`, no candidate now, must hold `tokens` (contract section 4)."""
    s = pool.slots[i]
    old = s.tier
    pool.used[old] -= s.kept
    s.tier = NONE
    s.tokens = tokens
    s.kept = 0
    sram = pool.cap[SRAM] - pool.used[SRAM] + pool.reach[SRAM] >= tokens
    hbm = pool.cap[HBM] - pool.used[HBM] + pool.reach[HBM] >= tokens
    if not sram and not hbm:
        write_record(pool, opt, time_us, BYPASS, i, NONE, tokens, 0)
        if old != NONE:
            learn(LEARN_EVICT, s, now, p)
        return
    tier = find_room(pool, old, tokens)
    while tier == NONE:
        evict(pool, opt, sram, hbm, tokens, time_us, now, score, learn, p)
        tier = find_room(pool, old, tokens)
    s.tier = tier
    s.kept = tokens
    pool.used[tier] += tokens
    if tier != old:
        if old == NONE:
            s.t_in = now
            s.hits = 0
            learn(LEARN_ENTER, s, now, p)
        write_record(pool, opt, time_us, PLACE, i, tier, tokens, 0)


def new_pool(slots: np.ndarray, cap_sram: int, cap_hbm: int, records: int) -> Pool:
    """An empty pool over rows of `SLOT`, with room for `records` logged records."""
    n = len(slots)
    meta = np.zeros(META, np.int64)
    meta[[HEAD, TAIL, MOVED_A, MOVED_B]] = -1
    return Pool(
        slots,
        np.array([0, cap_sram, cap_hbm], np.int64),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(n, np.int64),
        np.full(n, -1, np.int64),
        np.full(n, -1, np.int64),
        meta,
        np.zeros(COUNTS, np.int64),
        np.zeros(records, RECORD),
    )
