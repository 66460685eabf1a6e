"""Lifecycle rules: an absolute keep or drop for each paused session."""

import math

import numpy as np
from numba.extending import register_jitable

from unison.contract import Tier
from unison.policies.arrival import ALL, TOOL_ROWS, tool_row
from unison.policies.base import (
    DONE,
    EVICT,
    GAP_CLOSE,
    GAP_OPEN,
    INF,
    READY,
    REQ,
    TICKS_PER_S,
    Policy,
    ready_key,
)

NONE, SRAM = int(Tier.NONE), int(Tier.SRAM)


class Timeout(Policy):
    """Idle for longer than a fixed time: dropped at once; below that, recency."""

    name = "timeout"
    source = (
        "The usual keep-alive rule. Default 300 s: the lifetime of Anthropic's prompt cache and "
        "the keep-alive of Ollama, both five minutes."
    )
    drops = True

    def __init__(self, seconds: float = 300.0) -> None:
        from unison.policies.registry import PolicyError

        if not isinstance(seconds, int | float) or not seconds > 0:
            raise PolicyError(f"timeout: seconds: got {seconds!r}, expected a number above 0")
        self.seconds = seconds

    def params(self, setting):
        return np.array([self.seconds * TICKS_PER_S])

    @staticmethod
    def score(s, now, p):
        idle = now - s.t_open
        return INF if idle > p[0] else idle


#: Layout of InferCept's `p`: ticks a token to prefill, to move; size of the slow tier; tokens
#: resident by tier, at USED_AT + tier.
PREFILL, MOVE, SLOW, USED_AT = 0, 1, 2, 2


@register_jitable
def above_ready(x):
    """Any number as a positive one, in the same order: a wait ranks above every READY key."""
    return 1.0 + x if x >= 0.0 else 1.0 / (1.0 - x)


class InferCept(Policy):
    """Keep, swap or drop, whichever wastes the least memory over time."""

    name = "infercept"
    source = (
        "Abhyankar et al., ICML 2024 (min-waste). Keeping wastes own tokens * wait, the wait "
        "being estimated by the time elapsed; dropping wastes the whole pool for the time of "
        "the recomputation, swapping the fast tier for two transfers. The slow tier is the swap "
        "space: who sits there is swapped already and is never dropped at once; a session in "
        "the fast tier is, when dropping wastes least, which needs a full slow tier wherever a "
        "transfer is faster than a prefill. Forced evictions take the largest excess of keeping "
        "over dropping. No chunked recomputation, no transfer budget."
    )
    drops = True

    def params(self, setting):
        e = setting.envelope
        per_token = [TICKS_PER_S / e.prefill_rate, TICKS_PER_S / e.dma_rate]
        return np.array([*per_token, e.hbm.tokens, 0.0, 0.0])

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        fast, slow = p[USED_AT + 1], p[USED_AT + 2]
        keep = (now - s.t_on) * s.kept
        drop = s.kept * p[PREFILL] * (fast + slow)
        if s.tier == SRAM and drop < keep:
            fits = slow + s.kept <= p[SLOW]
            swap = 2.0 * s.kept * p[MOVE] * fast if fits else INF
            if drop < swap:
                return INF
        return above_ready(keep - drop)

    @staticmethod
    def learn(moment, s, now, p):
        # a0 tokens of tier a1 are counted for this slot. What moved or grew since is corrected
        # at the session's next event.
        if s.a0 > 0.0:
            p[USED_AT + int(s.a1)] -= s.a0
            s.a0 = 0.0
        if moment not in (DONE, EVICT) and s.tier != NONE:
            p[USED_AT + s.tier] += s.kept
            s.a0 = s.kept
            s.a1 = s.tier


#: Half octaves of a wait in ticks; layout of Continuum's `p`: ticks a token to prefill, 1 / pool,
#: requests that queued, time they queued, then a histogram for each tool.
BINS = 64
SHARE, QUEUED, QUEUE_TIME, HISTOGRAMS = 1, 2, 3, 4
#: Waits of a tool below which the histogram over all tools is used.
THIN = 8


class Continuum(Policy):
    """Pinned for a time to live after each turn; expired ones leave first."""

    name = "continuum"
    source = (
        "Li et al., arXiv:2511.02230. The time to live t maximizes P(wait <= t) * (reload + "
        "queueing) - t * tokens / pool: the abstract names the terms, the form is "
        "reconstructed. P is a histogram by tool in half octaves (all tools while a tool has "
        "fewer than 8 waits), queueing the mean delay of returned requests so far. Expired: by "
        "recency; pinned: the youngest program first. Reload is prefill: nothing is offloaded."
    )

    def params(self, setting):
        e = setting.envelope
        head = [TICKS_PER_S / e.prefill_rate, 1.0 / max(1, e.pool_tokens), 0.0, 0.0]
        return np.array(head + [0.0] * (BINS * TOOL_ROWS))

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        if now > s.a0:
            # Times stay below 2**36 ticks.
            return 2.0**37 + now - s.t_open
        return s.t_start

    @staticmethod
    def learn(moment, s, now, p):
        if moment == GAP_CLOSE:
            s.a1 = now
            b = min(int(2.0 * math.log2(max(s.gap, 1.0))), BINS - 1)
            p[HISTOGRAMS + BINS * tool_row(s) + b] += 1.0
            p[HISTOGRAMS + BINS * ALL + b] += 1.0
        elif moment == REQ and s.k > 1:
            p[QUEUED] += 1.0
            p[QUEUE_TIME] += now - s.a1
        elif moment == GAP_OPEN:
            s.a0 = now + time_to_live(s, p)


@register_jitable
def time_to_live(s, p):
    """The best time to live among the upper edges of the bins, ticks; 0 is not to pin."""
    at = HISTOGRAMS + BINS * tool_row(s)
    total = p[at : at + BINS].sum()
    if total < THIN:
        at = HISTOGRAMS + BINS * ALL
        total = p[at : at + BINS].sum()
    if total == 0.0:
        return 0.0
    queueing = p[QUEUE_TIME] / p[QUEUED] if p[QUEUED] > 0.0 else 0.0
    saved = s.tokens * p[0] + queueing
    best, best_worth, below = 0.0, 0.0, 0.0
    for b in range(BINS):
        below += p[at + b]
        edge = 2.0 ** ((b + 1) / 2.0)
        worth = below / total * saved - edge * s.tokens * p[SHARE]
        if worth > best_worth:
            best, best_worth = edge, worth
    return best
