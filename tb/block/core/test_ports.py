"""The event ports and the interrupt pin at the core's own pins, where blocks meet."""

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from tb.block.bus import Apb, start
from tb.block.runner import run_block
from unison.contract import Cause, CoreEvent, EventCode, Record, RecordKind
from unison.contract.registers import IRQ_ERROR, IRQ_RECORD, IRQ_REFUSED, address

DEPTH = 4
# A shape of test_core: one build serves both.
SHAPE = {"NumSlots": 16, "NumLanes": 1, "Scorer": 1, "EvDepth": DEPTH, "DecDepth": 5}
ENABLE, STAMPED = 0b011, 0b010


class Ports:
    """Both ports of one core; each event is the DONE of a free slot, told by its slot."""

    def __init__(self, dut) -> None:
        self.dut, self.apb, self.next = dut, Apb(dut), 0
        self.order: list[int] = []

    async def reset(self) -> None:
        """From reset, the core off, so that events stay where they are."""
        await start(self.dut, dma_ready_i=0, **Apb.idle())
        self.order = []
        assert not await self.apb.write(address("CTRL"), STAMPED)
        assert not await self.apb.write(address("EV_TIME"), 0)

    def word(self) -> int:
        """The next event."""
        self.next = (self.next + 1) % SHAPE["NumSlots"]
        return CoreEvent(EventCode.DONE, self.next, 0, 0).word()

    def offer(self, word: int | None) -> None:
        """What the sideband holds; None: nothing."""
        dut = self.dut
        dut.ev_valid_i.value = int(word is not None)
        word = word or 0
        dut.ev_code_i.value, dut.ev_slot_i.value = word >> 28, word >> 20 & 255
        dut.ev_tokens_i.value, dut.ev_time_i.value = word & 0xFFFFF, 0

    async def sideband(self, patience: int = 1) -> bool:
        """Offer one event for so many cycles; whether it was taken."""
        word = self.word()
        self.offer(word)
        taken = False
        for _ in range(patience):
            await RisingEdge(self.dut.clk_i)
            taken = bool(int(self.dut.ev_ready_o.value))
            await FallingEdge(self.dut.clk_i)
            if taken:
                self.order.append(word >> 20 & 255)
                break
        self.offer(None)
        return taken

    async def push(self, strobe: int = 15) -> bool:
        """One event over APB; whether it was accepted."""
        word = self.word()
        accepted = not await self.apb.write(address("EV_PUSH"), word, strobe)
        if accepted:
            self.order.append(word >> 20 & 255)
        return accepted

    async def level(self) -> int:
        """Events in the FIFO."""
        return (await self.apb.read(address("STATUS")))[0] & 255

    async def drain(self) -> list[int]:
        """Turn the core on until all is answered; the slots answered, in order."""
        got: list[int] = []
        assert not await self.apb.write(address("CTRL"), ENABLE)
        for _ in range(40):
            head, _ = await self.apb.read(address("DEC_HEAD"))
            if head >> 31:
                record = Record.from_words(head, (await self.apb.read(address("DEC_POP")))[0])
                assert (record.kind, record.info) == (RecordKind.ERROR, Cause.SLOT_FREE)
                got.append(record.slot)
            elif not (await self.apb.read(address("STATUS")))[0] >> 16 & 1:
                break
        assert not await self.apb.write(address("CTRL"), STAMPED)
        return got


@cocotb.test()
async def each_port_fills_the_fifo(dut) -> None:
    """As many events as it is deep, no more; each answered once, in order."""
    ports = Ports(dut)
    for attempt in (ports.sideband, ports.push):
        await ports.reset()
        taken = [await attempt() for _ in range(DEPTH + 2)]
        assert taken == [True] * DEPTH + [False] * 2
        assert await ports.level() == DEPTH
        assert await ports.drain() == ports.order


@cocotb.test()
async def the_last_place_has_one_taker(dut) -> None:
    """At every level, a sideband event in the setup or the access phase of an APB push."""
    ports = Ports(dut)
    for level in range(DEPTH):
        for phase in (0, 1):
            await ports.reset()
            for _ in range(level):
                assert await ports.push()
            side, apb = ports.word(), ports.word()
            dut.psel_i.value, dut.penable_i.value, dut.pwrite_i.value = 1, 0, 1
            dut.paddr_i.value, dut.pwdata_i.value = address("EV_PUSH"), apb
            took = refused = False
            for now in (0, 1):
                ports.offer(side if now == phase else None)
                dut.penable_i.value = now
                await RisingEdge(dut.clk_i)
                took |= now == phase and bool(int(dut.ev_ready_o.value))
                if now:
                    refused = bool(int(dut.pslverr_o.value))
                await FallingEdge(dut.clk_i)
            dut.psel_i.value, dut.penable_i.value = 0, 0
            ports.offer(None)
            # In the setup phase the sideband goes first; in the access phase APB does.
            assert took == (phase == 0), f"level {level}, phase {phase}: sideband {took}"
            assert refused == (phase == 0 and level == DEPTH - 1), f"{level}, {phase}: {refused}"
            assert await ports.level() == level + took + (not refused)
            both = [side >> 20 & 255] * took + [apb >> 20 & 255] * (not refused)
            assert await ports.drain() == ports.order + both


