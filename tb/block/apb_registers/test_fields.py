"""The register map of rtl/unison.rdl against the RTL, by field, under three masters."""

import random
from collections.abc import Iterable

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from tb.block.apb_registers.masters import MASTERS
from tb.block.bus import Apb, start
from tb.block.runner import run_block
from tb.register_oracle import Oracle, Step, fields, holes, pushes, random_steps, reads
from unison.contract import CoreEvent, EventCode
from unison.contract.registers import CTRL_ENABLE, IRQ_ERROR, IRQ_RECORD, IRQ_REFUSED, address
from unison.contract.widths import DEFAULT_SCORER

# The shape of test_registers: one build serves both.
SHAPE = {"NumSlots": 32, "NumLanes": 2, "EvDepth": 4, "DecDepth": 5, "TokW": 12}
every_master = cocotb.parametrize(master=list(MASTERS))


async def _walk(dut, master: str, steps: Iterable[Step]) -> None:
    await start(dut, dma_ready_i=0, **Apb.idle())
    bus, oracle = MASTERS[master](dut), Oracle(SHAPE | {"Scorer": DEFAULT_SCORER, "Arch": 0})
    count = 0
    for step in steps:
        want = oracle.answer(step)
        error, data = await bus.access(step, want)
        assert want.agrees(error, data), f"{step}: got PSLVERR {error}, {data}, expected {want}"
        count += 1
    assert count > 300, f"only {count} accesses"
    dut._log.info("%d accesses", count)


@cocotb.test()
@every_master
async def every_field(dut, master: str) -> None:
    """Resets, fields, single bits, bits that are not there, strobes; idle core."""
    await _walk(dut, master, fields(random))


@cocotb.test()
@every_master
async def every_hole(dut, master: str) -> None:
    """No address answers but the registers', and the registers do not move."""
    await _walk(dut, master, [*holes(), *reads()])


@cocotb.test()
@every_master
async def events_wait(dut, master: str) -> None:
    """EV_PUSH, CFG refused while an event waits, W1C."""
    await _walk(dut, master, pushes(random, SHAPE["EvDepth"]))


@cocotb.test()
@every_master
async def random_accesses(dut, master: str) -> None:
    """Anything anywhere, first without events."""
    steps = [*random_steps(random, 1500, push=False), *random_steps(random, 1500)]
    await _walk(dut, master, [*steps, *reads()])


@cocotb.test()
async def interrupt_fields(dut) -> None:
    """Each W1C field alone: it clears itself and nothing else; the level stays."""
    await start(dut, dma_ready_i=0, **Apb.idle())
    apb = Apb(dut)
    assert not await apb.write(address("CTRL"), 1 << CTRL_ENABLE)
    level, both = 1 << IRQ_RECORD, 1 << IRQ_ERROR | 1 << IRQ_REFUSED
    for value in range(8):
        bad = CoreEvent(EventCode.DONE, 1, 1, 0).word()  # of a free slot
        assert not await apb.write(address("EV_PUSH"), bad)
        assert await apb.write(address("EV_PUSH"), bad, 0b0111)
        for _ in range(20):
            await FallingEdge(dut.clk_i)
        assert await apb.read(address("IRQ_STATUS")) == (level | both, False)
        assert not await apb.write(address("IRQ_STATUS"), value)
        assert await apb.read(address("IRQ_STATUS")) == (level | both & ~value, False)
        assert not (await apb.read(address("DEC_POP")))[1]
        assert await apb.read(address("IRQ_STATUS")) == (both & ~value, False)


@pytest.mark.long
def test_fields() -> None:
    """One core, small and uneven."""
    run_block("unison", "tb.block.apb_registers.test_fields", SHAPE)
