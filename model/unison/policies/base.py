"""What a policy is: one score, larger leaves first.

A score sees one row `s` of the slot table (`unison.sim.layout.SLOT`), the time `now` in ticks of
1/16 ms, and the policy's own numbers `p`. It is compiled by numba when it can be; then it may
use arithmetic, `math`, and functions marked `register_jitable`.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numpy as np
from numba.extending import register_jitable

from unison.contract import EventCode, SlotState
from unison.contract.widths import TICKS_PER_MS
from unison.scoring import Tables
from unison.sim.layout import LEARN_ENTER, LEARN_EVICT
from unison.traces.envelopes import Envelope

GAP, READY = int(SlotState.GAP), int(SlotState.READY)
#: Moments of `learn`.
REQ, GAP_OPEN, GAP_CLOSE, DONE = (
    int(c) for c in (EventCode.REQ, EventCode.GAP_OPEN, EventCode.GAP_CLOSE, EventCode.DONE)
)
ENTER, EVICT = LEARN_ENTER, LEARN_EVICT
TICKS_PER_S = 1000 * TICKS_PER_MS
INF = math.inf


@dataclass(frozen=True)
class Setting:
    """What a policy may know before the first event.

    tables: hazard and elapsed weights. gap_prior: gap average before the first gap, ticks.
    tools: names of the tool classes. slots: rows of the slot table. envelope: the pool.
    """

    tables: Tables
    gap_prior: float
    tools: tuple[str, ...]
    slots: int
    envelope: Envelope


@register_jitable
def ready_key(s, now):
    """Score of a session whose tool has returned: below every wait, the last to return highest.

    A first-come queue serves the last one last (contract section 3).
    """
    return -1.0 - (now - s.t_on)


class Ranking:
    """A score with its numbers: what eviction policies and placements share.

    name: on the command line. source: publication, and what was simplified.
    """

    name: ClassVar[str] = ""
    source: ClassVar[str] = ""
    #: Runs as plain Python, called by slot number; for what numba cannot compile.
    interpreted: ClassVar[bool] = False

    def params(self, setting: Setting) -> np.ndarray:
        """The numbers `p`, float64; a fresh array, since `learn` changes it."""
        return np.zeros(1)

    @staticmethod
    def score(s: Any, now: float, p: np.ndarray) -> float:
        """Expected distance of the next reference, or any number that orders like it."""
        raise NotImplementedError


class Policy(Ranking):
    """Eviction: the waiting session with the largest score leaves first, ties to the lowest slot.

    fixed: the score changes only with the session's own events, so the order can be kept.
    drops: an infinite score is let go at once, whether or not there is room.
    admits: a session that opens its gap and ranks behind all it would displace leaves instead.
    integer: times and gap averages in whole ticks, as in the hardware; compact, with it: averages
    as a slot of the compact score holds them.
    oracle: reads `next_req`; no online policy does.
    `learn(moment, s, now, p)`, if given, is told what happens: REQ, GAP_OPEN (before the session
    may be evicted), GAP_CLOSE (`s.gap` is the wait), DONE, ENTER and EVICT.
    """

    fixed: ClassVar[bool] = False
    drops: ClassVar[bool] = False
    admits: ClassVar[bool] = False
    integer: ClassVar[bool] = False
    compact: ClassVar[bool] = False
    oracle: ClassVar[bool] = False
    learn: ClassVar[Any] = None


class Placement(Ranking):
    """Which waiting session sits in the fast tier: the smallest score is moved up.

    moment: 0 never, GAP_OPEN 1, GAP_CLOSE 2, both 3. windowed: a migration must fit the gap
    average of the session that opened its gap (contract section 5). shared: reads the eviction
    policy's ranking, numbers included, instead of one of its own. fitting: of the sessions
    in the queue the soonest that can move goes up, not only the soonest of all.
    """

    fitting: ClassVar[bool] = False
    moment: ClassVar[int] = 1
    windowed: ClassVar[bool] = True
    shared: ClassVar[bool] = False
    oracle: ClassVar[bool] = False
