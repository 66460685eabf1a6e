"""Placements: which resident session sits in the fast tier."""

from unison.policies.base import READY, Placement


class Stay(Placement):
    """No migration: a session stays where it found room."""

    name = "none"
    source = "Placement at entry only."
    moment = 0

    @staticmethod
    def score(s, now, p):
        return 0.0


class Tide(Placement):
    """The soonest next reference, by the eviction policy's own ranking."""

    name = "tide"
    source = "Unison's Tide (contract section 5): the second read of one ranking."
    shared = True

    @staticmethod
    def score(s, now, p):
        return 0.0


class TideBoth(Tide):
    """Tide at every change of a waiting session, not limited to what fits the expected gap."""

    name = "tide-both"
    source = (
        "Ours: the same rule after GAP_CLOSE too, when the session that runs next is known, and "
        "without the budget of contract section 5: one migration at a time is limit enough."
    )
    moment = 3
    windowed = False


class TideFit(TideBoth):
    """Tide at every change, for the soonest session of the queue that can be moved."""

    name = "tide-fit"
    source = (
        "Ours: tide-both, except that a queued session that cannot move (too large for what "
        "would go down) does not keep the next in the queue from moving. Needs who goes down "
        "before who goes up."
    )
    fitting = True


class StaticPlan(Placement):
    """Members of the current computation first: waiting sessions are all alike."""

    name = "static"
    source = (
        "FlexGen (Sheng et al., ICML 2023): a fixed plan by membership in the computation. "
        "The linear program is left out; membership is what it conditions on."
    )
    moment = 3

    @staticmethod
    def score(s, now, p):
        return 0.0 if s.state == READY else 1.0


class SchedulerHint(Placement):
    """The job queue's order: who is queued is fetched, first the one that runs next."""

    name = "hint"
    source = (
        "CachedAttention (Gao et al., ATC 2024): look-ahead fetching by the scheduler's queue. "
        "The hint names queued jobs only; those that wait for a tool are all alike."
    )
    moment = 3

    @staticmethod
    def score(s, now, p):
        return s.t_on if s.state == READY else 1e300


class Popularity(Placement):
    """The prefix referenced most often sits in the fast tier."""

    name = "popularity"
    source = "Mooncake (Qin et al., FAST 2025): order by reuse frequency, here of one session."

    @staticmethod
    def score(s, now, p):
        return -float(s.k)


class RecentFirst(Placement):
    """The session touched last sits in the fast tier."""

    name = "recency"
    source = "Multi-level LRU, the usual rule of tiered caches."

    @staticmethod
    def score(s, now, p):
        return -s.t_open
