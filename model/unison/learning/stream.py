"""From a stream of events to the tables a driver writes into the core, and when."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unison.contract import EventCode, SlotState
from unison.contract.widths import TICKS_PER_MS, TURN_W, mask
from unison.learning import fit
from unison.learning.layout import CLASSES, SIZE
from unison.learning.learner import MEMORY, PERIOD, LearnedTables, raw_tables
from unison.scoring.fixed import gap_average

_TURN_TOP = mask(TURN_W)


@dataclass(frozen=True)
class Update:
    """After event number `event` (from 0) the tables are `tables`."""

    event: int
    tables: LearnedTables


@dataclass
class _Slot:
    state: SlotState = SlotState.FREE
    k: int = 0
    onset: int = 0
    tool: int = -1
    tool_before: int = -1
    ghat: int = 0
    seen: bool = False
    before: int = 0

    def tool_class(self) -> int:
        """A tool that was not recorded is taken for the one before it; 0 for none at all."""
        return min((self.tool if self.tool >= 0 else self.tool_before) + 1, CLASSES - 1)


def updates(
    rows: np.ndarray,
    prior: int,
    relative: bool = False,
    by_turn: bool = False,
    period: int = PERIOD,
    memory: int = MEMORY,
    shift: int = 2,
) -> Iterator[Update]:
    """Tables as they change, first those of the cold start (event -1).

    rows: events of a trace, `unison.sim.layout.EVENT`. relative: waits over the slot's gap average,
    one bank for all classes, ends by turn: what a core without classes can use. prior, shift: of
    that average.
    """
    p = [0] * SIZE
    fit.start(p, int(not relative), int(relative), 0, int(by_turn or relative), period, memory)
    yield Update(-1, raw_tables(p))
    slots: dict[int, _Slot] = {}
    for n, e in enumerate(rows):
        s = slots.setdefault(int(e["slot"]), _Slot(ghat=prior))
        code, now = int(e["code"]), int(e["time_us"]) * TICKS_PER_MS // 1000
        if code == EventCode.DONE:
            if s.state == SlotState.GAP:
                fit.observe_end(p, s.tool_class(), s.k)
            del slots[int(e["slot"])]
        elif code == EventCode.GAP_OPEN:
            s.state, s.onset, s.before = SlotState.GAP, now, s.ghat
            s.tool_before, s.tool = s.tool, int(e["tool"])
        else:
            if s.state == SlotState.GAP:
                wait = now - s.onset
                s.ghat, s.seen = gap_average(s.ghat, wait, s.seen, shift), True
                if fit.observe(p, s.tool_class(), s.k, wait, s.before):
                    yield Update(n, raw_tables(p))
            if code == EventCode.REQ:
                s.state, s.k = SlotState.ACTIVE, min(s.k + 1, _TURN_TOP)
            else:
                s.state = SlotState.READY
