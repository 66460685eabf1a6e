"""Register walk: every address, reset values, access rights, byte lanes, refusals, FIFOs."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from tb.block.bus import Apb, start
from tb.block.runner import run_block
from unison.contract import Cause, CoreEvent, EventCode, Record, RecordKind, mask
from unison.contract.registers import (
    COUNTERS,
    CTRL_ENABLE,
    IRQ_ERROR,
    IRQ_RECORD,
    IRQ_REFUSED,
    REGISTERS,
    Access,
    address,
)
from unison.contract.widths import DEFAULT_SCORER

EV_DEPTH, DEC_DEPTH = 4, 5
SHAPE = {"NumSlots": 32, "NumLanes": 2, "EvDepth": EV_DEPTH, "DecDepth": DEC_DEPTH, "TokW": 12}
MAPPED = {r.address + 4 * i: r for r in REGISTERS for i in range(r.count)}


async def _reset(dut) -> Apb:
    await start(dut, dma_ready_i=0, **Apb.idle())
    return Apb(dut)


@cocotb.test()
async def reset_values_and_rights(dut) -> None:
    """Reads and writes the whole address space, unaligned addresses included."""
    apb = await _reset(dut)
    params = SHAPE["NumSlots"] | SHAPE["NumLanes"] << 9 | SHAPE["TokW"] << 14
    params |= EV_DEPTH << 20 | DEC_DEPTH << 26
    assert await apb.read(address("PARAMS")) == (params, False)
    assert await apb.read(address("VARIANT")) == (DEFAULT_SCORER, False)
    for at in range(1 << 12):
        reg = MAPPED.get(at)
        if reg is None:
            assert await apb.read(at) == (0, True), f"read {at:#x}"
            assert await apb.write(at, 0xFFFF_FFFF), f"write {at:#x}"
        elif reg.name in ("WEIGHT_W", "WEIGHT_Z", "TURN"):
            continue
        elif reg.name == "DEC_POP":
            assert await apb.read(at) == (0, True), "DEC_POP while empty"
        elif reg.access is Access.WO:
            assert (await apb.read(at))[1], reg.name
        else:
            data, error = await apb.read(at)
            assert not error, reg.name
            if reg.reset is not None:
                assert data == reg.reset, f"{reg.name}: got {data:#x}, want {reg.reset:#x}"
        if reg and reg.access is Access.RO:
            assert await apb.write(at, 0), f"write of RO {reg.name}"


@cocotb.test()
async def byte_lanes(dut) -> None:
    """Every writable register keeps what its byte lanes and width let in."""
    apb = await _reset(dut)
    held: dict[int, int] = {}
    for _ in range(6):
        for at, reg in MAPPED.items():
            if reg.access not in (Access.RW, Access.CFG) or reg.name == "CTRL":
                continue
            data = random.getrandbits(32) & mask(reg.width)
            strobe = random.randrange(16) if at in held else 15
            lanes = sum(255 << 8 * b for b in range(4) if strobe >> b & 1)
            assert not await apb.write(at, data, strobe), reg.name
            held[at] = (held.get(at, 0) & ~lanes | data & lanes) & mask(reg.width)
            assert await apb.read(at) == (held[at], False), f"{reg.name} strobe {strobe:#x}"
    for at, want in held.items():
        assert await apb.read(at) == (want, False), f"{MAPPED[at].name} was disturbed"


@cocotb.test()
async def events_and_records(dut) -> None:
    """Full and partial event writes, CFG while busy, errors, interrupt, records, capacity."""
    apb = await _reset(dut)
    rd, wr = apb.read, apb.write
    bad = CoreEvent(9, 7, 0xABCDE, 0).word()
    assert await wr(address("EV_PUSH"), bad, 0b0111), "partial strobe"
    assert (await rd(address("STATUS")))[0] == 0
    for _ in range(EV_DEPTH):
        assert not await wr(address("EV_PUSH"), bad)
    assert await wr(address("EV_PUSH"), bad), "full"
    assert await rd(address("CNT_REFUSED")) == (2, False)
    assert (await rd(address("STATUS")))[0] == EV_DEPTH | 1 << 16
    for reg in REGISTERS:
        if reg.access is Access.CFG:
            before = await rd(reg.address)
            assert await wr(reg.address, 0x155), f"{reg.name} while busy"
            assert await rd(reg.address) == before, reg.name
    assert await rd(address("IRQ_STATUS")) == (1 << IRQ_REFUSED, False)
    assert int(dut.irq_o.value) == 0
    assert not await wr(address("IRQ_ENABLE"), 1 << IRQ_REFUSED)
    assert int(dut.irq_o.value) == 1
    assert not await wr(address("IRQ_STATUS"), 1 << IRQ_REFUSED, 0b1110), "other byte lanes"
    assert int(dut.irq_o.value) == 1
    assert not await wr(address("IRQ_STATUS"), 1 << IRQ_REFUSED)
    assert int(dut.irq_o.value) == 0

    assert not await wr(address("CTRL"), 1 << CTRL_ENABLE)
    for _ in range(20):
        await FallingEdge(dut.clk_i)
    assert (await rd(address("STATUS")))[0] == EV_DEPTH << 8
    status = (await rd(address("IRQ_STATUS")))[0]
    assert status == 1 << IRQ_RECORD | 1 << IRQ_ERROR
    assert not await wr(address("IRQ_STATUS"), 7)
    assert await rd(address("IRQ_STATUS")) == (1 << IRQ_RECORD, False), "the record bit is a level"
    for seq in range(EV_DEPTH):
        head, tail = (await rd(address("DEC_HEAD")))[0], await rd(address("DEC_POP"))
        assert not tail[1]
        record = Record.from_words(head, tail[0])
        want = Record(RecordKind.ERROR, 7, 0, 0xABCDE, Cause.UNKNOWN_CODE, seq)
        assert record == want, f"got {record}, want {want}"
    assert await rd(address("DEC_HEAD")) == (0, False)
    assert await rd(address("CNT_ERROR", 0)) == (EV_DEPTH, False)

    # A session, then capacities below what it uses.
    assert not await wr(address("CAP_SRAM"), 100)
    for name in ("TURN", "WEIGHT_W", "WEIGHT_Z"):
        for i in range(next(r.count for r in REGISTERS if r.name == name)):
            assert not await wr(address(name, i), 16)
    assert not await wr(address("EV_PUSH"), CoreEvent(EventCode.REQ, 3, 60, 0).word())
    for _ in range(20):
        await FallingEdge(dut.clk_i)
    assert await rd(address("USED_SRAM")) == (60, False)
    assert await wr(address("CAP_SRAM"), 59)
    assert await wr(address("CAP_SRAM"), 0, 0b0001), "merged value below what is used"
    assert await rd(address("CAP_SRAM")) == (100, False)
    assert not await wr(address("CAP_SRAM"), 60)
    assert (await rd(address(COUNTERS[0][0])))[0] == EV_DEPTH + 1


@cocotb.test()
async def own_time(dut) -> None:
    """TIME ticks at the prescaled rate and stamps events outside TS_EXT mode."""
    apb = await _reset(dut)
    assert not await apb.write(address("PRESCALE"), 9)
    first = (await apb.read(address("TIME")))[0]
    for _ in range(100 - 2):  # a read takes two cycles
        await FallingEdge(dut.clk_i)
    assert (await apb.read(address("TIME")))[0] == first + 10


@pytest.mark.long
def test_registers() -> None:
    """One core, small and uneven."""
    run_block("unison", "tb.block.apb_registers.test_registers", SHAPE)
