"""Random event streams: mostly legal, with every kind of fault among them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tb.settings import Settings
from tb.uvm.workload import Workload
from unison.contract import CoreEvent, EventCode, mask
from unison.contract.records import is_known
from unison.contract.widths import SLOT_W, TIME_W, TOK_W, TURN_ENTRIES, TURN_W, WEIGHT_ENTRIES
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, FloatScorer, Tables

#: Ticks from one turn of the old session to the next.
_OLD_WAIT = 90
#: Weight of each code among the proposals; 7 and 0 are unknown ones.
_CODES = {1: 30, 2: 30, 3: 18, 4: 4, 5: 3, 0: 1, 7: 1}


def random_tables(rng: Random) -> Tables:
    """Tables without any shape."""
    return Tables(
        hazard=tuple(rng.choice((0.0, rng.random() * 0.9)) for _ in range(TURN_ENTRIES)),
        weight_w=tuple(rng.randrange(1, 1 << 12) / 16 for _ in range(WEIGHT_ENTRIES)),
        weight_z=tuple(rng.randrange(0, 1 << 12) / 16 for _ in range(WEIGHT_ENTRIES)),
    )


def random_workload(
    settings: Settings,
    count: int,
    fault_share: float = 0.12,
    migrations: int = 3,
    times: bool = True,
    aged: bool = False,
) -> Workload:
    """A small pool under pressure, random tables, and `count` random events.

    migrations: weight of MIG_DONE, for streams that no DMA engine adds them to.
    times: False: the core stamps, so times neither leap nor go back.
    aged: slot 0 first lives through more turns than its count holds.
    """
    rng = Random(settings.seed)
    config = CoreConfig(700, 1500, settings.slots, settings.tok_w)
    tables = random_tables(rng)
    if aged:
        # What the old session's turns read; its first ones must not read the same.
        tables = replace(tables, hazard=(*[0.0] * 8, *tables.hazard[8:-1], 0.9))
    parameters = (settings.form, tables, rng.randrange(1, 2000), rng.randrange(0, 8), 0x0180)
    fixed = FixedScorer.from_tables(*parameters)
    draw = _Draw(rng, config, {**_CODES, EventCode.MIG_DONE: migrations}, times)
    mirror = EventCore(config, fixed)
    events = _old_session(mask(TIME_W) - 40 * count) if aged else []
    for event in events:
        mirror.step(event)
    events += _events(rng, mirror, count, fault_share, draw)
    return Workload(config, fixed, FloatScorer(*parameters), events)


def _old_session(end: int) -> list[CoreEvent]:
    """Turns of slot 0 beyond the saturation of its turn count, up to tick `end`.

    Its waits are real ones, so that its score rests on the turn; slot 1 then makes Tide rank it.
    """
    turns = mask(TURN_W) + 3
    events = []
    for turn in range(turns):
        now = end - (turns - turn) * _OLD_WAIT
        events.append(CoreEvent(EventCode.REQ, 0, 10, now))
        events.append(CoreEvent(EventCode.GAP_OPEN, 0, 10, now + turn % 7))
    for code in (EventCode.REQ, EventCode.GAP_OPEN):
        events.append(CoreEvent(code, 1, 10, end))
    return events


def _events(
    rng: Random, mirror: EventCore, count: int, fault_share: float, draw: "_Draw"
) -> Iterator[CoreEvent]:
    # The mirror only tells legal from illegal, so that most proposals do something.
    now = mask(TIME_W) - 40 * count
    for _ in range(count):
        faulty = rng.random() < fault_share
        for _ in range(200):
            event = draw(now)
            if faulty == (mirror.fault(event) is not None):
                break
        if mirror.fault(event) is None:
            now = event.ts
        mirror.step(event)
        yield event


@dataclass(frozen=True)
class _Draw:
    """Draws one event near tick `now`, legal or not."""

    rng: Random
    config: CoreConfig
    codes: dict[int, int]
    times: bool

    def __call__(self, now: int) -> CoreEvent:
        rng = self.rng
        code = rng.choices(list(self.codes), list(self.codes.values()))[0]
        slot = rng.randrange(min(self.config.slots, 24))
        if rng.random() < 0.02:
            slot = rng.randrange(mask(SLOT_W) + 1)
        step = self._step()
        if not is_known(code) or code == EventCode.MIG_DONE:
            step = abs(step) % 200
        return CoreEvent(code, slot, self._tokens(), max(0, now + step))

    def _tokens(self) -> int:
        rng, odd = self.rng, self.rng.random()
        if odd < 0.02:
            return 0
        if odd < 0.04:
            return rng.randrange(mask(TOK_W) + 1)
        if odd < 0.08:
            return rng.randrange(500, 2500)
        return rng.randrange(1, 240)

    def _step(self) -> int:
        rng = self.rng
        step = rng.choice((0, 0, 1, rng.randrange(60), rng.randrange(200)))
        if self.times and rng.random() < 0.002:
            return 1 << rng.randrange(20, 29)
        if self.times and rng.random() < 0.01:
            return -rng.randrange(1, 1 << 30)
        return step
