"""Constrained-random streams far from any trace, each after one corner of the contract."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from tb.uvm.script import Rewrite, Script
from tb.uvm.sequences.random_events import random_tables
from tb.uvm.workload import Workload
from unison.contract import CoreEvent, EventCode, SlotState, Tier, mask
from unison.contract.widths import TICKS_PER_MS, TIME_W, TOK_W
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, FloatScorer

#: Ticks of a wait that saturates a gap average.
LONG = 20 * 60 * 1000 * TICKS_PER_MS
#: The longest step forward that the contract can tell from one back.
FARTHEST = mask(TIME_W - 1)

Step = Callable[[Random], int]
Size = Callable[[Random, EventCore, int], int]
Caps = Callable[[Random, int], tuple[int, int]]


def _small_step(rng: Random) -> int:
    return rng.choice((0, 0, 1, rng.randrange(60), rng.randrange(2000)))


def _small_size(rng: Random, core: EventCore, slot: int) -> int:
    pool = core.capacity[Tier.SRAM] + core.capacity[Tier.HBM]
    return rng.randrange(1, max(2, pool // 12))


def _edge_size(rng: Random, core: EventCore, slot: int) -> int:
    """At, just below or just above a size at which an answer changes."""
    tier = rng.choice((Tier.SRAM, Tier.HBM))
    free = core.capacity[tier] - core.used[tier]
    waiting = sum(core.slots[i].tokens for i in core.candidates(tier, slot))
    held = core.slots[slot].tokens if core.slots[slot].tier == tier else 0
    edge = rng.choice((1, free, free + held, free + held + waiting, core.capacity[tier], held))
    if rng.random() < 0.6:
        return _small_size(rng, core, slot)
    return edge + rng.choice((-1, 0, 0, 1))


def _shrink_size(rng: Random, core: EventCore, slot: int) -> int:
    held = core.slots[slot].tokens
    if held > 1 and rng.random() < 0.8:
        return rng.choice((1, held - 1, rng.randrange(1, held)))
    return 3 * _small_size(rng, core, slot)


def _any_size(rng: Random, core: EventCore, slot: int) -> int:
    top = mask(core.config.tok_w)
    return rng.choice((1, top, top - 1, rng.randrange(1, top + 1), 1 << rng.randrange(8)))


def _small_caps(rng: Random, top: int) -> tuple[int, int]:
    return min(top, rng.randrange(200, 900)), min(top, rng.randrange(200, 1800))


def _no_caps(rng: Random, top: int) -> tuple[int, int]:
    return rng.choice(((0, 0), (0, 300), (300, 0), (0, top), (1, 0), (1, 1)))


def _top_caps(rng: Random, top: int) -> tuple[int, int]:
    return rng.choice(((top, top), (top, 0), (top // 2, top), (top, 1)))


@dataclass(frozen=True)
class Profile:
    """One corner. slots: how many sessions may live; 0: as many as there are.

    again: share of REQs to a session that is ACTIVE. done, close, fault, mig: shares of DONE,
    GAP_CLOSE (else REQ) in a gap, illegal events, MIG_DONE while a migration is outstanding.
    race: MIG_DONE comes right before or after a REQ or DONE of a slot in flight.
    rewrites: every so many events, new tables and capacities between passes; 0: never.
    start: first tick.
    """

    doc: str
    step: Step = _small_step
    size: Size = _small_size
    caps: Caps = _small_caps
    slots: int = 20
    again: float = 0.0
    done: float = 0.03
    close: float = 0.5
    fault: float = 0.04
    mig: float = 0.1
    race: bool = False
    rewrites: int = 0
    start: int = 0


PROFILES: dict[str, Profile] = {
    "storm": Profile("storms of REQ", slots=0, again=0.7, close=0.1),
    "ticks": Profile("gaps of one tick", step=lambda rng: rng.randrange(2)),
    "long": Profile("20-minute gaps: averages saturate", slots=6,
                    step=lambda rng: rng.choice((0, 5, LONG, LONG + rng.randrange(9)))),
    "turns": Profile("turn counts saturate", slots=2, done=0.0005, fault=0.01, close=0.3,
                     step=lambda rng: rng.randrange(200)),
    "full": Profile("all slots live", slots=0, done=0.002, again=0.02),
    "empty": Profile("a tier, or both, without capacity", caps=_no_caps),
    "huge": Profile("largest capacities and sizes", caps=_top_caps, size=_any_size, slots=0),
    "edges": Profile("sizes at every boundary", size=_edge_size),
    "shrink": Profile("prefixes that shrink", size=_shrink_size),
    "races": Profile("MIG_DONE against REQ and DONE", race=True, mig=0.25, done=0.06),
    "wrap": Profile("time wraps, with the longest steps", start=mask(TIME_W) - 3000, slots=8,
                    step=lambda rng: rng.choice((0, 1, 40, 40, 1 << 20, FARTHEST))),
    "rewrites": Profile("tables and capacities rewritten between passes", rewrites=40),
    "faults": Profile("as many illegal events as legal ones", fault=0.5, again=0.3),
}  # fmt: skip


def script(profile: Profile, settings, count: int, seed: int) -> Script:
    """`count` events of a profile, the same for the same seed and sizes."""
    rng = Random(f"{profile.doc} {seed}")
    top = mask(settings.tok_w)
    parameters = _parameters(rng, settings)
    fixed = FixedScorer.from_tables(*parameters)
    config = CoreConfig(*profile.caps(rng, top), settings.slots, settings.tok_w,
                        tide=rng.random() < 0.9)  # fmt: skip
    mirror = EventCore(config, fixed)
    out = Script(Workload(config, fixed, FloatScorer(*parameters), []))
    for event in Generator(profile, rng, mirror).events(count):
        events = out.workload.events
        events.append(event)
        if profile.rewrites and len(events) % profile.rewrites == 0:
            out.rewrites[len(events)] = _rewrite(rng, settings, mirror, top)
    return out


def _parameters(rng: Random, settings) -> tuple:
    prior, shift = rng.randrange(1, 1 << rng.randrange(1, 25)), rng.randrange(8)
    bandwidth = rng.choice((0, 1, 0x180, 0x4000, 0xFFFF, 0xFFFF))
    return settings.form, random_tables(rng), prior, shift, bandwidth


def _rewrite(rng: Random, settings, mirror: EventCore, top: int) -> Rewrite:
    caps = []
    for tier in (Tier.SRAM, Tier.HBM):
        used = mirror.used[tier]
        caps.append(rng.choice((used, mirror.capacity[tier], min(top, used + 500), top)))
        mirror.capacity[tier] = caps[-1]
    old = mirror.scorer
    form, tables, *_ = _parameters(rng, settings)
    rest = (old.gap_prior, old.ema_shift, old.dma_bw)
    mirror.scorer = FixedScorer.from_tables(form, tables, *rest)
    return Rewrite(*caps, mirror.scorer, FloatScorer(form, tables, *rest))


class Generator:
    """Draws events of a profile; mirror: the core as it will be before the next one."""

    def __init__(self, profile: Profile, rng: Random, mirror: EventCore) -> None:
        self.p, self.rng, self.core = profile, rng, mirror
        slots = mirror.config.slots
        self.live = rng.sample(range(slots), min(profile.slots or slots, slots))
        self.now = profile.start

    def events(self, count: int) -> Iterator[CoreEvent]:
        made = 0
        while made < count:
            for event in self.propose():
                if self.core.fault(event) is None:
                    self.now = event.ts
                self.core.step(event)
                made += 1
                yield event

    def propose(self) -> list[CoreEvent]:
        """The next event, or two that belong together; the mirror has not taken them yet."""
        p, rng, core = self.p, self.rng, self.core
        now = self.now + p.step(rng)
        if rng.random() < p.fault:
            return [self._illegal(now)]
        if core.outstanding and rng.random() < p.mig:
            finished = CoreEvent(EventCode.MIG_DONE, rng.randrange(256), rng.randrange(9), now)
            flying = [i for i, s in enumerate(core.slots) if s.in_flight]
            if not (p.race and flying):
                return [finished]
            pair = [finished, self._legal(rng.choice(flying), now)]
            rng.shuffle(pair)
            return pair
        return [self._legal(rng.choice(self.live), now)]

    def _legal(self, slot: int, now: int) -> CoreEvent:
        """Legal but for the REQs that `again` asks for."""
        p, rng, core = self.p, self.rng, self.core
        state = core.slots[slot].state
        if state != SlotState.FREE and rng.random() < p.done:
            code = EventCode.DONE
        elif state == SlotState.ACTIVE:
            code = EventCode.REQ if rng.random() < p.again else EventCode.GAP_OPEN
        elif state == SlotState.GAP and rng.random() < p.close:
            code = EventCode.GAP_CLOSE
        else:
            code = EventCode.REQ
        tokens = min(max(1, p.size(rng, core, slot)), mask(core.config.tok_w))
        return CoreEvent(code, slot, tokens, now)

    def _illegal(self, now: int) -> CoreEvent:
        """Any fields; usually at fault, often by several causes."""
        rng, core = self.rng, self.core
        top = mask(core.config.tok_w)
        tokens = rng.choice((0, 1, top, min(top + 1, mask(TOK_W)), mask(TOK_W), 7))
        slot = rng.choice(self.live)
        if rng.random() < 0.1:
            slot = rng.choice((rng.randrange(256), core.config.slots & 255))
        back = rng.choice((0, 0, 1, FARTHEST, rng.randrange(1 << 20)))
        code = rng.choice((1, 2, 2, 3, 3, 4, 4, 5, rng.randrange(16)))
        return CoreEvent(code, slot, tokens, max(0, now - back))
