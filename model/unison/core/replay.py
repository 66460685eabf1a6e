"""Replay of an event stream through a golden core, with the metrics of contract section 6."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from unison.contract import CoreEvent, EventCode, Outcome, Record, RecordKind, Tier
from unison.core.dma import DmaModel, with_migrations
from unison.core.golden import EventCore

Observer = Callable[[CoreEvent, list[Record]], None]


@dataclass(frozen=True)
class Costs:
    """Read cost in ns/token by tier, and the prefill rate in tokens/s."""

    read_ns: dict[Tier, float]
    prefill_per_s: float

    def prefill_ns(self, tokens: int) -> float:
        """Nanoseconds to prefill `tokens`."""
        return tokens * 1e9 / self.prefill_per_s


@dataclass
class Summary:
    """Totals of one replay; rates are None when there is nothing to divide by."""

    events: int = 0
    requests: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    errors: int = 0
    hit_rate: float | None = None
    hit_rate_sram: float | None = None
    hit_rate_hbm: float | None = None
    amat_us: float | None = None
    extra_prefill_tokens: int = 0
    prefetch_accuracy: float | None = None


class Accountant:
    """Accumulates a `Summary` from events and their records, in order."""

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._held: dict[int, int] = {}
        self._promoted: set[int] = set()
        self._useful = 0
        self._access_ns = 0.0
        self._extra = 0
        self._events = 0
        self._errors = 0
        self._outcomes = dict.fromkeys(Outcome, 0)
        self._decisions = dict.fromkeys(
            (RecordKind.EVICT, RecordKind.BYPASS, RecordKind.PROMOTE, RecordKind.DEMOTE), 0
        )

    def observe(self, event: CoreEvent, records: list[Record]) -> None:
        """Account one event."""
        self._events += 1
        legal = True
        for r in records:
            if r.kind == RecordKind.ERROR:
                self._errors += 1
                legal = False
            elif r.kind == RecordKind.OUTCOME:
                self._request(r)
            elif r.kind in self._decisions:
                self._decisions[r.kind] += 1
                if r.kind == RecordKind.PROMOTE:
                    self._promoted.add(r.slot)
                elif r.kind in (RecordKind.EVICT, RecordKind.DEMOTE):
                    self._promoted.discard(r.slot)
        if legal and event.code in (EventCode.REQ, EventCode.GAP_OPEN):
            self._held[event.slot] = event.tokens
        elif legal and event.code == EventCode.DONE:
            self._held.pop(event.slot, None)
            self._promoted.discard(event.slot)

    def _request(self, r: Record) -> None:
        outcome = Outcome(r.info)
        self._outcomes[outcome] += 1
        before = min(self._held.get(r.slot, 0), r.tokens)
        if outcome in (Outcome.HIT_SRAM, Outcome.HIT_HBM):
            served = Tier.SRAM if outcome == Outcome.HIT_SRAM else Tier.HBM
            self._access_ns += r.tokens * self._costs.read_ns[served]
            self._access_ns += self._costs.prefill_ns(r.tokens - before)
            if outcome == Outcome.HIT_SRAM and r.slot in self._promoted:
                self._useful += 1
        else:
            self._access_ns += self._costs.prefill_ns(r.tokens)
            if outcome == Outcome.MISS:
                self._extra += before
        self._promoted.discard(r.slot)

    def summary(self) -> Summary:
        """The totals so far."""
        n = sum(self._outcomes.values())
        promotions = self._decisions[RecordKind.PROMOTE]

        def rate(count: float, of: int) -> float | None:
            return count / of if of else None

        sram, hbm = self._outcomes[Outcome.HIT_SRAM], self._outcomes[Outcome.HIT_HBM]
        return Summary(
            events=self._events,
            requests=n,
            outcomes={o.name: c for o, c in self._outcomes.items()},
            decisions={k.name: c for k, c in self._decisions.items()},
            errors=self._errors,
            hit_rate=rate(sram + hbm, n),
            hit_rate_sram=rate(sram, n),
            hit_rate_hbm=rate(hbm, n),
            amat_us=rate(self._access_ns / 1000, n),
            extra_prefill_tokens=self._extra,
            prefetch_accuracy=rate(self._useful, promotions),
        )


def moved_tokens(records: Iterable[Record]) -> int:
    """Tokens of the migration that an event's records start; 0 when none starts."""
    return sum(r.tokens for r in records if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE))


def replay(
    core: EventCore,
    events: Iterable[CoreEvent],
    dma_bw: int,
    costs: Costs,
    observer: Observer | None = None,
) -> Summary:
    """Run `events` (without MIG_DONE) through `core` with a DMA engine of raw Q8.8 `dma_bw`.

    `observer(event, records)` sees each event, MIG_DONE included, after the core took it.
    """
    dma = DmaModel(dma_bw)
    accountant = Accountant(costs)
    for event in with_migrations(events, dma):
        records = core.step(event)
        if tokens := moved_tokens(records):
            dma.start(event.ts, tokens)
        accountant.observe(event, records)
        if observer is not None:
            observer(event, records)
    return accountant.summary()
