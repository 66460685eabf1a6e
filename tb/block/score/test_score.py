"""The scoring pipelines against the model's integer formulas: values, latency, throughput."""

import os
import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from tb.block.runner import run_block
from unison.contract import mask
from unison.contract.widths import (
    COMPACT_W,
    GAP_W,
    HAZARD_W,
    ODDS_W,
    TIME_W,
    TURN_ENTRIES,
    TURN_GROUP,
    TURN_SINGLE,
    TURN_W,
    WEIGHT_ENTRIES,
    WEIGHT_W,
)
from unison.scoring import FixedScorer, Form, compact_code, compact_gap, raw_key

COUNT = 4000


def _corner(rng: random.Random, width: int) -> int:
    """A value of any magnitude, ends included."""
    kind = rng.randrange(8)
    if kind == 0:
        return 0
    if kind == 1:
        return mask(width)
    if kind == 2:
        return 1 << rng.randrange(width)
    return rng.getrandbits(rng.randrange(1, width + 1))


def _pack(column: tuple[int, ...], width: int) -> int:
    return sum(v << (i * width) for i, v in enumerate(column))


@cocotb.test()
async def against_formula(dut) -> None:
    """A new slot every cycle; the key comes out exactly LATENCY cycles later."""
    form, latency = Form(int(os.environ["FORM"])), int(os.environ["LATENCY"])
    product = form in (Form.PRODUCT, Form.COMPACT)  # scores that know the elapsed wait
    rng = random.Random(random.getrandbits(32))
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await FallingEdge(dut.clk_i)
    expected: list[int] = []
    for n in range(COUNT + latency):
        if n % 500 == 0:  # new tables, once the pipeline has drained of the old ones
            drained = len(expected)
            turn = tuple(_corner(rng, ODDS_W) for _ in range(TURN_ENTRIES))
            if form is Form.QUOTIENT:  # divisors 1 to 15, by turn
                turn = tuple(256 - i for i in range(1, 16)) + turn[15:]
            w, z = (tuple(_corner(rng, WEIGHT_W) for _ in range(WEIGHT_ENTRIES)) for _ in "wz")
            score = FixedScorer(
                form, tuple(t & 255 for t in turn) if form.by_hazard else turn, w, z, 0, 2, 0
            )
            dut.turn_i.value = _pack(turn, ODDS_W)
            if product:
                dut.w_i.value, dut.z_i.value = _pack(w, WEIGHT_W), _pack(z, WEIGHT_W)
        ts, t_on = rng.getrandbits(TIME_W), 0
        elapsed = _corner(rng, TIME_W)
        t_on = (ts - elapsed) & mask(TIME_W)
        ghat, k = _corner(rng, GAP_W), rng.randrange(1, 1 << TURN_W)
        if form is Form.QUOTIENT and rng.random() < 0.1:  # where the quotient just saturates
            k = rng.randrange(1, 16)
            ghat = k << GAP_W - 4 | rng.getrandbits(GAP_W - 4)
        gap, now = rng.random() < 0.8, rng.random() < 0.1 and product
        dut.ts_i.value, dut.t_on_i.value = ts, t_on
        if form is Form.COMPACT:
            ghat = compact_gap(ghat)
        dut.ghat_i.value = compact_code(ghat) if form is Form.COMPACT else ghat
        dut.k_i.value, dut.gap_i.value = k, int(gap)
        if product:
            dut.now_i.value = int(now)
        elapsed = 0 if now else elapsed
        key = score.gap_key(ghat, k, elapsed) if gap else score.ready_key(elapsed)
        # The compact score's key is the narrower of the two.
        expected.append(key[0] << COMPACT_W | key[1] if form is Form.COMPACT else raw_key(key))
        await FallingEdge(dut.clk_i)
        at = len(expected) - latency
        if at >= drained or (at >= 0 and n % 500 >= latency):
            got = int(dut.key_o.value)
            assert got == expected[at], f"slot {at}: got {got:#x}, want {expected[at]:#x}"


def test_product() -> None:
    """S_p and the READY key."""
    run_block(
        "unison_score_product", "tb.block.score.test_score", env={"FORM": "0", "LATENCY": "6"}
    )


def test_compact() -> None:
    """The product of small floats, and the READY key with its saturating age."""
    run_block(
        "unison_score_compact", "tb.block.score.test_score", env={"FORM": "4", "LATENCY": "6"}
    )


@pytest.mark.parametrize(
    "steps", [3, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 4, 6))]
)
def test_quotient(steps: int) -> None:
    """S_q at each split of the divider into stages."""
    run_block(
        "unison_score_quotient",
        "tb.block.score.test_score",
        {"Steps": steps},
        {"FORM": "1", "LATENCY": str(2 + 24 // steps)},
    )


@cocotb.test(skip=os.environ.get("FORM") != "3")
async def every_divisor(dut) -> None:
    """All 256 divisors, each at the largest gaps where its quotient steps, and at the ends."""
    rng = random.Random(random.getrandbits(32))
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    dut.gap_i.value = 1
    latency, entries = int(os.environ["LATENCY"]), 1 << HAZARD_W
    for block in range(0, entries, TURN_ENTRIES):
        turn = tuple(range(block, block + TURN_ENTRIES))
        dut.turn_i.value = _pack(turn, ODDS_W)
        score = FixedScorer(Form.RECIPROCAL, turn, (0,) * 16, (0,) * 16, 0, 2, 0)
        asked: list[tuple[int, int]] = []
        for i, hazard in enumerate(turn):
            d = entries - hazard
            k = i + 1 if i < TURN_SINGLE else TURN_SINGLE + TURN_GROUP * (i - TURN_SINGLE) + 1
            top = mask(GAP_W)
            # floor(16 ghat / d) steps at ghat = m d / 16; the largest m have the largest products.
            steps = [min(top, max(0, top - j * d // 16 - e)) for j in range(6) for e in (0, 1)]
            full = min(top, ((1 << 24) * d - 1) // 16)  # the last quotient before saturation
            steps += [0, 1, full, min(top, full + 1), rng.getrandbits(GAP_W) // d * d]
            asked += [(k, ghat) for ghat in steps]
        for n in range(len(asked) + latency):
            if n < len(asked):
                dut.k_i.value, dut.ghat_i.value = asked[n]
            await FallingEdge(dut.clk_i)
            at = n + 1 - latency
            if 0 <= at < len(asked):
                k, ghat = asked[at]
                want, got = raw_key(score.gap_key(ghat, k, 0)), int(dut.key_o.value)
                assert got == want, f"k {k} ghat {ghat}: got {got:#x}, expected {want:#x}"


def test_reciprocal() -> None:
    """S_q without a divider, over all divisors."""
    run_block(
        "unison_score_reciprocal", "tb.block.score.test_score", env={"FORM": "3", "LATENCY": "5"}
    )
