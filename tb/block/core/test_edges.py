"""Values at which an answer changes, in step with the golden model or by the register map."""

import random
from dataclasses import replace

import cocotb
from cocotb.triggers import RisingEdge

from tb.block.bus import Apb, start
from tb.block.core.bench import Bench
from tb.block.core.test_ports import SHAPE
from tb.block.runner import run_block
from unison.contract import CoreEvent, EventCode, RecordKind, SlotState
from unison.contract.registers import address

REQ, OPEN, DONE = EventCode.REQ, EventCode.GAP_OPEN, EventCode.DONE


async def _play(bench: Bench, *steps: tuple[EventCode, int, int, int]) -> list:
    """Steps are (code, slot, tokens, ts); Tide only in the last. Returns its records."""
    bench.dut.dma_ready_i.value = 1
    records: list = []
    for n, step in enumerate(steps, 1):
        records = await bench.lockstep(CoreEvent(*step), tide=n == len(steps))
    return records


@cocotb.test()
async def both_bytes_of_the_bandwidth_make_the_budget(dut) -> None:
    """The gap prior is 1000 ticks: budgets of 996, 1003 and 2000 tokens, to the token."""
    for bw, budget in ((255, 996), (257, 1003), (512, 2000)):
        for size in (budget, budget + 1):
            bench = Bench(dut, random.Random(1))
            await bench.reset(capacity=(3000, 3000))
            bench.core.scorer = replace(bench.core.scorer, dma_bw=bw)
            assert not await bench.apb.write(address("DMA_BW"), bw)
            records = await _play(
                bench, (REQ, 0, 3000, 0), (REQ, 1, size, 0), (DONE, 0, 0, 0), (OPEN, 1, size, 1)
            )
            promoted = [r.kind for r in records] == [RecordKind.PROMOTE]
            assert promoted == (size == budget), f"bandwidth {bw}, size {size}: {records}"


@cocotb.test()
async def the_lower_of_two_equal_slots_is_demoted(dut) -> None:
    """The own slot against another of the same key, from above and from below."""
    for own, other in ((5, 3), (2, 3), (8, 7), (7, 8)):
        bench = Bench(dut, random.Random(1))
        await bench.reset(capacity=(80, 100))
        records = await _play(
            bench,
            (REQ, other, 40, 0), (REQ, own, 40, 0), (REQ, 9, 40, 0),
            (OPEN, 9, 40, 0), (REQ, 9, 40, 100),  # the shortest gap: to be promoted
            (OPEN, 9, 40, 200), (OPEN, other, 40, 200), (OPEN, own, 40, 200),
        )  # fmt: skip
        moved = [(r.kind, r.slot) for r in records]
        assert moved == [(RecordKind.DEMOTE, min(own, other)), (RecordKind.PROMOTE, 9)], moved


@cocotb.test()
async def the_lower_of_two_equal_slots_is_promoted(dut) -> None:
    """The same in the slow tier."""
    for own, other in ((5, 3), (2, 3), (8, 7), (7, 8)):
        bench = Bench(dut, random.Random(1))
        await bench.reset(capacity=(40, 200))
        records = await _play(
            bench, (REQ, 9, 40, 0), (REQ, other, 40, 0), (REQ, own, 40, 0), (DONE, 9, 0, 0),
            (OPEN, other, 40, 200), (OPEN, own, 40, 200),
        )  # fmt: skip
        assert [(r.kind, r.slot) for r in records] == [(RecordKind.PROMOTE, min(own, other))]


@cocotb.test()
async def capacities_shrink_to_what_is_used(dut) -> None:
    """To the token, for odd and even sizes, in both tiers."""
    for size in (7, 8):
        bench = Bench(dut, random.Random(1))
        await bench.reset(capacity=(size, size + 1))
        await _play(bench, (REQ, 0, size, 0), (REQ, 1, size, 0))
        for name in ("CAP_SRAM", "CAP_HBM"):
            assert await bench.apb.write(address(name), size - 1), f"{name} below {size}"
            assert not await bench.apb.write(address(name), size), f"{name} at {size}"


@cocotb.test()
async def each_state_refuses_what_it_must(dut) -> None:
    """Every event in every state of a slot; what is illegal there changes nothing."""
    close, mig = EventCode.GAP_CLOSE, EventCode.MIG_DONE
    paths = ((), ((REQ, 9),), ((REQ, 9), (OPEN, 9)), ((REQ, 9), (OPEN, 9), (close, 0)))
    for path in paths:
        bench = Bench(dut, random.Random(1))
        await bench.reset(capacity=(100, 100))
        await _play(bench, *((code, 3, tokens, 0) for code, tokens in path))
        faults = 0
        for code in (REQ, OPEN, close, DONE, mig):
            before = bench.core.slots[3].state
            records = await _play(bench, (code, 3, 9, 0))
            fault = [r.kind for r in records] == [RecordKind.ERROR]
            faults += fault
            if not fault and bench.core.slots[3].state != before:
                # Back to where the path leads.
                if bench.core.slots[3].state != SlotState.FREE:
                    await _play(bench, (DONE, 3, 0, 0))
                await _play(bench, *((code, 3, tokens, 0) for code, tokens in path))
        assert faults == {0: 4, 1: 3, 2: 2, 3: 3}[len(path)], f"{path}: {faults} faults"


@cocotb.test()
async def time_starts_at_zero(dut) -> None:
    """Also after a reset of a core whose time has run; the first tick takes a whole one."""
    for _ in range(2):
        await start(dut, dma_ready_i=0, **Apb.idle())
        apb = Apb(dut)
        assert await apb.read(address("TIME")) == (0, False)
        assert not await apb.write(address("PRESCALE"), 99)
        for _ in range(60):
            await RisingEdge(dut.clk_i)
        assert await apb.read(address("TIME")) == (0, False)
        assert not await apb.write(address("PRESCALE"), 0)
        for _ in range(50):
            await RisingEdge(dut.clk_i)
        assert (await apb.read(address("TIME")))[0] > 40


def test_edges() -> None:
    """A shape of test_core."""
    run_block("unison", "tb.block.core.test_edges", SHAPE)
