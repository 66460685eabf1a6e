"""Virtual sequence: APB and sideband events, a reader, a DMA engine, refused writes, at once."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import cocotb
from cocotb.triggers import ClockCycles, gather
from pyuvm import uvm_sequence

from tb.uvm.handles import dut
from tb.uvm.items import FULL_STROBE, SidebandEvent, SidebandItem, Transfer
from tb.uvm.scoreboard.decisions import SIDEBAND
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract import CoreEvent, EventCode
from unison.contract.registers import REGISTERS, Access, address

_TIME, _PUSH = address("EV_TIME"), address("EV_PUSH")
_CFG = [r for r in REGISTERS if r.access is Access.CFG]


class Pace:
    """Random idle times, by moods that last for a while: a burst, a trickle, a long rest."""

    def __init__(self, rng: Random, longest: int) -> None:
        self._rng, self._longest = rng, longest
        self._left = self._top = 0

    def __call__(self) -> int:
        rng = self._rng
        if not self._left:
            self._left = rng.randrange(1, 60)
            self._top = rng.choice((0, 0, 3, 20, self._longest))
        self._left -= 1
        return rng.randrange(self._top + 1)


class ApbEvents(RegisterSequence):
    """Writes events one after the other, and again when the FIFO refuses. refused: how often."""

    def __init__(self, events: Iterable[CoreEvent], sent, pace: Pace, ts_ext: bool) -> None:
        super().__init__("apb_events")
        self.events, self.sent, self.pace, self.ts_ext = events, sent, pace, ts_ext
        self.refused = 0

    async def body(self) -> None:
        for event in self.events:
            self.sent(event)
            if gap := self.pace():
                await ClockCycles(dut().clk_i, gap)
            transfers = [Transfer(_PUSH, True, event.word())]
            if self.ts_ext:
                transfers.insert(0, Transfer(_TIME, True, event.time_word()))
            while (await self.run(transfers))[-1].error:
                self.refused += 1
                if gap := self.pace():
                    await ClockCycles(dut().clk_i, gap)


class SidebandEvents(uvm_sequence):
    """Sends events by the sideband port with random gaps."""

    def __init__(self, events: Iterable[CoreEvent], sent, pace: Pace) -> None:
        super().__init__("sideband_events")
        self.events, self.sent, self.pace = events, sent, pace
        self.stopped = False

    async def body(self) -> None:
        for event in self.events:
            if self.stopped:
                return
            await self.send(event, self.pace())

    async def send(self, event: CoreEvent, gap: int) -> None:
        """One event after `gap` cycles; returns when the core has taken it."""
        # A task of its own: see RegisterSequence.
        await cocotb.start_soon(self._submit(event, gap))

    async def _submit(self, event: CoreEvent, gap: int) -> None:
        item = SidebandItem([SidebandEvent(event.word(), event.time_word(), gap)])
        await self.start_item(item)
        # The sequencer hands out one item at a time: only now is this the port's next event.
        self.sent(event, SIDEBAND)
        await self.finish_item(item)


class Engine(SidebandEvents):
    """A DMA engine: answers each migration with MIG_DONE, by the sideband port, when it likes.

    now: gives the tick for MIG_DONE, for TS_EXT mode.
    """

    def __init__(self, agent, sent, rng: Random, longest: int, now) -> None:
        super().__init__((), sent, Pace(rng, longest))
        self.agent, self.now = agent, now

    async def body(self) -> None:
        while True:
            await self.agent.migration()
            if gap := self.pace():
                await ClockCycles(dut().clk_i, gap)
            await self.send(CoreEvent(EventCode.MIG_DONE, 0, 0, self.now()), 0)


class Meddler(RegisterSequence):
    """Writes that are refused at any moment, so that nothing may come of them.

    Ones in bits that configuration registers do not have, and events without all their bytes.
    refused: how often. `finish` ends it.
    """

    def __init__(self, rng: Random, longest: int) -> None:
        super().__init__("meddler")
        self.rng, self.longest = rng, longest
        self.last = False
        self.refused = 0

    def finish(self) -> None:
        """No more writes."""
        self.last = True

    async def body(self) -> None:
        while not self.last:
            await ClockCycles(dut().clk_i, self.rng.randrange(1, self.longest))
            t = await self.attempt(*self._write())
            assert t.error, f"{t}, expected PSLVERR"
            self.refused += 1

    def _write(self) -> tuple[int, int, int]:
        """Address, value, strobe."""
        rng = self.rng
        if rng.random() < 0.3:
            return _PUSH, rng.getrandbits(32), rng.randrange(FULL_STROBE)
        reg = rng.choice(_CFG)
        absent = rng.choice([b for b in range(32) if not reg.bits >> b & 1])
        return reg.address, 1 << absent | rng.getrandbits(32) & reg.bits, FULL_STROBE


class Mixed(uvm_sequence):
    """Splits `events` at random over both ports; the core's order between them is its own affair.

    env: the environment. ts_ext: events carry their time. `shares`: events by source.
    """

    def __init__(self, env, events, rng: Random, ts_ext: bool, lazy: int = 60) -> None:
        super().__init__("mixed")
        self.env, self.rng, self.ts_ext, self.lazy = env, rng, ts_ext, lazy
        self.lists: tuple[list[CoreEvent], list[CoreEvent]] = ([], [])
        side = 0
        for event in events:
            if rng.random() < 0.2:
                side ^= 1
            self.lists[side].append(event)
        self._latest = 0

    def _noted(self, events: list[CoreEvent]) -> Iterator[CoreEvent]:
        # The sources run apart; without a common clock most events of one would be late.
        for event in events:
            if self.rng.random() < 0.9:
                event = replace(event, ts=max(self._latest, event.ts))
            self._latest = max(self._latest, event.ts)
            yield event

    async def body(self) -> None:
        env, rng = self.env, self.rng
        sent = env.scoreboard.sent
        seeds = [Random(rng.random()) for _ in range(5)]
        reader = env.records.reader(seeds[0], self.lazy)
        self.apb = ApbEvents(self._noted(self.lists[0]), sent, Pace(seeds[1], 200), self.ts_ext)
        sideband = SidebandEvents(self._noted(self.lists[1]), sent, Pace(seeds[2], 200))
        engine = Engine(env.dma, sent, seeds[3], 400, lambda: self._latest)
        self.meddler = Meddler(seeds[4], 150)
        reading = cocotb.start_soon(reader.start(env.apb.sequencer))
        meddling = cocotb.start_soon(self.meddler.start(env.apb.sequencer))
        running = cocotb.start_soon(engine.start(env.sideband.sequencer))
        await gather(self.apb.start(env.apb.sequencer), sideband.start(env.sideband.sequencer))
        # Time for the engine to answer what is still under way.
        await ClockCycles(dut().clk_i, 4000)
        running.cancel()
        self.meddler.finish()
        reader.finish()
        await gather(reading, meddling)
