"""The cheapest killer: short random legs of the whole core, every record compared."""

import random

import cocotb

from tb.block.core.test_core import leg

LEGS, EVENTS = 3, 150


@cocotb.test()
async def quick(dut) -> None:
    """A few configurations, each from reset."""
    for n in range(LEGS):
        await leg(dut, random.Random(n), EVENTS)
