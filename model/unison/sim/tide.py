"""Placement, compiled: which session moves between the tiers (contract section 5)."""

from unison.contract import RecordKind
from unison.contract.widths import BW_F
from unison.sim.pool import (
    CAND,
    CAP,
    DUE,
    HBM,
    MOVED_A,
    MOVED_B,
    N_CAND,
    OUTSTANDING,
    READY,
    SRAM,
    USED,
    enter_candidates,
    leave_candidates,
    njit_call,
    write_record,
)

PROMOTE, DEMOTE = int(RecordKind.PROMOTE), int(RecordKind.DEMOTE)
NO_BUDGET = (1 << 62) - 1


@njit_call
def soonest_slow(pool, now, score, p):
    """HBM candidate with the smallest score that the SRAM could hold; -1 when none."""
    best, best_key = -1, 0.0
    for j in range(pool.n[N_CAND]):
        i = pool.n[CAND + j]
        s = pool.slots[i]
        if s.tier == HBM and s.kept <= pool.n[CAP + SRAM]:
            key = score(s, now, p)
            if best < 0 or key < best_key or (key == best_key and i < best):
                best, best_key = i, key
    return best, best_key


@njit_call
def latest_fast(pool, now, score, p):
    """SRAM candidate with the largest score; -1 when none."""
    best, best_key = -1, 0.0
    for j in range(pool.n[N_CAND]):
        i = pool.n[CAND + j]
        s = pool.slots[i]
        if s.tier == SRAM:
            key = score(s, now, p)
            if best < 0 or key > best_key or (key == best_key and i < best):
                best, best_key = i, key
    return best, best_key


@njit_call
def choose_migration(pool, budget, now, score, p):
    """(p, q): slot to promote and slot to demote for it, -1 for none."""
    up, up_key = soonest_slow(pool, now, score, p)
    if up < 0:
        return -1, -1
    size = pool.slots[up].kept
    free = pool.n[CAP + SRAM] - pool.n[USED + SRAM]
    if size <= free and size <= budget:
        return up, -1
    down, down_key = latest_fast(pool, now, score, p)
    if down < 0 or down_key <= up_key:
        return -1, -1
    back = pool.slots[down].kept
    fits = size <= free + back and pool.n[USED + HBM] - size + back <= pool.n[CAP + HBM]
    if fits and size + back <= budget:
        return up, down
    return -1, -1


@njit_call
def choose_fitting(pool, budget, now, score, p):
    """As `choose_migration`, but of the sessions in the queue the soonest that can move.

    Only of those: a swap of two that wait is not worth the engine's time if it is not the first.
    """
    down, down_key = latest_fast(pool, now, score, p)
    free = pool.n[CAP + SRAM] - pool.n[USED + SRAM]
    back = pool.slots[down].kept if down >= 0 else 0
    best, best_key, best_down = -1, 0.0, -1
    for j in range(pool.n[N_CAND]):
        i = pool.n[CAND + j]
        s = pool.slots[i]
        size = s.kept
        if s.tier != HBM or s.state != READY or size > free + back:
            continue
        key = score(s, now, p)
        if best >= 0 and (key > best_key or (key == best_key and i > best)):
            continue
        if size <= free and size <= budget:
            best, best_key, best_down = i, key, -1
        elif (
            down >= 0
            and key < down_key
            and pool.n[USED + HBM] - size + back <= pool.n[CAP + HBM]
            and size + back <= budget
        ):
            best, best_key, best_down = i, key, down
    if best >= 0:
        return best, best_down
    return choose_migration(pool, budget, now, score, p)


@njit_call
def move(pool, opt, i, tier, time_us):
    """Slot `i` changes its tier and is in flight until MIG_DONE."""
    s = pool.slots[i]
    leave_candidates(pool, opt, i)
    pool.n[USED + s.tier] -= s.kept
    pool.n[USED + tier] += s.kept
    s.tier = tier
    s.in_flight = 1
    s.promoted = 1 if tier == SRAM else 0
    kind = PROMOTE if tier == SRAM else DEMOTE
    write_record(pool, opt, time_us, kind, i, tier, s.kept, 0)
    return s.kept


@njit_call
def migrate(pool, opt, i, ts, time_us, now, place, p):
    """One placement decision for the idle window that slot `i` has opened."""
    if pool.n[OUTSTANDING] == 1:
        return
    budget = NO_BUDGET
    if opt.windowed == 1:
        if opt.integer == 1:
            budget = (int(pool.slots[i].ghat) * opt.bw) >> BW_F
        else:
            budget = int(pool.slots[i].ghat * opt.bw / (1 << BW_F))
    if opt.fitting == 1:
        up, down = choose_fitting(pool, budget, now, place, p)
    else:
        up, down = choose_migration(pool, budget, now, place, p)
    if up < 0:
        return
    moved = 0
    if down >= 0:
        moved += move(pool, opt, down, HBM, time_us)
    moved += move(pool, opt, up, SRAM, time_us)
    pool.n[OUTSTANDING] = 1
    pool.n[MOVED_A] = up
    pool.n[MOVED_B] = down
    pool.n[DUE] = ts + max(1, -((-(moved << BW_F)) // opt.bw))


@njit_call
def land(pool, opt, i, now, score, p):
    """MIG_DONE for one of the slots that moved."""
    s = pool.slots[i]
    if s.in_flight == 0:
        return
    s.in_flight = 0
    # 2: GAP, 3: READY; an ACTIVE session becomes a candidate at its next GAP_OPEN.
    if s.tier != 0 and s.state >= 2:
        enter_candidates(pool, opt, i, now, score, p)


@njit_call
def migration_done(pool, opt, now, score, p):
    """The DMA engine is free again; what moved may be ranked again."""
    pool.n[OUTSTANDING] = 0
    for which in (MOVED_A, MOVED_B):
        i = pool.n[which]
        if i >= 0:
            land(pool, opt, i, now, score, p)
        pool.n[which] = -1
