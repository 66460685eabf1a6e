"""Every slot live, and sizes and waits of every octave, for what small pools leave untouched."""

from collections.abc import Iterator
from random import Random

import pyuvm

from tb.settings import Settings
from tb.uvm.base_test import BaseTest
from tb.uvm.workload import Workload
from unison.contract import CoreEvent, EventCode, SlotState, mask
from unison.contract.widths import TIME_W, TURN_ENTRIES, WEIGHT_ENTRIES
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, FloatScorer, Tables

EVENTS = 3000
#: What is likely next, by state: a session, once begun, mostly goes round.
_NEXT = {
    SlotState.FREE: ((EventCode.REQ, 1),),
    SlotState.ACTIVE: ((EventCode.GAP_OPEN, 12), (EventCode.DONE, 1)),
    SlotState.GAP: ((EventCode.GAP_CLOSE, 5), (EventCode.REQ, 3), (EventCode.DONE, 1)),
    SlotState.READY: ((EventCode.REQ, 6), (EventCode.DONE, 1)),
}


def _octave(rng: Random, top: int) -> int:
    """A number of at most `top` bits, each length as likely."""
    return rng.getrandbits(rng.randrange(1, top + 1))


def _events(rng: Random, mirror: EventCore, count: int) -> Iterator[CoreEvent]:
    slots, tok_w = len(mirror.slots), mirror.config.tok_w
    now = rng.getrandbits(TIME_W)
    # First every slot once, so that all are live; then at random.
    order = [*range(slots), *range(slots), *(rng.randrange(slots) for _ in range(count))]
    for slot in order:
        codes, weights = zip(*_NEXT[mirror.slots[slot].state], strict=True)
        code = rng.choices(codes, weights)[0]
        small = rng.random() < 0.7
        tokens = max(1, _octave(rng, 10 if small else tok_w))
        now += _octave(rng, 26) if rng.random() < 0.05 else _octave(rng, 12)
        event = CoreEvent(code, slot, tokens, now)
        mirror.step(event)
        yield event


def workload(settings: Settings, count: int) -> Workload:
    """Both tiers large, random tables, `count` events and two for each slot."""
    rng = Random(settings.seed)
    top = mask(settings.tok_w)
    config = CoreConfig(top // 3, top, settings.slots, settings.tok_w)
    tables = Tables(
        hazard=tuple(rng.random() * 0.99 for _ in range(TURN_ENTRIES)),
        weight_w=tuple(_octave(rng, 16) / 16 for _ in range(WEIGHT_ENTRIES)),
        weight_z=tuple(_octave(rng, 16) / 16 for _ in range(WEIGHT_ENTRIES)),
    )
    parameters = (settings.form, tables, rng.getrandbits(20), 1, mask(16))
    fixed = FixedScorer.from_tables(*parameters)
    events = list(_events(rng, EventCore(config, fixed), count))
    return Workload(config, fixed, FloatScorer(*parameters), events)


@pyuvm.test()
class SlotsTest(BaseTest):
    """All of them pass through both tiers and all states."""

    async def scenario(self) -> None:
        await self.configure(workload(self.settings, self.settings.limit or EVENTS))
        await self.stream()
        await self.conclude()
        live = sum(s.state != SlotState.FREE for s in self.env.scoreboard.golden.slots)
        assert live > self.settings.slots // 2, f"{live} of {self.settings.slots} slots live"
        self.result = {"live": live}
