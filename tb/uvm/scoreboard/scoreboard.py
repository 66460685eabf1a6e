"""Scoreboard: every record, ranking key and DMA beat against the golden core."""

from collections import deque
from copy import copy
from dataclasses import replace

from cocotb.triggers import Event
from pyuvm import uvm_scoreboard

from tb.uvm.items import Descriptor, Ranking
from tb.uvm.ports import Sink
from tb.uvm.scoreboard.coverage import Coverage
from tb.uvm.scoreboard.decisions import APB, SIDEBAND, Pushed
from tb.uvm.scoreboard.report import mismatch, ranking_table
from tb.uvm.scoreboard.sampler import Sampler
from tb.uvm.scoreboard.snapshots import Snapshots
from tb.uvm.scoreboard.stamps import StampClock
from tb.uvm.workload import Workload
from unison.contract import CoreEvent, Record, RecordKind, Tier, mask
from unison.contract.widths import SLOT_W, TIME_W, TOK_W
from unison.core import EventCore, Slot
from unison.core.fidelity import FloatShadow


def from_words(word: int, time_word: int, near: int) -> CoreEvent:
    """The event of two words; its time unwrapped to the one closest to `near`."""
    step = (time_word - near) & mask(TIME_W)
    if step >> (TIME_W - 1):
        step -= 1 << TIME_W
    slot = word >> TOK_W & mask(SLOT_W)
    return CoreEvent(word >> (SLOT_W + TOK_W), slot, word & mask(TOK_W), near + step)


