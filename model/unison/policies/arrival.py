"""Arrival tables: the mean wait of each tool, learned while running."""

import numpy as np
from numba.extending import register_jitable

from unison.policies.base import GAP_CLOSE, READY, Policy, ready_key
from unison.sim.stream import MAX_TOOLS

#: Rows of a table by tool: 0 for no tool known, then the classes, last all of them together.
TOOL_ROWS = MAX_TOOLS + 2
ALL = TOOL_ROWS - 1


@register_jitable
def tool_row(s):
    """Row of the tool `s` waits for; where none is recorded, of the last one that was.

    A missing name means "not recorded" (unison.sim.layout). In the synthetic families it also
    happens to mark the last turn, which no policy may read as the end of the session.
    """
    return (s.tool if s.tool >= 0 else s.tool_before) + 1


class Agserve(Policy):
    """Estimated time of arrival: onset plus the mean wait of the tool, minus now."""

    name = "agserve"
    source = (
        "AGSERVE (Ren et al., 2025), by the paper's description: a latency table by tool type. "
        "Overdue arrivals are imminent, the least recent of them first to go; unseen tools take "
        "the mean over all, before any wait the prior."
    )

    def params(self, setting):
        return np.append(np.zeros(2 * TOOL_ROWS), setting.gap_prior)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        row = tool_row(s)
        if p[row] == 0.0:
            row = ALL
        mean = p[TOOL_ROWS + row] / p[row] if p[row] > 0.0 else p[-1]
        # Ages stay below 2**36 ticks: recency only breaks ties.
        return max(s.t_on + mean - now, 0.0) + (now - s.t_open) / 2.0**36

    @staticmethod
    def learn(moment, s, now, p):
        if moment == GAP_CLOSE:
            for row in (tool_row(s), ALL):
                p[row] += 1.0
                p[TOOL_ROWS + row] += s.gap
