"""Random event streams, legal or not, and the tables to run them with."""

import numpy as np
from hypothesis import strategies as st

from unison.contract import EventCode
from unison.sim.layout import EVENT
from unison.sim.requests import one_tier
from unison.sim.scenario import Scenario

SLOTS = 16
#: slot, code, tokens, time since the event before (us).
_STEP = st.tuples(
    st.integers(0, 7),
    st.sampled_from([1, 2, 3, 4]),
    st.integers(1, 60),
    st.sampled_from([0, 1, 40, 1000, 63_000, 5_000_000]),
)
#: What most often comes after an event of a slot, by the code before (0 none).
_USUAL = {0: 1, 1: 2, 2: 3, 3: 1, 4: 1}


@st.composite
def event_rows(draw, legal: bool = True) -> np.ndarray:
    """Rows of `EVENT` over eight slots; `legal`: only events that the slots' states allow."""
    # Long, so that pools fill, and ties and trims happen; hypothesis alone would draw short ones.
    steps = draw(st.lists(_STEP, min_size=60, max_size=140))
    before: dict[int, int] = {}
    rows, now, session = [], 0, -1
    for slot, code, tokens, pause in steps:
        last = before.get(slot, 0)
        allowed = {0: (1,), 1: (2, 4), 2: (1, 3, 4), 3: (1, 4), 4: (1,)}[last]
        if legal and code not in allowed:
            code = _USUAL[last]
        now += pause
        session += code == 1 and last in (0, 4)
        tool = tokens % 3 - 1 if code == EventCode.GAP_OPEN else -1
        rows.append((code, slot, tokens, tool, slot, 0, now, -1))
        if code in allowed:
            before[slot] = code
    return np.array(rows, EVENT)


def pool_of(sram: int, hbm: int, slots: int = SLOTS) -> Scenario:
    """A scenario of these capacities, tokens, with a slow DMA engine."""
    return one_tier(sram, slots).resized(sram, hbm)
