"""Accesses that must be refused and change nothing, and the interrupt bits they set."""

from tb.settings import EV_DEPTH
from tb.uvm.handles import dut
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract import CoreEvent, EventCode
from unison.contract.registers import (
    CTRL_ENABLE,
    CTRL_TIDE,
    CTRL_TS_EXT,
    IRQ_ERROR,
    IRQ_RECORD,
    IRQ_REFUSED,
    REGISTERS,
    Access,
    address,
)

_CTRL = 1 << CTRL_TS_EXT | 1 << CTRL_TIDE


class Refusals(RegisterSequence):
    """Run it on a configured, empty core.

    sent: told each event that the core must accept. `refused`: event writes refused so far.
    """

    def __init__(self, sent, cap_sram: int) -> None:
        super().__init__("refusals")
        self.sent, self.cap_sram = sent, cap_sram
        self.refused = 0

    async def body(self) -> None:
        await self.write("CTRL", _CTRL)
        await self._no_record()
        await self._partial_strobes()
        await self._full()
        await self._locked()
        await self._run()
        await self._below_used()
        await self._clear()

    async def _no_record(self) -> None:
        t = await self.attempt(address("DEC_POP"))
        assert t.error, f"DEC_POP of an empty FIFO: {t}, expected PSLVERR"
        assert await self.read("DEC_HEAD") == 0, "DEC_HEAD of an empty FIFO: expected 0"

    async def _partial_strobes(self) -> None:
        event = CoreEvent(EventCode.REQ, 0, 100, 0)
        for strobe in range(15):
            t = await self.attempt(address("EV_PUSH"), event.word(), strobe)
            assert t.error, f"EV_PUSH with PSTRB {strobe:04b}: {t}, expected PSLVERR"
            self.refused += 1
        await self._levels(events=0)

    async def _full(self) -> None:
        """Events wait while the core is disabled, until there is no room."""
        for slot in range(EV_DEPTH + 3):
            event = CoreEvent(EventCode.REQ, slot, 100, 5)
            accepted = slot < EV_DEPTH
            await self.write("EV_TIME", event.time_word())
            if accepted:
                self.sent(event)
            t = await self.attempt(address("EV_PUSH"), event.word())
            assert t.error != accepted, f"EV_PUSH number {slot}: {t}, depth {EV_DEPTH}"
            self.refused += not accepted
            await self._levels(events=min(slot + 1, EV_DEPTH))
        assert await self.read("CNT_REFUSED") == self.refused

    async def _levels(self, events: int) -> None:
        status = await self.read("STATUS")
        want = events | (events > 0) << 16
        assert status == want, f"STATUS: got {status:#x}, expected {want:#x}"

    async def _locked(self) -> None:
        """Configuration is refused while an event waits; tables are free."""
        for reg in REGISTERS:
            if reg.access is Access.CFG:
                before = await self.read(reg.name)
                t = await self.attempt(reg.address, before ^ 1)
                assert t.error, f"{reg.name} while an event waits: {t}, expected PSLVERR"
                after = await self.read(reg.name)
                assert after == before, f"{reg.name}: a refused write changed it"
        for name in ("WEIGHT_W", "WEIGHT_Z", "TURN"):
            value = await self.read(name, 3)
            await self.write(name, value, 3)

    async def _run(self) -> None:
        """Enabled, the core takes them; the record bit of the interrupt is a level."""
        assert await self._irq() == 1 << IRQ_REFUSED, "expected only the refused bit"
        await self.write("CTRL", _CTRL | 1 << CTRL_ENABLE)
        while (await self.read("STATUS")) >> 16 & 1:
            pass
        assert await self._irq() == 1 << IRQ_REFUSED | 1 << IRQ_RECORD
        await self.write("IRQ_ENABLE", 1 << IRQ_RECORD)
        assert await self._pin() == 1, "irq: expected 1, a record waits"
        await self.write("IRQ_STATUS", 1 << IRQ_RECORD)
        assert await self._irq() & 1 << IRQ_RECORD, "the record bit is a level, not W1C"
        await self._pop_all()
        assert not await self._irq() & 1 << IRQ_RECORD
        assert await self._pin() == 0, "irq: expected 0, no record waits"

    async def _pop_all(self) -> None:
        while await self.read("DEC_HEAD"):
            await self.read("DEC_POP")

    async def _below_used(self) -> None:
        used = await self.read("USED_SRAM")
        assert used > 0, "this check needs a resident session"
        for value, refused in ((used - 1, True), (used, False), (self.cap_sram, False)):
            t = await self.attempt(address("CAP_SRAM"), value)
            assert t.error == refused, f"CAP_SRAM = {value} with {used} used: {t}"
        assert await self.read("CAP_SRAM") == self.cap_sram

    async def _clear(self) -> None:
        """An illegal event sets the error bit; error and refused bits clear by writing 1."""
        event = CoreEvent(EventCode.REQ, 0, 100, 5)
        self.sent(event)
        await self.write("EV_PUSH", event.word())
        while (await self.read("STATUS")) >> 16 & 1:
            pass
        both = 1 << IRQ_ERROR | 1 << IRQ_REFUSED
        assert await self._irq() & both == both
        await self._pop_all()
        await self.write("IRQ_ENABLE", both)
        assert await self._pin() == 1
        for strobe in (0b0000, 0b1110):
            await self.attempt(address("IRQ_STATUS"), both, strobe)
            assert await self._irq() == both, f"PSTRB {strobe:04b} must clear nothing"
        await self.write("IRQ_STATUS", 1 << IRQ_REFUSED)
        assert await self._irq() == 1 << IRQ_ERROR, "clearing one bit must leave the other"
        await self.write("IRQ_STATUS", 1 << IRQ_ERROR)
        assert await self._irq() == 0
        assert await self._pin() == 0

    async def _irq(self) -> int:
        return await self.read("IRQ_STATUS")

    async def _pin(self) -> int:
        """The interrupt output, a transfer after the last one, when it has followed."""
        await self.read("ID")
        return int(dut().irq.value)
