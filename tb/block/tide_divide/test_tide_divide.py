"""unison_tide_divide against the contract's budget: the same decision as ghat * BW >> 8."""

import os
import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from tb.block.runner import run_block
from unison.contract import mask
from unison.contract.widths import BW_F, BW_W, GAP_W, TOK_W

COUNT = 6000
#: Cycles between changes of bandwidth and gap, which the unit takes as constant.
HOLD = 40


def _any(rng: random.Random, width: int) -> int:
    """A value of any magnitude, ends included."""
    if rng.random() < 0.2:
        return rng.choice((0, 1, mask(width), 1 << rng.randrange(width)))
    return rng.getrandbits(rng.randrange(1, width + 1))


@cocotb.test()
async def against_the_product(dut) -> None:
    """A size every cycle, mostly at the budget's edge; the answer exactly LATENCY cycles later."""
    latency = int(os.environ["LATENCY"])
    rng = random.Random(random.getrandbits(32))
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await FallingEdge(dut.clk_i)
    seen = {True: 0, False: 0}
    for n in range(COUNT // HOLD):
        # Small bandwidths by turns, 0 among them; then of any size.
        bw = n if n < 20 else _any(rng, BW_W)
        ghat = _any(rng, GAP_W)
        dut.bw_i.value, dut.ghat_i.value = bw, ghat
        budget = (ghat * bw) >> BW_F
        expected: list[bool] = []
        for i in range(HOLD):
            size = rng.choice((budget, budget + 1, budget - 1, _any(rng, TOK_W + 1)))
            size = min(max(size, 1), mask(TOK_W + 1))
            dut.size_i.value = size
            expected.append(size <= budget)
            await FallingEdge(dut.clk_i)
            if i + 1 >= latency:
                want = expected[i + 1 - latency]
                got = bool(int(dut.fits_o.value))
                assert got == want, f"bw {bw} ghat {ghat}: got {got}, expected {want}"
                seen[want] += 1
    assert min(seen.values()) > COUNT // 10, f"one answer is too rare: {seen}"


@pytest.mark.parametrize(
    "steps", [4, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3, 6, 8, 12, 24))]
)
def test_tide_divide(steps: int) -> None:
    """Each split of the divider into stages."""
    run_block(
        "unison_tide_divide",
        "tb.block.tide_divide.test_tide_divide",
        {"Steps": steps},
        {"LATENCY": str(24 // steps)},
    )
