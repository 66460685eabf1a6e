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

# No reference counts (nothing is allocated). Hot functions are inlined: a call would copy the
# descriptors of all arrays; the others are not, for the sake of compile time.
njit = numba.njit(cache=True, _nrt=False, inline="always")
njit_call = numba.njit(cache=True, _nrt=False)

NONE, SRAM, HBM = int(Tier.NONE), int(Tier.SRAM), int(Tier.HBM)
GAP, READY = int(SlotState.GAP), int(SlotState.READY)
EVICT, BYPASS, PLACE = int(RecordKind.EVICT), int(RecordKind.BYPASS), int(RecordKind.PLACE)

#: Indices of `Pool.n`. Tokens by `Tier`: capacity, resident, of candidates.
CAP, USED, REACH = 0, 3, 6
#: Scalars that change.
N_CAND, OUTSTANDING, DUE, MOVED_A, MOVED_B, TRACKED, SEQ, N_REC, EVENT_INDEX, HEAD, TAIL = range(
    9, 20
)
#: Counters: by outcome, by kind of record, and others.
OUTCOMES, KINDS = 20, 24
USEFUL, ILLEGAL, EVENTS, UNTRACKED, DROPPED, TRIMMED, PARTIAL = range(32, 39)
#: Requests of PARTIAL that the fast tier served.
PARTIAL_FAST = 39
#: The slots of the candidates, unordered, from here on.
CAND = 40

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

    integer: times and gap averages in whole ticks, as the hardware. compact: averages as its
    compact score holds them. shift, prior: of the EMA.
    bw: DMA bandwidth, raw Q8.8. trim: evict only the tail that is needed. drops: an infinite
    score is let go at once. learns: the policy wants to know. fixed: keys change only with
    their session's own events. place: 0 no migration, 1 at GAP_OPEN, 2 at GAP_CLOSE, 3 at both.
    windowed: a migration must fit the expected gap. tracked: sessions the slot table can hold.
    record: log all records. oracle: `next_req` is filled in; infinite for everybody else.
    admit: a session whose gap opens is a candidate for its own place. fitting: what cannot move
    does not keep others from moving.
    """

    integer: int
    compact: int
    shift: int
    prior: float
    bw: int
    trim: int
    drops: int
    learns: int
    fixed: int
    place: int
    windowed: int
    tracked: int
    record: int
    oracle: int
    admit: int
    fitting: int


class Pool(NamedTuple):
    """The state of a run: few arrays, since a compiled call copies a descriptor of each.

    slots: `SLOT` rows. n: integers, see the indices above. records: `RECORD` rows, `n[N_REC]` of
    them valid.
    """

    slots: np.ndarray
    n: np.ndarray
    records: np.ndarray


@njit
def write_record(pool, opt, time_us, kind, i, tier, tokens, info):
    """Count a record, and log it if asked to."""
    pool.n[KINDS + kind] += 1
    if opt.record == 0:
        return
    n = pool.n[N_REC]
    r = pool.records[n]
    r.seq = pool.n[SEQ]
    r.time_us = time_us
    r.kind = kind
    r.info = info
    r.slot = i
    r.tier = tier
    r.tokens = tokens
    r.session = pool.slots[i].session
    pool.n[N_REC] = n + 1


@njit
def enter_candidates(pool, opt, i, now, score, p):
    """Slot `i` waits, is resident and not in flight: it may be evicted from now on."""
    s = pool.slots[i]
    pool.n[REACH + s.tier] += s.kept
    n = pool.n[N_CAND]
    pool.n[CAND + n] = i
    s.position = n
    pool.n[N_CAND] = n + 1
    if opt.fixed == 0:
        return
    # Insert by falling key, ties by slot; from the tail, where the most recent belong.
    key = score(s, now, p)
    s.key = key
    at = pool.n[TAIL]
    while at >= 0 and (pool.slots[at].key < key or (pool.slots[at].key == key and at > i)):
        at = pool.slots[at].before
    nxt = pool.slots[at].after if at >= 0 else pool.n[HEAD]
    pool.slots[i].before = at
    pool.slots[i].after = nxt
    if at >= 0:
        pool.slots[at].after = i
    else:
        pool.n[HEAD] = i
    if nxt >= 0:
        pool.slots[nxt].before = i
    else:
        pool.n[TAIL] = i


@njit
def leave_candidates(pool, opt, i):
    """Slot `i` is no candidate any more; nothing happens when it was none."""
    s = pool.slots[i]
    at = s.position
    if at < 0:
        return
    pool.n[REACH + s.tier] -= s.kept
    n = pool.n[N_CAND] - 1
    moved = pool.n[CAND + n]
    pool.n[CAND + at] = moved
    pool.slots[moved].position = at
    s.position = -1
    pool.n[N_CAND] = n
    if opt.fixed == 0:
        return
    prv, nxt = pool.slots[i].before, pool.slots[i].after
    if prv >= 0:
        pool.slots[prv].after = nxt
    else:
        pool.n[HEAD] = nxt
    if nxt >= 0:
        pool.slots[nxt].before = prv
    else:
        pool.n[TAIL] = prv


@njit
def choose_victim(pool, opt, sram, hbm, now, score, p):
    """The candidate with the largest score in the eligible tiers, ties to the lowest slot."""
    if opt.fixed == 1:
        at = pool.n[HEAD]
        while at >= 0:
            tier = pool.slots[at].tier
            if (tier == SRAM and sram) or (tier == HBM and hbm):
                return at
            at = pool.slots[at].after
        return at
    best, best_key = -1, 0.0
    for j in range(pool.n[N_CAND]):
        i = pool.n[CAND + j]
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
    if opt.learns == 1:
        learn(LEARN_EVICT, s, now, p)
    leave_candidates(pool, opt, i)
    pool.n[USED + s.tier] -= s.kept
    s.tier = NONE
    s.kept = 0
    s.promoted = 0


@njit
def evict(pool, opt, i, tokens, time_us, now, learn, p):
    """Make room for `tokens` by the victim `i`, or by its tail when trimming."""
    s = pool.slots[i]
    if opt.trim == 1:
        need = tokens - (pool.n[CAP + s.tier] - pool.n[USED + s.tier])
        if need < s.kept:
            write_record(pool, opt, time_us, EVICT, i, s.tier, need, 0)
            pool.n[TRIMMED] += 1
            s.kept -= need
            pool.n[USED + s.tier] -= need
            pool.n[REACH + s.tier] -= need
            return
    let_go(pool, opt, i, time_us, now, learn, p)


@njit
def find_room(pool, old, tokens):
    """The tier that takes `tokens` without an eviction: the old one, SRAM, HBM; else NONE."""
    if old == HBM and pool.n[CAP + HBM] - pool.n[USED + HBM] >= tokens:
        return HBM
    if pool.n[CAP + SRAM] - pool.n[USED + SRAM] >= tokens:
        return SRAM
    if pool.n[CAP + HBM] - pool.n[USED + HBM] >= tokens:
        return HBM
    return NONE


@njit
def stay_out(pool, opt, i, old, tokens, time_us, now, learn, p):
    """Session `i` ranks behind all it would displace: it leaves, or its tail when trimming."""
    s = pool.slots[i]
    free = pool.n[CAP + old] - pool.n[USED + old]
    if opt.trim == 1 and free > 0:
        write_record(pool, opt, time_us, EVICT, i, old, tokens - free, 0)
        pool.n[TRIMMED] += 1
        s.tier = old
        s.kept = free
        pool.n[USED + old] += free
        return
    write_record(pool, opt, time_us, BYPASS, i, NONE, tokens, 0)
    if opt.learns == 1:
        learn(LEARN_EVICT, s, now, p)


@njit
def hold(pool, opt, i, tokens, time_us, now, score, learn, p):
    """Session `i`, no candidate now, must hold `tokens` (contract section 4)."""
    s = pool.slots[i]
    old = s.tier
    pool.n[USED + old] -= s.kept
    s.tier = NONE
    s.tokens = tokens
    s.kept = 0
    sram = pool.n[CAP + SRAM] - pool.n[USED + SRAM] + pool.n[REACH + SRAM] >= tokens
    hbm = pool.n[CAP + HBM] - pool.n[USED + HBM] + pool.n[REACH + HBM] >= tokens
    if not sram and not hbm:
        write_record(pool, opt, time_us, BYPASS, i, NONE, tokens, 0)
        if old != NONE and opt.learns == 1:
            learn(LEARN_EVICT, s, now, p)
        return
    tier = find_room(pool, old, tokens)
    while tier == NONE:
        victim = choose_victim(pool, opt, sram, hbm, now, score, p)
        if (
            opt.admit == 1
            and s.state == GAP
            and score(s, now, p) > score(pool.slots[victim], now, p)
        ):
            stay_out(pool, opt, i, old, tokens, time_us, now, learn, p)
            return
        evict(pool, opt, victim, tokens, time_us, now, learn, p)
        tier = find_room(pool, old, tokens)
    s.tier = tier
    s.kept = tokens
    pool.n[USED + tier] += tokens
    if tier != old:
        if old == NONE:
            s.t_in = now
            s.hits = 0
            if opt.learns == 1:
                learn(LEARN_ENTER, s, now, p)
        write_record(pool, opt, time_us, PLACE, i, tier, tokens, 0)


def new_pool(slots: np.ndarray, cap_sram: int, cap_hbm: int, records: int) -> Pool:
    """An empty pool over rows of `SLOT`, with room for `records` logged records."""
    n = np.zeros(CAND + len(slots), np.int64)
    n[CAP : CAP + 3] = 0, cap_sram, cap_hbm
    n[[HEAD, TAIL, MOVED_A, MOVED_B]] = -1
    return Pool(slots, n, np.zeros(records, RECORD))