class Scoreboard(uvm_scoreboard):
    """`start(workload)` before the first event; then it stops at the first difference.

    failure: the report of that difference, None so far; `stop` is set with it.
    events, records: taken so far. golden: the reference core; `snapshots.fidelity`: ranking
    agreement with float64.
    stamps: None when events carry their time, else what predicts the core's own stamps.
    muted: whatever comes is dropped, for the time of a reset.
    passive: no sequence announces events; what the pins show is taken as it is.
    entered: events by source.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.pushed_in = Sink("pushed_in", self, self._take_event)
        self.records_in = Sink("records_in", self, self._take_record)
        self.rankings_in = Sink("rankings_in", self, self._take_ranking)
        self.beats_in = Sink("beats_in", self, self._take_beat)
        self.rules_in = Sink("rules_in", self, self._fail)
        self.passive = False
        self.stop = Event()
        self.coverage = Coverage()
        self.sampler = Sampler()
        self.golden: EventCore | None = None
        self.muted = False
        self.restart()

    def restart(self) -> None:
        """Forget everything but the coverage: the core has been reset."""
        self.stamps: StampClock | None = None
        self.failure: str | None = None
        self.stop.clear()
        self.events = self.records = 0
        self.entered = {APB: 0, SIDEBAND: 0}
        self._sent: dict[str, deque[CoreEvent]] = {APB: deque(), SIDEBAND: deque()}
        self._time = 0
        self._pending: deque[tuple[CoreEvent, str]] = deque()
        self._expected: deque[Record] = deque()
        self._rankings: deque[Ranking] = deque()
        self._moves: deque[Descriptor] = deque()
        self._beats: deque[Descriptor] = deque()
        self._event: CoreEvent | None = None
        self._caused: list[Record] = []
        self._before: Slot | None = None
        self._keys: dict[int, int] | None = None

    def start(self, workload: Workload) -> None:
        """Begin with a fresh core of the workload's parameters."""
        config = workload.config
        self.golden = EventCore(config, workload.fixed)
        self.shadow = FloatShadow(config.slots, workload.float64, config.tok_w)
        self.snapshots = Snapshots(self.golden, self.shadow)

    def sent(self, event: CoreEvent, source: str = APB) -> None:
        """A sequence is about to drive this event; its port must show it next."""
        self._sent[source].append(event)

    def rewrite(self, rewrite) -> None:
        """Tables and capacities are new from now on; the core must be idle, its FIFO drained."""
        while self._pending and self.failure is None:
            self._advance()
        if self._expected:
            self._fail("record missing before a rewrite", want=self._expected[0])
        self._close_event()
        self._event = None
        self.golden.scorer = rewrite.fixed
        self.golden.capacity.update({Tier.SRAM: rewrite.cap_sram, Tier.HBM: rewrite.cap_hbm})
        self.shadow.rescore(rewrite.float64)
        self.sampler.configured()

    def _take_event(self, pushed: Pushed) -> None:
        if self.muted:
            return
        if self.passive:
            event = from_words(pushed.word, pushed.time_word, self._time)
        elif not self._sent[pushed.source]:
            self._fail(f"{pushed.source}: event word {pushed.word:#010x}, which no sequence sent")
            return
        else:
            event = self._sent[pushed.source].popleft()
        self.entered[pushed.source] += 1
        if self.stamps is not None:
            event = replace(event, ts=self.stamps.at(pushed.cycle), exact=None)
        elif pushed.time_word != event.time_word():
            want = event.time_word()
            self._fail(f"{pushed.source}: time: got {pushed.time_word}, expected {want}")
        if pushed.word != event.word():
            self._fail(f"{pushed.source}: got {pushed.word:#010x}, expected {event.word():#010x}")
        self._time = event.ts
        self._pending.append((event, pushed.source))

    def _take_record(self, record: Record) -> None:
        if self.failure is not None or self.muted:
            return
        while not self._expected:
            if not self._pending:
                self._fail("a record, but no event is left to cause it", got=record)
                return
            self._advance()
            if self.failure is not None:
                return
        want = self._expected.popleft()
        if record != want:
            self._fail("record differs", want, record)
            return
        self.records += 1

    def _advance(self) -> None:
        """Let the golden core take the next event; check the rankings it led to."""
        self._close_event()
        event, source = self._pending.popleft()
        self._event, self._before, self._keys = event, None, None
        if event.slot < len(self.golden.slots):
            self._before = copy(self.golden.slots[event.slot])
        self.sampler.before(event, self._before, source)
        records = self._caused = self.golden.step(event)
        self.shadow.step(event)
        self.coverage.sample(event, records)
        self._expected.extend(records)
        self.events += 1
        self._judge_passes()
        self._expect_moves(records)

    def _take_ranking(self, ranking: Ranking) -> None:
        if self.muted:
            return
        self._rankings.append(ranking)
        # The first record of an event may be read before its pass ends: judge it late then.
        if ranking.event == self.events - 1:
            self._judge_passes()

    def _judge_passes(self) -> None:
        """Judge the RTL's ranking passes in the event that the golden core took last."""
        while self._rankings and self._rankings[0].event < self.events:
            ranking = self._rankings.popleft()
            if ranking.event != self.events - 1:
                self._fail(f"a ranking pass of event {ranking.event}, seen too late")
                return
            first = self._keys is None
            wrong = self.snapshots.check(self._event.slot, self._caused, ranking.keys, first)
            if first or wrong:
                self._keys = ranking.keys
            if wrong:
                self._fail(wrong)
                return

    def _close_event(self) -> None:
        """The last event is over, and so are its passes: take its snapshots."""
        if self._event is not None:
            self.snapshots.take(self._keys)
            self.sampler.after(self._caused, self._keys)

    def _expect_moves(self, records: list[Record]) -> None:
        moves = [r for r in records if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE)]
        for r in moves:
            promote = r.kind == RecordKind.PROMOTE
            self._moves.append(Descriptor(promote, r.slot, r.tokens, last=r is moves[-1]))
        self._match_moves()

    def _take_beat(self, beat: Descriptor) -> None:
        if self.muted:
            return
        self._beats.append(beat)
        self._match_moves()

    def _match_moves(self) -> None:
        while self._beats and self._moves:
            got, want = self._beats.popleft(), self._moves.popleft()
            if got != want:
                self._fail(f"DMA port: got {got}, expected {want}")

    @property
    def moves_left(self) -> bool:
        """Whether DMA beats are expected that have not come yet."""
        return bool(self._moves)

    def finish(self) -> None:
        """Take the events that still wait; nothing may be left over on either side."""
        while self._pending and self.failure is None:
            self._advance()
            if self._expected:
                break
        if self.failure is None:
            self._close_event()
        if self.failure is None and self._expected:
            self._fail("record missing", want=self._expected[0])
        for what, left in (
            *((f"{s} events were sent but never entered", q) for s, q in self._sent.items()),
            ("DMA beats were expected but never came", self._moves),
            ("DMA beats came unexpected", self._beats),
        ):
            if left and self.failure is None:
                self._fail(f"{len(left)} {what}, first: {left[0]}")

    def _fail(self, what: str, want: Record | None = None, got: Record | None = None) -> None:
        if self.failure is not None or self.muted:
            return
        if self.golden is None:
            # Before the first event there is nothing to show beside it.
            self.failure = what
            self.stop.set()
            return
        table = ranking_table(self.golden, self.shadow, self._keys)
        index = max(0, self.events - 1)
        self.failure = mismatch(
            what, index, self.records, self._event, self._before, self.golden, want, got, table
        )
        self.stop.set()
