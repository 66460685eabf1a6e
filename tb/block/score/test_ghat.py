"""The compact score's code of a gap average: every code, and values of every magnitude."""

import random

import cocotb
from cocotb.triggers import Timer

from tb.block.runner import run_block
from unison.contract import mask
from unison.contract.widths import GAP_W, GHAT_EXP_W, GHAT_FRAC_W
from unison.scoring import compact_code, compact_gap


@cocotb.test()
async def rounds_to_code(dut) -> None:
    """Corners of each octave, and random values: the code of the nearest value held."""
    rng = random.Random(random.getrandbits(32))
    values = {0, 1, mask(GAP_W)}
    for e in range(1, GAP_W + 1):
        top = min(1 << e, mask(GAP_W))
        step = 1 << max(e - 1 - GHAT_FRAC_W, 0)
        near = (0, 1, -1, step // 2, step // 2 - 1, -(step // 2), -(step // 2) - 1)
        values |= {v for d in near if 0 <= (v := top + d) <= mask(GAP_W)}
        values |= {rng.getrandbits(e) for _ in range(200)}
    for value in sorted(values):
        dut.ghat_i.value = value
        await Timer(1, unit="ns")
        want = compact_code(compact_gap(value))
        assert int(dut.code_o.value) == want, f"{value}: got {dut.code_o.value}, want {want:b}"


@cocotb.test()
async def every_code(dut) -> None:
    """Every code that a slot can hold."""
    for exponent in range(GAP_W):
        for fraction in range(1 << GHAT_FRAC_W):
            value = ((1 << GHAT_FRAC_W) + fraction << exponent) >> GHAT_FRAC_W
            dut.code_i.value = exponent << GHAT_FRAC_W | fraction
            await Timer(1, unit="ns")
            assert int(dut.ghat_o.value) == value, f"{exponent}, {fraction}"


def test_pack() -> None:
    """unison_ghat_pack."""
    run_block(
        "unison_ghat_pack",
        "tb.block.score.test_ghat",
        env={"COCOTB_TEST_FILTER": "rounds_to_code"},
    )


def test_unpack() -> None:
    """unison_ghat_unpack."""
    assert (GAP_W - 1).bit_length() == GHAT_EXP_W
    run_block(
        "unison_ghat_unpack", "tb.block.score.test_ghat", env={"COCOTB_TEST_FILTER": "every_code"}
    )
