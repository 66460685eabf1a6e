"""Drives an event stream into the core and keeps its decision FIFO drained."""

from collections.abc import Iterable
from dataclasses import dataclass

from cocotb.triggers import Timer, with_timeout

from tb.settings import EV_DEPTH
from tb.uvm.agents.apb_bus import CLOCK_NS
from tb.uvm.agents.dma_agent import DmaAgent
from tb.uvm.items import Transfer
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract import CoreEvent, EventCode
from unison.contract.registers import address
from unison.core.dma import DmaModel, with_migrations

_STATUS, _TIME, _PUSH = address("STATUS"), address("EV_TIME"), address("EV_PUSH")
_HEAD, _POP = address("DEC_HEAD"), address("DEC_POP")
#: Status polls without any progress after which the core counts as stuck.
STUCK_POLLS = 5_000
#: Clock cycles between polls of a core that is busy.
PASS_CYCLES = 16
#: Simulated time within which a migration that STATUS announces must have left the port.
DMA_TIMEOUT_US = 200


@dataclass(frozen=True, slots=True)
class Status:
    """Fields of the STATUS register."""

    events: int
    records: int
    busy: bool
    outstanding: bool

    @classmethod
    def unpack(cls, word: int) -> "Status":
        """From the register's value."""
        return cls(word & 0xFF, word >> 8 & 0xFF, bool(word >> 16 & 1), bool(word >> 17 & 1))


class EventStream(RegisterSequence):
    """Pushes `events`, up to the FIFO's depth ahead, and reads records as they come.

    dma: model of the engine; its MIG_DONE enters the stream when the RTL has started a
    migration. None: no engine, the events are sent as they are.
    sent: called with each event as it is handed over, before it reaches the bus.
    ts_ext: write EV_TIME with each event.
    """

    def __init__(
        self,
        events: Iterable[CoreEvent],
        agent: DmaAgent,
        dma: DmaModel | None,
        sent,
        ts_ext: bool = True,
        tide: bool = True,
    ) -> None:
        super().__init__("events")
        self.events = events
        self.agent, self.dma = agent, dma
        self.sent = sent
        self.ts_ext, self.tide = ts_ext, tide
        self._queue: list[Transfer] = []
        self._credit = EV_DEPTH
        self._time: int | None = None

    async def body(self) -> None:
        if self.dma is None:
            for event in self.events:
                await self._push(event)
        else:
            await self._with_engine()
        await self._settle()
        await self.drain()

    async def _with_engine(self) -> None:
        moving = False
        for event in with_migrations(self.events, self.dma):
            await self._push(event)
            if event.code == EventCode.MIG_DONE and moving:
                # The stream's own MIG_DONE may come early, or be refused: the core knows.
                moving = (await self._settle()).outstanding
                if not moving:
                    self.dma.pop_due(float("inf"))
            # Only now may a migration begin, and the next event's place depends on it.
            if event.code == EventCode.GAP_OPEN and self.tide and not moving:
                status = await self._settle()
                if status.outstanding:
                    tokens = await with_timeout(self.agent.migration(), DMA_TIMEOUT_US, "us")
                    self.dma.start(event.ts, tokens)
                    moving = True

    async def _push(self, event: CoreEvent) -> None:
        while not self._credit:
            await self._flush()
        self.sent(event)
        if self.ts_ext and event.time_word() != self._time:
            self._time = event.time_word()
            self._queue.append(Transfer(_TIME, True, self._time))
        self._queue.append(Transfer(_PUSH, True, event.word()))
        self._credit -= 1

    async def _flush(self) -> Status:
        """Send what is queued, read STATUS, and read the records that it announces."""
        transfers = await self.run([*self._queue, Transfer(_STATUS, False)])
        for t in transfers:
            assert not t.error, f"event stream: {t}, expected it to be accepted"
        self._queue = []
        status = Status.unpack(transfers[-1].data)
        self._credit = EV_DEPTH - status.events
        await self.pop(status.records)
        return status

    async def pop(self, count: int) -> None:
        """Read and remove `count` records; the decision monitor sees them on the bus."""
        if count:
            pair = (_HEAD, _POP)
            await self.run([Transfer(a, False) for _ in range(count) for a in pair])

    async def _settle(self) -> Status:
        """Flush until no event waits or is under way; returns the last STATUS."""
        for _ in range(STUCK_POLLS):
            status = await self._flush()
            if not status.busy:
                return status
            # One wake-up instead of a dozen polls: about what a ranking pass takes.
            await Timer(PASS_CYCLES * CLOCK_NS, "ns")
        raise AssertionError(f"core stuck: {status} after {STUCK_POLLS} polls")

    async def drain(self) -> None:
        """Read records until the decision FIFO is empty."""
        while (await self._flush()).records:
            pass
