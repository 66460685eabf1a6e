"""Random events for the core, legal and illegal, aimed at the corners of Spear and Tide."""

import random

from unison.contract import CoreEvent, EventCode, SlotState, mask
from unison.contract.widths import GAP_W, TIME_W, TOK_W, WEIGHT_ENTRIES
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, Form, fit_hazard
from unison.scoring.tables import Tables, elapsed_weights


def scorer(rng: random.Random, form: Form) -> FixedScorer:
    """Random registers: the default tables, arbitrary ones, or ones that make ties."""
    prior = rng.choice((0, 1, rng.randrange(1 << 10), rng.randrange(1 << GAP_W)))
    shift = rng.choice((0, 1, 2, 2, 2, 3, 7))
    bw = rng.choice((0, 64, 4096, rng.randrange(1 << 16), mask(16), mask(16)))
    weights = elapsed_weights()
    tables = Tables(fit_hazard(rng.randrange(1, 90) for _ in range(50)), weights, weights)
    base = FixedScorer.from_tables(form, tables, prior, shift, bw)
    kind = rng.randrange(3)
    if kind == 0:
        return base
    top = 255 if form.by_hazard else mask(16)
    if kind == 1:
        turn = tuple(rng.randrange(top + 1) for _ in base.turn)
        w, z = (tuple(rng.randrange(1 << 16) for _ in range(WEIGHT_ENTRIES)) for _ in "wz")
    else:
        turn = (rng.choice((0, 1, top)),) * len(base.turn)
        w = z = (rng.choice((0, 1, 16, mask(16))),) * WEIGHT_ENTRIES
    return FixedScorer(form, turn, w, z, prior, shift, bw)


class Stimulus:
    """Events for `core`, which the caller steps with each; knows it only by its public state."""

    def __init__(self, rng: random.Random, core: EventCore, busy: int) -> None:
        self.rng, self.core = rng, core
        self.slots = rng.sample(range(core.config.slots), min(busy, core.config.slots))
        self.ts = rng.choice((0, 5, mask(TIME_W) - rng.randrange(1 << 20)))
        self.pace = rng.choice((2, 50, 3000, 1 << 20))
        pool = core.config.cap_sram + core.config.cap_hbm
        self.size = max(2, pool // rng.choice((6, 20, 60)))
        self.large = rng.choice((0.02, 0.1, 0.3))
        #: Sizes nearly alike make exchanges between the tiers fit.
        self.alike = rng.random() < 0.4
        #: Sessions that grow while they decode make Spear evict at GAP_OPEN, ahead of Tide.
        self.grow = rng.choice((0.0, 0.0, 0.3))
        self.ends = rng.choice((0.0, 0.03, 0.15))
        self.engine = rng.choice((0.02, 0.12, 0.5))

    def _tokens(self) -> int:
        rng, config = self.rng, self.core.config
        if rng.random() > self.large:
            n = rng.randrange(1, self.size + 1)
            if self.alike:
                n = self.size * rng.choice((1, 1, 1, 1, 2, 3, 4)) - rng.randrange(2)
        elif rng.random() < 0.4:
            n = rng.choice((1, config.cap_sram, config.cap_hbm, config.cap_hbm + 1))
        elif rng.random() < 0.9:
            n = rng.randrange(1, max(config.cap_sram, config.cap_hbm) + 2)
        else:
            n = mask(config.tok_w)
        return min(max(n, 1), mask(config.tok_w))

    def event(self) -> CoreEvent:
        """The next event; mostly legal."""
        rng, core = self.rng, self.core
        roll = rng.random()
        if roll < 0.3:
            step = 0
        elif roll < 0.95:
            step = rng.randrange(self.pace)
        else:
            step = rng.randrange(1 << rng.randrange(1, 28))
        if rng.random() < 0.04:
            return self._illegal()
        self.ts += step
        if core.outstanding and rng.random() < self.engine:
            return CoreEvent(EventCode.MIG_DONE, rng.randrange(256), rng.randrange(5), self.ts)
        slot = rng.choice(self.slots)
        state = core.slots[slot].state
        if state != SlotState.FREE and rng.random() < self.ends:
            code = EventCode.DONE
        elif state == SlotState.FREE:
            code = EventCode.REQ
        elif state == SlotState.ACTIVE:
            code = EventCode.GAP_OPEN
        elif state == SlotState.GAP:
            code = rng.choice((EventCode.REQ, EventCode.GAP_CLOSE))
        else:
            code = EventCode.REQ
        sized = code in (EventCode.REQ, EventCode.GAP_OPEN)
        tokens = self._tokens() if sized else rng.randrange(9)
        if code == EventCode.GAP_OPEN and rng.random() < self.grow:
            tokens = core.slots[slot].tokens + self.size * rng.randrange(1, 5)
            tokens = min(tokens, mask(core.config.tok_w))
        return CoreEvent(code, slot, tokens, self.ts)

    def _illegal(self) -> CoreEvent:
        """Anything: usually at fault, by several causes at once."""
        rng = self.rng
        code = rng.choice((0, 1, 2, 3, 4, 5, 5, 6, 15))
        slot = rng.choice((rng.randrange(256), rng.choice(self.slots)))
        tokens = rng.choice((0, 0, mask(TOK_W), self._tokens()))
        ts = self.ts - rng.choice((0, 0, 1, 1000)) if self.ts else self.ts
        event = CoreEvent(code, slot, tokens, ts)
        if self.core.fault(event) is None:
            self.ts = ts
        return event


def config(rng: random.Random, slots: int, tok_w: int) -> CoreConfig:
    """Random capacities: mostly two tiers of similar size, at times nothing or everything."""
    top = mask(tok_w)
    if rng.random() < 0.7:
        sram = rng.randrange(20, min(top, 4000))
        hbm = min(top, rng.randrange(sram // 4, 2 * sram) * rng.choice((1, 1, 3)))
    else:
        sram = rng.choice((0, 40, rng.randrange(top + 1), top))
        hbm = rng.choice((0, 300, rng.randrange(top + 1), top))
    return CoreConfig(min(sram, top), min(hbm, top), slots, tok_w, tide=rng.random() < 0.85)
