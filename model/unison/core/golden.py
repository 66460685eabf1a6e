"""The golden event core: events in, records out, pure and deterministic (contract 2-5, 9).

One class for both arithmetics: the scorer alone decides what times, gap averages and keys
are made of.
"""

from collections.abc import Iterator

from unison.contract import (
    Cause,
    CoreEvent,
    EventCode,
    Outcome,
    Record,
    RecordKind,
    SlotState,
    Tier,
    mask,
)
from unison.contract.records import is_known
from unison.contract.widths import SEQ_W, TIME_W, TURN_W
from unison.core.state import CoreConfig, Counters, Slot, TideEnd, TideNote
from unison.scoring import Scorer

TIERS = (Tier.SRAM, Tier.HBM)


class EventCore:
    """The contract's core. `step` takes one event and returns its records in order.

    Public state, read by scoreboard and tests: `slots`, `used` (tokens by tier), `capacity`,
    `outstanding` (a migration is under way), `counters`, and `choices`: for each EVICT of the
    last event, in order, the candidates of the eligible tiers it was chosen from; `tide`: what
    Tide came to in the last event, None when it was not asked.
    """

    def __init__(self, config: CoreConfig, scorer: Scorer) -> None:
        self.config = config
        self.scorer = scorer
        self.slots = [Slot() for _ in range(config.slots)]
        self.capacity = {Tier.SRAM: config.cap_sram, Tier.HBM: config.cap_hbm}
        self.used = {Tier.SRAM: 0, Tier.HBM: 0}
        self.outstanding = False
        self.counters = Counters()
        self.choices: list[tuple[int, ...]] = []
        self.tide: TideNote | None = None
        self._last_ts: int | None = None
        self._seq = 0
        self._now: float = 0
        self._records: list[Record] = []

    def step(self, event: CoreEvent) -> list[Record]:
        """Process one event. An illegal one yields a single ERROR record and no change."""
        self._records, self.choices, self.tide = [], [], None
        cause = self.fault(event)
        if cause is not None:
            self._record(RecordKind.ERROR, event.slot, Tier.NONE, event.tokens, cause)
            self.counters.errors[cause] += 1
        else:
            self._last_ts = event.ts & mask(TIME_W)
            self._now = self.scorer.stamp(event)
            if event.code == EventCode.MIG_DONE:
                self._migration_done()
            else:
                _HANDLERS[event.code](self, event.slot, event.tokens)
        self.counters.events += 1
        self._seq = (self._seq + 1) & mask(SEQ_W)
        return self._records

    def fault(self, event: CoreEvent) -> Cause | None:
        """First fault of an event in the contract's order, or None."""
        if not is_known(event.code):
            return Cause.UNKNOWN_CODE
        migration = event.code == EventCode.MIG_DONE
        if not migration and event.slot >= self.config.slots:
            return Cause.BAD_SLOT
        if self._last_ts is not None:
            step = (event.ts - self._last_ts) & mask(TIME_W)
            if step >> (TIME_W - 1):
                return Cause.TIME_BACK
        if migration:
            return None if self.outstanding else Cause.MIG_NOT_OUTSTANDING
        if event.code in (EventCode.REQ, EventCode.GAP_OPEN):
            if event.tokens == 0:
                return Cause.TOKENS_ZERO
            if event.tokens > mask(self.config.tok_w):
                return Cause.TOKENS_OVER
        return self._state_fault(event.code, self.slots[event.slot].state)

    @staticmethod
    def _state_fault(code: int, state: SlotState) -> Cause | None:
        if code == EventCode.REQ:
            return Cause.REQ_ACTIVE if state == SlotState.ACTIVE else None
        if state == SlotState.FREE:
            return Cause.SLOT_FREE
        if code == EventCode.GAP_OPEN and state != SlotState.ACTIVE:
            return Cause.OPEN_NOT_ACTIVE
        if code == EventCode.GAP_CLOSE and state != SlotState.GAP:
            return Cause.CLOSE_NOT_GAP
        return None

    def key(self, slot: int) -> tuple[int, float]:
        """Ranking key of a slot in GAP or READY at the time of the last legal event."""
        s = self.slots[slot]
        waited = self.scorer.elapsed(self._now, s.t_on)
        if s.state == SlotState.READY:
            return self.scorer.ready_key(waited)
        return self.scorer.gap_key(s.ghat, s.k, waited)

    def candidates(self, tier: Tier, without: int | None = None) -> Iterator[int]:
        """Slots of a tier that may leave it, lowest first, except `without`."""
        for i, s in enumerate(self.slots):
            if s.tier == tier and i != without and s.candidate:
                yield i

    def _record(self, kind: RecordKind, slot: int, tier: Tier, tokens: int, info: int = 0) -> None:
        self._records.append(Record(kind, slot, tier, tokens, int(info), self._seq))
        self.counters.records[kind] += 1

    # Events.

    def _close_gap(self, slot: int) -> None:
        s = self.slots[slot]
        s.ghat = self.scorer.update(s.ghat, self.scorer.elapsed(self._now, s.t_on), s.seen)
        s.seen = True

    def _request(self, slot: int, tokens: int) -> None:
        s = self.slots[slot]
        cold = s.state == SlotState.FREE
        if s.state == SlotState.GAP:
            self._close_gap(slot)
        if cold:
            outcome = Outcome.COLD
            s.k, s.ghat, s.seen = 0, self.scorer.prior(), False
        elif s.tier == Tier.NONE:
            outcome = Outcome.MISS
        elif s.tier == Tier.HBM or s.in_flight:
            outcome = Outcome.HIT_HBM
        else:
            outcome = Outcome.HIT_SRAM
        self._record(RecordKind.OUTCOME, slot, s.tier, tokens, outcome)
        self.counters.outcomes[outcome] += 1
        s.k = min(s.k + 1, mask(TURN_W))
        s.state = SlotState.ACTIVE
        self._hold(slot, tokens)

    def _gap_open(self, slot: int, tokens: int) -> None:
        s = self.slots[slot]
        s.state, s.t_on = SlotState.GAP, self._now
        if s.tier == Tier.NONE:
            s.tokens = tokens
        else:
            self._hold(slot, tokens)
        if self.config.tide:
            busy = self.outstanding
            self.tide = TideNote(TideEnd.OUTSTANDING) if busy else self._tide(slot)

    def _gap_close(self, slot: int, _tokens: int) -> None:
        self._close_gap(slot)
        s = self.slots[slot]
        s.state, s.t_on = SlotState.READY, self._now

    def _done(self, slot: int, _tokens: int) -> None:
        s = self.slots[slot]
        if s.tier != Tier.NONE:
            self.used[s.tier] -= s.tokens
        self.slots[slot] = Slot()

    def _migration_done(self) -> None:
        self.outstanding = False
        for s in self.slots:
            s.in_flight = False

    # Spear (section 4).

    def _hold(self, slot: int, tokens: int) -> None:
        s = self.slots[slot]
        old = s.tier
        if old != Tier.NONE:
            self.used[old] -= s.tokens
        s.tier, s.tokens = Tier.NONE, tokens
        eligible = [t for t in TIERS if self._reach(t, slot) >= tokens]
        if not eligible:
            self._record(RecordKind.BYPASS, slot, Tier.NONE, tokens)
            return
        while (tier := self._room(old, tokens)) is None:
            self._evict(eligible, slot)
        s.tier = tier
        self.used[tier] += tokens
        if tier != old:
            self._record(RecordKind.PLACE, slot, tier, tokens)

    def _free(self, tier: Tier) -> int:
        return self.capacity[tier] - self.used[tier]

    def _reach(self, tier: Tier, slot: int) -> int:
        """Tokens that a tier can offer `slot`: free ones and those of its candidates."""
        return self._free(tier) + sum(self.slots[i].tokens for i in self.candidates(tier, slot))

    def _room(self, old: Tier, tokens: int) -> Tier | None:
        order = TIERS if old != Tier.HBM else (Tier.HBM, Tier.SRAM)
        return next((t for t in order if self._free(t) >= tokens), None)

    def _evict(self, eligible: list[Tier], slot: int) -> None:
        options = tuple(i for t in eligible for i in self.candidates(t, slot))
        self.choices.append(options)
        victim = max(options, key=lambda i: (self.key(i), -i))
        v = self.slots[victim]
        self._record(RecordKind.EVICT, victim, v.tier, v.tokens)
        self.used[v.tier] -= v.tokens
        v.tier = Tier.NONE

    # Tide (section 5).

    def _tide(self, slot: int) -> TideNote:
        budget = self.scorer.budget(self.slots[slot].ghat)
        fits = tuple(
            i for i in self.candidates(Tier.HBM) if self.slots[i].tokens <= self.capacity[Tier.SRAM]
        )
        p = min(fits, key=lambda i: (self.key(i), i), default=None)
        if p is None:
            return TideNote(TideEnd.NO_CANDIDATE)
        size = self.slots[p].tokens
        if size <= self._free(Tier.SRAM) and size <= budget:
            self._migrate(p, Tier.SRAM)
            return TideNote(TideEnd.FITS, fits, p)
        tops = tuple(self.candidates(Tier.SRAM))
        q = max(tops, key=lambda i: (self.key(i), -i), default=None)
        end = self._obstacle(p, q, budget)
        if end is TideEnd.SWAP:
            self._migrate(q, Tier.HBM)
            self._migrate(p, Tier.SRAM)
        return TideNote(end, fits, p, tops, q)

    def _obstacle(self, p: int, q: int | None, budget: int) -> TideEnd:
        """What keeps `p` and `q` from changing places; SWAP: nothing does."""
        if q is None:
            return TideEnd.NO_DEMOTION
        if self.key(q) <= self.key(p):
            return TideEnd.NOT_WORSE
        size, back = self.slots[p].tokens, self.slots[q].tokens
        if size > self._free(Tier.SRAM) + back:
            return TideEnd.NO_ROOM_SRAM
        if self.used[Tier.HBM] - size + back > self.capacity[Tier.HBM]:
            return TideEnd.NO_ROOM_HBM
        return TideEnd.SWAP if size + back <= budget else TideEnd.NO_BUDGET

    def _migrate(self, slot: int, tier: Tier) -> None:
        s = self.slots[slot]
        self.used[s.tier] -= s.tokens
        self.used[tier] += s.tokens
        s.tier, s.in_flight, self.outstanding = tier, True, True
        kind = RecordKind.PROMOTE if tier == Tier.SRAM else RecordKind.DEMOTE
        self._record(kind, slot, tier, s.tokens)


_HANDLERS = {
    EventCode.REQ: EventCore._request,
    EventCode.GAP_OPEN: EventCore._gap_open,
    EventCode.GAP_CLOSE: EventCore._gap_close,
    EventCode.DONE: EventCore._done,
}
