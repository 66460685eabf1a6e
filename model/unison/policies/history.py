"""Access history: recency, insertion order, frequency."""

from unison.policies.base import READY, Policy, ready_key


class Recency(Policy):
    """Least recently used: the prefix untouched for longest leaves."""

    name = "lru"
    source = (
        "PagedAttention (Kwon et al., SOSP 2023) and SGLang's radix cache (Zheng et al., 2024). "
        "Whole sessions instead of blocks; the end of the decode is the last touch."
    )
    fixed = True

    @staticmethod
    def score(s, now, p):
        return -s.t_open


class QueueAwareRecency(Policy):
    """Recency that knows which tools have returned: those sessions leave last."""

    name = "lru-queue"
    source = (
        "Ours, an ablation: how much of a gain is the knowledge of the request queue alone "
        "(contract section 3, READY), without any ranking of the waits."
    )

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        return now - s.t_open


class Fifo(Policy):
    """First in, first out."""

    name = "fifo"
    source = "The textbook rule; by the time a session entered the pool."
    fixed = True

    @staticmethod
    def score(s, now, p):
        return -s.t_in


class Lfu(Policy):
    """Least frequently used; among equals the least recent."""

    name = "lfu"
    source = (
        "The textbook rule; counts all requests of a live session (in-cache LFU has no memory)."
    )

    @staticmethod
    def score(s, now, p):
        # Ages stay below 2**36 ticks (50 days), so a request always counts more than any age.
        return (now - s.t_open) / 2.0**36 - s.k
