"""A reader that lets the decision FIFO fill up, and a DMA engine that takes its time."""

from random import Random

import pyuvm
from cocotb.triggers import Timer

from tb.settings import DEC_DEPTH, EV_DEPTH
from tb.uvm.base_test import BaseTest
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.stream import EventStream, Status
from unison.contract.registers import address

EVENTS = 3000
#: Longer than a full event FIFO takes, at 256 slots in one lane.
SETTLE_US = 40
_PUSH = address("EV_PUSH")


class LazyReader(EventStream):
    """Reads records only when the FIFO is full, and looks at the stalled core first."""

    lazy = True
    stalls = refusals = 0

    async def pop(self, count: int) -> None:
        """Leave records where they are until there is room for no more."""
        if not self.lazy:
            await super().pop(count)
        elif count == DEC_DEPTH:
            await self._look()
            await super().pop(count)

    async def _look(self) -> None:
        """Nothing may move in a stalled core; a full event FIFO refuses."""
        # Events without a record still pass a full FIFO, each with a ranking pass at most.
        await Timer(SETTLE_US, "us")
        first = Status.unpack(await self.read("STATUS"))
        await Timer(1, "us")
        last = Status.unpack(await self.read("STATUS"))
        assert last == first, f"stalled core: {first} became {last}"
        if last.busy:
            self.stalls += 1
        if last.events == EV_DEPTH:
            t = await self.attempt(_PUSH, 0)
            assert t.error, f"full event FIFO: {t}, expected PSLVERR"
            self.refusals += 1

    async def drain(self) -> None:
        """Read the rest."""
        self.lazy = False
        await super().drain()


@pyuvm.test()
class BackPressureTest(BaseTest):
    """Every record and descriptor must still come, in order."""

    def end_of_elaboration_phase(self) -> None:
        super().end_of_elaboration_phase()
        rng = Random(self.settings.seed)
        self.env.dma.pattern = iter(lambda: (1, rng.choice((0, 3, 40, rng.randrange(1500)))), None)

    async def scenario(self) -> None:
        # MIG_DONE comes from the stream, whether the port has been served or not: only so
        # can descriptors pile up.
        await self.configure(
            random_workload(self.settings, self.settings.limit or EVENTS, migrations=12)
        )
        stream = LazyReader(self.workload.events, self.env.dma, None, self.env.scoreboard.sent)
        await self.play(stream)
        await self.conclude()
        assert stream.stalls > 10, f"the core stalled {stream.stalls} times, expected more than 10"
        assert stream.refusals > 10, f"{stream.refusals} refused pushes, expected more than 10"
        self.result = {"stalls": stream.stalls, "refused": stream.refusals}
