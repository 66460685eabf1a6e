"""unison_compare on ratio keys against exact fractions, and against the golden integer key."""

import random
from fractions import Fraction

import cocotb
from cocotb.triggers import Timer

from tb.block.runner import run_block
from unison.contract import mask
from unison.contract.widths import GAP_W, HAZARD_W, TIME_W
from unison.scoring.fixed import ratio_score

COUNT = 6000
DIV_W = HAZARD_W + 1
WIDTH = 1 + GAP_W + DIV_W


def _draw(rng: random.Random) -> tuple:
    """(in GAP, exact value, key, in GAP also the golden key) of a random slot."""
    if rng.random() < 0.15:
        ready = rng.choice((0, mask(TIME_W), rng.getrandbits(TIME_W)))
        return 0, Fraction(ready), ready
    divisor = rng.choice((1, 2, 255, 256, rng.randrange(1, 257)))
    # Close to a few ratios, so that they often differ by the least there is.
    ratio = Fraction(rng.choice((mask(GAP_W), 65536, 3 * 65536)), 256)
    ghat = rng.choice((round(ratio * divisor) + rng.randrange(-1, 2), rng.getrandbits(GAP_W)))
    ghat = min(max(ghat, 0), mask(GAP_W))
    key = 1 << (WIDTH - 1) | ghat << DIV_W | divisor
    golden = ratio_score(ghat, (1 << HAZARD_W) - divisor)
    return 1, Fraction(ghat, divisor), key, golden


@cocotb.test()
async def exact_order(dut) -> None:
    """Both answers, ties included; and the golden key's order is the fractions'."""
    rng = random.Random(random.getrandbits(32))
    ties = 0
    for _ in range(COUNT):
        a, b = _draw(rng), _draw(rng)
        dut.a_i.value, dut.b_i.value = a[2], b[2]
        await Timer(1, unit="ns")
        got = int(dut.above_o.value), int(dut.below_o.value)
        want = int(a[:2] > b[:2]), int(a[:2] < b[:2])
        assert got == want, f"{a} {b}: got {got}, expected {want}"
        if a[0] and b[0]:
            assert (a[3] > b[3], a[3] < b[3]) == (a[1] > b[1], a[1] < b[1]), f"golden {a} {b}"
            ties += a[1] == b[1]
    assert ties > 20, "hardly any ties"


def test_compare_ratios() -> None:
    """Cross-multiplication at the widths of the core."""
    run_block("unison_compare", "tb.block.compare.test_compare", {"Ratio": 1, "Width": WIDTH})