@cocotb.test()
async def the_sideband_yields_once_to_a_whole_refused_push(dut) -> None:
    """Only then, and only for the last place."""
    ports = Ports(dut)

    async def room_for_one() -> None:
        assert await ports.drain() == ports.order
        ports.order = []
        for _ in range(DEPTH - 1):
            assert await ports.sideband(), "the last place alone is kept"

    await ports.reset()
    await room_for_one()
    assert await ports.sideband(), "nobody waits for the place"
    await ports.reset()
    for _ in range(DEPTH):
        assert await ports.sideband()
    assert not await ports.push(strobe=7)
    await room_for_one()
    assert await ports.sideband(), "a write that could not enter anyway has no claim"
    assert not await ports.push()
    await room_for_one()
    assert not await ports.sideband(3), "the place is owed to APB"
    assert await ports.push()
    await room_for_one()
    assert await ports.sideband(), "the debt is paid"


@cocotb.test()
async def interrupt_pin(dut) -> None:
    """The pin is the OR of what has happened and is enabled, in every combination."""
    ports = Ports(dut)
    dut._log.info("interrupts")
    for record in (0, 1):
        for error in (0, 1):
            for refused in (0, 1):
                await ports.reset()
                assert int(dut.irq_o.value) == 0
                if record or error:
                    assert await ports.push()
                    await ports.apb.write(address("CTRL"), ENABLE)
                    while not (await ports.apb.read(address("DEC_HEAD")))[0] >> 31:
                        pass
                    await ports.apb.write(address("CTRL"), STAMPED)
                if not record and error:
                    await ports.apb.read(address("DEC_POP"))
                if record and not error:
                    await ports.apb.write(address("IRQ_STATUS"), 1 << IRQ_ERROR)
                if refused:
                    assert not await ports.push(strobe=3)
                want = record << IRQ_RECORD | error << IRQ_ERROR | refused << IRQ_REFUSED
                assert (await ports.apb.read(address("IRQ_STATUS")))[0] == want
                for enable in range(8):
                    assert not await ports.apb.write(address("IRQ_ENABLE"), enable)
                    got = int(dut.irq_o.value)
                    assert got == bool(want & enable), f"{want:03b} & {enable:03b}: {got}"


@cocotb.test()
async def random_ports(dut) -> None:
    """Both ports at random against a full or nearly full FIFO: nothing lost, order kept."""
    ports, rng = Ports(dut), random.Random(1)
    for _ in range(40):
        await ports.reset()
        for _ in range(rng.randrange(1, 9)):
            await (ports.push() if rng.random() < 0.5 else ports.sideband(rng.randrange(1, 4)))
        assert len(ports.order) <= DEPTH
        assert await ports.level() == len(ports.order)
        assert await ports.drain() == ports.order


@cocotb.test()
async def passes_end_with_their_event(dut) -> None:
    """A ranking that nobody reads is given up: it neither counts nor ends later."""
    ports = Ports(dut)
    apb = ports.apb
    REQ, OPEN, DONE = EventCode.REQ, EventCode.GAP_OPEN, EventCode.DONE
    for tide in (0, 1):
        await start(dut, dma_ready_i=1, **Apb.idle())
        for name, value in (("CAP_SRAM", 10), ("CAP_HBM", 0), ("CTRL", ENABLE | tide << 2)):
            assert not await apb.write(address(name), value)
        assert not await apb.write(address("EV_TIME"), 0)
        passes = 0
        for code, slot, tokens, more in (
            (REQ, 1, 10, 0),  # there is room
            (REQ, 1, 10, 0),  # a fault
            (REQ, 2, 10, 1),  # no room, nobody to evict: a pass says so
            (OPEN, 2, 10, tide),  # not resident: only Tide asks
            (OPEN, 2, 10, 0),  # a fault
            (OPEN, 1, 10, tide),
            (REQ, 3, 10, 1),  # evicts slot 1
            (DONE, 3, 0, 0),
        ):
            passes += more
            for _ in range(12):  # whatever there is to read
                await apb.read(address("DEC_POP"))
            assert not await apb.write(address("EV_PUSH"), CoreEvent(code, slot, tokens, 0).word())
            for _ in range(40):
                await RisingEdge(dut.clk_i)
            await FallingEdge(dut.clk_i)
            got = (await apb.read(address("CNT_PASSES")))[0]
            assert got == passes, f"tide {tide}, {code.name} {slot}: {got} passes, want {passes}"


def test_ports() -> None:
    """One core, a short event FIFO."""
    run_block("unison", "tb.block.core.test_ports", SHAPE)
