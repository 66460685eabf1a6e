"""Spear that learns its hazard while it runs (contract section 3: fitted or learned online)."""

from typing import Any

import numpy as np

from unison.contract.widths import HAZARD_W, TURN_ENTRIES, WEIGHT_ENTRIES
from unison.policies import DONE
from unison.policies.spear import Spear
from unison.scoring.tables import turn_index

#: Strength of the smoothing and highest hazard, as in `fit_hazard`.
STRENGTH = 8.0
TOP = 1 - 2.0**-HAZARD_W
# Layout of `p` behind Spear's tables: ended and reached by entry, then sessions and turns.
ENDED_AT = TURN_ENTRIES + 2 * WEIGHT_ENTRIES
REACHED_AT = ENDED_AT + TURN_ENTRIES
TOTAL_AT = REACHED_AT + TURN_ENTRIES


class OnlineSpear(Spear):
    """Spear that starts with an empty hazard table and refits it at every DONE.

    What `fit_hazard` would give for the sessions that have ended so far.
    """

    name = "spear-online"
    source = (
        "Ours: Spear with the hazard learned from the sessions that ended (contract section 3)."
    )
    score = staticmethod(Spear.score)

    def params(self, setting: Any) -> np.ndarray:
        """Spear's, with no hazard, and counts of zero."""
        tables = super().params(setting)
        tables[:TURN_ENTRIES] = 0.0
        return np.concatenate([tables, np.zeros(2 * TURN_ENTRIES + 2)])

    @staticmethod
    def learn(moment, s, now, p):
        if moment != DONE or s.k < 1:
            return
        p[ENDED_AT + turn_index(s.k)] += 1
        for k in range(1, s.k + 1):
            p[REACHED_AT + turn_index(k)] += 1
        p[TOTAL_AT] += 1
        p[TOTAL_AT + 1] += s.k
        overall = p[TOTAL_AT] / p[TOTAL_AT + 1]
        for i in range(TURN_ENTRIES):
            h = (p[ENDED_AT + i] + STRENGTH * overall) / (p[REACHED_AT + i] + STRENGTH)
            p[i] = min(TOP, h)
