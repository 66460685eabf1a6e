"""Spear with tables learned while it runs: what keeping a session costs for its next request."""

import numpy as np
from numba.extending import register_jitable

from unison.contract.widths import ODDS_F, SCORE_W, TIME_W, mask
from unison.learning import fit
from unison.learning.layout import CLASSES, QUEUE, RAW_ODDS, RAW_W, RAW_Z, SHIFT, SIZE
from unison.learning.learner import MEMORY, PERIOD
from unison.policies.arrival import tool_row
from unison.policies.base import DONE, GAP, GAP_CLOSE, GAP_OPEN, READY, REQ, Policy
from unison.scoring.fixed import product_score
from unison.scoring.tables import turn_index

_TIME_TOP = mask(TIME_W)
#: A key in GAP is above every key in READY.
_IN_GAP = 1 << SCORE_W
#: A raw W of 1 stands for 2**SHIFT ticks, so M for 2**SHIFT / 2**12.
_PER_WEIGHT = float(1 << ODDS_F)
_LAST_CLASS = CLASSES - 1


@register_jitable
def class_of(s):
    """4-bit class of the tool that `s` waits for, by the rule of `tool_row`."""
    return min(tool_row(s), _LAST_CLASS)


@register_jitable
def ready_rank(s, now):
    """The hardware's key of a session whose tool has returned."""
    return float(_TIME_TOP - (int(now - s.t_on) & _TIME_TOP))


@register_jitable
def weight_of(s, now, p):
    """M of a waiting session."""
    c = class_of(s)
    return fit.weight(p, c, s.k, fit.wait_bin(p, now - s.t_on, 1))


@register_jitable
def learn_from(moment, s, now, p):
    """Tell the learner of an event. a0 keeps the gap average as it was when the wait began."""
    if moment == GAP_OPEN:
        s.a0 = s.ghat
    elif moment == GAP_CLOSE:
        fit.observe(p, class_of(s), s.k, s.gap, s.a0)
    elif moment == DONE and s.state == GAP:
        fit.observe_end(p, class_of(s), s.k)
    elif moment == REQ and s.k > 1:
        fit.observe_queue(p, now - s.t_on)


class _Learning(Policy):
    """Options: turn: odds of an end also by turn; mean: mean residual life in place of the best
    horizon; period: gaps between two tables; memory: waits a class is judged by."""

    integer = True
    by_class, relative = 1, 0

    def __init__(
        self,
        turn: float = 0,
        mean: float = 0,
        period: float = PERIOD,
        memory: float = MEMORY,
    ) -> None:
        from unison.policies.registry import PolicyError

        for name, value in (("period", period), ("memory", memory)):
            if not isinstance(value, int | float) or not 1 <= value <= 1 << 20:
                raise PolicyError(f"{self.name}: {name}: got {value!r}, expected 1..2**20")
        self._options = (int(bool(mean)), int(bool(turn)), int(period), int(memory))

    def params(self, setting):
        p = np.zeros(SIZE)
        fit.start(p, self.by_class, self.relative, *self._options)
        return p

    @staticmethod
    def learn(moment, s, now, p):
        learn_from(moment, s, now, p)


class Learned(_Learning):
    """Cost of a kept session for its next request, by tool class and time waited, learned."""

    name = "learned"
    source = (
        "Ours (contract section 8): the score of the core over constant ghat, a bank of W and Z by "
        "tool class; the tables are those of `unison.learning`. A session that opens its gap "
        "and ranks behind all it would displace leaves (whole) or loses its tail (trim)."
    )
    admits = True

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_rank(s, now)
        return float(_IN_GAP + fit.class_score(weight_of(s, now, p), now - s.t_on))


class LearnedNoAdmission(_Learning):
    """The same without admission: a session that opens its gap always displaces others."""

    name = "learned-noadmit"
    source = "Ours, an ablation of `learned`: what admission at GAP_OPEN is worth."
    score = staticmethod(Learned.score)


class LearnedOneClass(_Learning):
    """The same for all tools together: only the time waited tells sessions apart."""

    name = "learned-oneclass"
    source = "Ours, an ablation of `learned`: what the tool class is worth."
    admits = True
    by_class = 0
    score = staticmethod(Learned.score)


class LearnedRelative(_Learning):
    """Bins in octaves of the session's own average: the form of contract section 8, literally."""

    name = "learned-relative"
    source = (
        "Ours, an ablation of `learned`, and what the core of today can replay: one bank of W and "
        "Z over waits divided by the session's gap average, ghat * (W[b] + o(k) * Z[b])."
    )
    by_class, relative = 0, 1

    def __init__(self, mean: float = 0, period: float = PERIOD, memory: float = MEMORY) -> None:
        super().__init__(1, mean, period, memory)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_rank(s, now)
        ghat = int(s.ghat)
        at = fit.table_row(p, 0) + fit.wait_bin(p, now - s.t_on, ghat)
        odds = int(p[RAW_ODDS + turn_index(s.k)])
        return float(_IN_GAP + product_score(ghat, int(p[RAW_W + at]), int(p[RAW_Z + at]), odds))


class LearnedRequests(_Learning):
    """The same for the other objective: requests that hit, not tokens; size weighs."""

    name = "learned-requests"
    source = (
        "Ours: `learned` times the tokens held, as GDSF weighs size. All sessions are ranked "
        "together: one that is queued is expected after the rest of the mean queueing delay, one "
        "that waits after that delay and its wait."
    )
    admits = True

    @staticmethod
    def score(s, now, p):
        queue = p[QUEUE]
        if s.state == READY:
            # A sixteenth: a session that has queued longer than usual is still not free to keep.
            return max(queue - (now - s.t_on), queue / 16.0, 1.0) * s.tokens
        unit = 2.0 ** p[SHIFT] / _PER_WEIGHT
        # The last term only breaks ties.
        waits = weight_of(s, now, p) * unit + (now - s.t_on) / 2.0**20
        return (queue + waits) * s.tokens
