"""unison_fifo: order, level, full and empty, refusals, against a deque."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import FallingEdge, RisingEdge

from tb.block.bus import start
from tb.block.runner import run_block

CYCLES = 4000


@cocotb.test()
async def random_traffic(dut) -> None:
    """Phases of pushing, of popping and of both; each cycle's outputs are checked."""
    depth, width = int(dut.Depth.value), int(dut.Width.value)
    await start(dut, push_i=0, pop_i=0, data_i=0)
    held: deque[int] = deque()
    seen = set()
    push_rate = pop_rate = 0.5
    for cycle in range(CYCLES):
        if cycle % 50 == 0:
            push_rate, pop_rate = random.choice(((1, 0), (0, 1), (1, 1), (0.7, 0.5), (0.4, 0.6)))
        push, pop = random.random() < push_rate, random.random() < pop_rate
        data = random.getrandbits(width)
        dut.push_i.value, dut.pop_i.value, dut.data_i.value = int(push), int(pop), data
        await RisingEdge(dut.clk_i)
        full, empty = len(held) == depth, not held
        seen.add((full, empty, push, pop))
        if pop and not empty:
            held.popleft()
        if push and not full:
            held.append(data)
        await FallingEdge(dut.clk_i)
        assert int(dut.level_o.value) == len(held), f"cycle {cycle}: level"
        assert int(dut.full_o.value) == (len(held) == depth), f"cycle {cycle}: full"
        assert int(dut.empty_o.value) == (not held), f"cycle {cycle}: empty"
        if held:
            assert int(dut.data_o.value) == held[0], f"cycle {cycle}: head"
    for push in (False, True):
        for pop in (False, True):
            assert (True, False, push, pop) in seen, "full was not met with every request"
            assert (False, True, push, pop) in seen, "empty was not met with every request"


@pytest.mark.parametrize(
    "depth", [2, 5, *(pytest.param(n, marks=pytest.mark.long) for n in (8, 16))]
)
def test_fifo(depth: int) -> None:
    """Depths: the smallest, one that is no power of two, the core's own."""
    run_block("unison_fifo", "tb.block.fifo.test_fifo", {"Depth": depth, "Width": 49})
