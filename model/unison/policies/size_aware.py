"""Web-cache rules that weigh size, frequency and age. None of them sees tools or the queue."""

import math

import numpy as np

from unison.contract import Tier
from unison.policies.base import DONE, ENTER, EVICT, REQ, Policy

NONE = int(Tier.NONE)


class Gdsf(Policy):
    """Greedy dual with size and frequency: small and often used prefixes stay."""

    name = "gdsf"
    source = (
        "Cherkasova, HP Labs 1998: H = L + frequency * cost / size, cost 1 (the hit-rate form), "
        "L rises to the victim's H. Frequency counts requests since entry."
    )
    fixed = True

    @staticmethod
    def score(s, now, p):
        # a0 is L as it stood at the last touch; tokens change at the session's own events only.
        return -(s.a0 + (s.hits + 1) / s.tokens)

    @staticmethod
    def learn(moment, s, now, p):
        if moment in (REQ, ENTER):
            s.a0 = p[0]
        # A bypass of a resident session (tier already NONE) replaces nobody.
        elif moment == EVICT and s.tier != NONE:
            p[0] = max(p[0], s.a0 + (s.hits + 1) / s.tokens)


class Hyperbolic(Policy):
    """Requests since entry over time since entry: the lowest rate leaves."""

    name = "hyperbolic"
    source = (
        "Blankstein, Sen and Freedman, ATC 2017, without cost classes. All candidates are ranked; "
        "the paper samples 64."
    )

    @staticmethod
    def score(s, now, p):
        # The request that brought it in counts; one tick stands for no time at all.
        return -(s.hits + 1) / max(now - s.t_in, 1.0)


class SegmentedLru(Policy):
    """Recency in two segments: what was not used since it entered leaves first."""

    name = "slru"
    source = (
        "Karedla, Love and Wherry, IEEE Computer 1994. The protected segment has no cap of its "
        "own: it may fill the pool, so that nobody is moved back to probation."
    )
    fixed = True

    @staticmethod
    def score(s, now, p):
        # Times stay below 2**36 ticks.
        return (2.0**37 if s.hits == 0 else 0.0) - s.t_open


#: Octaves of age in ticks; layout of `p` of LHD: events since the last fit, then three tables.
AGES = 40
HITS_AT, ENDS_AT, DENSITY_AT = 1, 1 + AGES, 1 + 2 * AGES
#: Hits and evictions between two fits, and what the older ones keep of their weight (published).
REFIT, KEEP = 256, 0.9


class Lhd(Policy):
    """Least hit density: expected hits per token and time left, learned by age."""

    name = "lhd"
    source = (
        "Beckmann, Chen and Cidon, NSDI 2018. One class; ages in octaves of time since the last "
        "touch; fitted every 256 hits and evictions (the paper: a million accesses), old weight "
        "0.9; all candidates are ranked instead of a sample."
    )

    def params(self, setting):
        p = np.zeros(DENSITY_AT + AGES)
        # Before the first fit the density falls with age: recency, by size.
        p[DENSITY_AT:] = 2.0 ** -np.arange(AGES)
        return p

    @staticmethod
    def score(s, now, p):
        age = min(int(math.log2(max(now - s.t_open, 1.0))), AGES - 1)
        return -p[DENSITY_AT + age] / s.tokens

    @staticmethod
    def learn(moment, s, now, p):
        if s.tier == NONE or moment not in (REQ, EVICT, DONE):
            return
        age = min(int(math.log2(max(now - s.t_open, 1.0))), AGES - 1)
        p[(HITS_AT if moment == REQ else ENDS_AT) + age] += 1.0
        p[0] += 1.0
        if p[0] < REFIT:
            return
        p[0] = 0.0
        events = hits = life = 0.0
        # From the oldest down: of what reached this age, hits to come over time left to live.
        for b in range(AGES - 1, -1, -1):
            events += p[HITS_AT + b] + p[ENDS_AT + b]
            hits += p[HITS_AT + b]
            life += events * 2.0**b
            p[DENSITY_AT + b] = hits / life if life > 0.0 else 0.0
            p[HITS_AT + b] *= KEEP
            p[ENDS_AT + b] *= KEEP
