"""Decision stream agent: the monitor of events and records; when active, a reader of the FIFO."""

from random import Random

from cocotb.triggers import ClockCycles
from pyuvm import uvm_agent

from tb.uvm.handles import dut
from tb.uvm.items import Transfer
from tb.uvm.scoreboard.decisions import DecisionMonitor
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract.registers import IRQ_RECORD, address

_STATUS, _HEAD, _POP = address("STATUS"), address("DEC_HEAD"), address("DEC_POP")


class DecisionReader(RegisterSequence):
    """Drains the decision FIFO at random moments, by interrupt or by polling.

    longest: cycles it may stay away at most; 0: reads as fast as it can. `finish` makes it
    return once the core is idle and its FIFO empty.
    """

    def __init__(self, rng: Random, longest: int) -> None:
        super().__init__("reader")
        self.rng, self.longest = rng, longest
        self.last = False
        self.waited_for_irq = 0

    def finish(self) -> None:
        """No more events come."""
        self.last = True

    async def body(self) -> None:
        rng = self.rng
        await self.write("IRQ_ENABLE", 1 << IRQ_RECORD)
        while True:
            if not self.last and rng.random() < 0.5 and not int(dut().irq.value):
                self.waited_for_irq += 1
                await ClockCycles(dut().clk_i, rng.randrange(1, 60))
                continue
            closing = self.last
            (t,) = await self.run([Transfer(_STATUS, False)])
            records, busy = t.data >> 8 & 0xFF, t.data >> 16 & 1
            count = records if closing else rng.randrange(records + 1)
            if count:
                await self.run([Transfer(a, False) for _ in range(count) for a in (_HEAD, _POP)])
            if closing and not busy and not records:
                return
            if self.longest and not closing:
                await ClockCycles(dut().clk_i, 1 + rng.randrange(self.longest))


class DecisionAgent(uvm_agent):
    """`monitor`: see `DecisionMonitor`. `reader`: a sequence for the APB sequencer."""

    def build_phase(self) -> None:
        super().build_phase()
        self.monitor = DecisionMonitor.create("monitor", self)

    def reader(self, rng: Random, longest: int) -> DecisionReader:
        """RuntimeError when the agent is passive."""
        if not self.active():
            raise RuntimeError("the decision agent is passive: it reads nothing")
        return DecisionReader(rng, longest)
