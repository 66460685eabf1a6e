"""The learned rules on stories: classes, admission, the other objective, and what Tide may pass."""

import numpy as np
import pytest

from tests.policies.story import DECODE, Story
from unison.contract import EventCode, RecordKind, SlotState, Tier
from unison.policies import PolicyError, policy
from unison.policies.history import QueueAwareRecency
from unison.sim.compiled import compile_score, empty_slots
from unison.sim.pool import CAND, CAP, N_CAND, REACH, USED, new_pool
from unison.sim.tide import NO_BUDGET, choose_fitting, choose_migration

#: When what is tried begins, seconds: after the learner has seen both tools.
THEN = 20_000.0


def taught():
    """Two small sessions have shown that a read takes 50 ms and a person minutes; both ended."""
    story = Story("read", "person")
    for i in range(40):
        at = 400.0 * i
        story.turn(at, 6, 1, "read").ready(at + DECODE + 0.05, 6)
        story.turn(at, 7, 1, "person").ready(at + DECODE + 200 + i, 7)
    return story.done(THEN - 2, 6).done(THEN - 1, 7)


def test_the_class_decides_where_recency_is_wrong():
    """Slot 0 was touched first, but its tool is nearly back."""
    story = taught().turn(THEN, 0, 50, "read").turn(THEN + 0.01, 1, 50, "person")
    story.turn(THEN + 0.13, 2, 50, "read")
    assert story.evicted(policy("learned-noadmit"), 100) == [1]
    assert story.evicted(policy("lru-queue"), 100) == [0]


def test_one_session_that_mixes_both_is_judged_by_what_it_waits_for():
    """The same session, with the same average, on a read or on a person."""
    for tool, victim in (("read", 1), ("person", 0)):
        story = taught().turn(THEN, 0, 50, "person").ready(THEN + 300, 0)
        story.turn(THEN + 301, 0, 50, "read").ready(THEN + 301.2, 0)
        story.turn(THEN + 302, 0, 50, tool)
        other = "person" if tool == "read" else "read"
        story.turn(THEN + 302.01, 1, 50, other).turn(THEN + 302.13, 2, 50, "read")
        assert story.evicted(policy("learned-noadmit"), 100) == [victim]


def grown(tool):
    """Slot 1 grows beyond the room that slot 0, on a read, leaves it, and waits for `tool`."""
    story = taught().turn(THEN, 0, 60, "read")
    story._add(EventCode.REQ, THEN + 0.11, 1, 30, -1)
    return story._add(EventCode.GAP_OPEN, THEN + 0.12, 1, 50, story.tools.index(tool))


def test_who_ranks_behind_all_it_would_displace_stays_out():
    records = grown("person").play(policy("learned"), 100).records
    last = records[records["kind"] != RecordKind.OUTCOME][-1]
    assert (last["kind"], last["slot"]) == (RecordKind.BYPASS, 1)
    assert grown("person").evicted(policy("learned-noadmit"), 100) == [0]


def test_who_ranks_before_another_is_admitted():
    """Slot 0 has waited for a person for long, slot 1 only begins to read."""
    story = taught().turn(THEN, 0, 60, "person")
    story._add(EventCode.REQ, THEN + 60, 1, 30, -1)
    story._add(EventCode.GAP_OPEN, THEN + 61, 1, 50, 0)
    assert story.evicted(policy("learned"), 100) == [0]


def test_requests_weigh_size():
    """Slot 1 is nearer to its return, but keeps out more sessions than slot 0 does."""
    story = taught().turn(THEN, 1, 70, "person").turn(THEN + 100, 0, 20, "person")
    story.turn(THEN + 101, 2, 30, "read")
    assert story.evicted(policy("learned-requests"), 100) == [1]
    assert story.evicted(policy("learned-noadmit"), 100) == [0]


@pytest.mark.parametrize("option", ["period=0", "memory=0", "memory=2000000", "period=soon"])
def test_options_out_of_range(option):
    with pytest.raises(PolicyError, match=r"expected 1\.\.2\*\*20"):
        policy(f"learned:{option}")


def small_pool():
    """Slot 0 waits in the fast tier; 1, too large for its place, and 2 are queued in the slow."""
    pool = new_pool(empty_slots(4), 100, 200, 0)
    rows = ((0, SlotState.GAP, Tier.SRAM, 40), (1, SlotState.READY, Tier.HBM, 80),
            (2, SlotState.READY, Tier.HBM, 30))  # fmt: skip
    for i, state, tier, kept in rows:
        s = pool.slots[i]
        s["state"], s["tier"], s["kept"], s["t_on"], s["t_open"] = state, tier, kept, i, i
        pool.n[REACH + tier] += kept
        pool.n[USED + tier] += kept
        pool.n[CAND + i] = i
    pool.n[N_CAND] = 3
    # A running session has the rest of the fast tier, but for 5 tokens.
    pool.n[USED + Tier.SRAM] = pool.n[CAP + Tier.SRAM] - 5
    return pool


def test_who_cannot_move_does_not_block_the_queue():
    score, p = compile_score(QueueAwareRecency.score), np.zeros(1)
    pool = small_pool()
    assert choose_migration(pool, NO_BUDGET, 10.0, score, p) == (-1, -1)
    assert choose_fitting(pool, NO_BUDGET, 10.0, score, p) == (2, 0)
    # Room for slot 1: it is the first of the queue.
    pool.n[USED + Tier.SRAM] -= 40
    assert choose_fitting(pool, NO_BUDGET, 10.0, score, p) == (1, 0)
    # Of sessions that wait only the first may move.
    pool = small_pool()
    pool.slots["state"][1:3] = SlotState.GAP
    pool.slots["t_open"][:3] = 0, 2, 1
    assert choose_fitting(pool, NO_BUDGET, 10.0, score, p) == (-1, -1)
