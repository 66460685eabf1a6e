"""unison_latency: cycles from an event's first to its last decision, both counted."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, RisingEdge

from tb.block.bus import start
from tb.block.runner import run_block

EVENTS = 400


@cocotb.test()
async def random_events(dut) -> None:
    """Events of one to sixty cycles with any decisions in them, idle cycles between some."""
    rng = random.Random(random.getrandbits(32))
    for part in range(4):
        # The last event of a part is cut by the reset, after a decision.
        await start(dut, first_i=1, decision_i=0, end_i=0)
        for n in range(EVENTS):
            for _ in range(rng.choice((0, 0, 3))):  # waiting for an event is its first cycle
                dut.first_i.value, dut.decision_i.value, dut.end_i.value = 1, 0, 0
                await FallingEdge(dut.clk_i)
            cycles, rate = rng.randrange(1, 61), rng.choice((0.0, 0.1, 0.7))
            last = 0
            for cycle in range(1, cycles + 1):
                decision, end = rng.random() < rate, cycle == cycles
                dut.first_i.value = int(cycle == 1)
                dut.decision_i.value, dut.end_i.value = int(decision), int(end)
                last = cycle if decision else last
                await RisingEdge(dut.clk_i)
                valid = int(dut.valid_o.value)
                assert valid == (end and last > 0), f"{part}.{n}, cycle {cycle}: valid {valid}"
                if valid:
                    got = int(dut.cycles_o.value)
                    assert got == last, f"{part}.{n}: got {got} cycles, want {last}"
                await FallingEdge(dut.clk_i)
        dut.first_i.value, dut.decision_i.value, dut.end_i.value = 0, 1, 0
        await FallingEdge(dut.clk_i)


@pytest.mark.long
def test_latency() -> None:
    """No parameters."""
    run_block("unison_latency", "tb.block.latency.test_latency")
