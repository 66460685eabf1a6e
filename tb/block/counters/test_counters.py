"""unison_counters: each counter counts its own, sums saturate, reset clears."""

import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from tb.block.bus import start
from tb.block.runner import run_block
from unison.contract import Cause, Outcome, RecordKind, mask

CYCLES = 3000
OUTCOMES = {Outcome.COLD: 1, Outcome.MISS: 2, Outcome.HIT_SRAM: 3, Outcome.HIT_HBM: 4}
KINDS = {
    RecordKind.EVICT: 5, RecordKind.BYPASS: 6, RecordKind.PROMOTE: 7, RecordKind.DEMOTE: 8,
}  # fmt: skip
SINGLE = {"event_i": 0, "refused_i": 9, "pass_i": 10}
EVENTS, SUM, MAX = 11, 12, 13


async def _check(dut, want: Counter, errors: Counter) -> None:
    got, err = int(dut.cnt_o.value), int(dut.err_o.value)
    for i in range(14):
        value = got >> 32 * i & mask(32)
        assert value == want[i], f"counter {i}: got {value}, want {want[i]}"
    for cause in Cause:
        value = err >> 16 * (cause - 1) & mask(16)
        assert value == errors[cause], f"{cause.name}: got {value}, want {errors[cause]}"


@cocotb.test()
async def random_counts(dut) -> None:
    """Any inputs at once; a record's fields also while there is none."""
    rng = random.Random(random.getrandbits(32))
    idle = dict.fromkeys((*SINGLE, "rec_i", "kind_i", "info_i", "lat_i", "lat_cycles_i"), 0)
    for part in range(3):
        await start(dut, **idle)
        want, errors = Counter(), Counter()
        await _check(dut, want, errors)
        width = (4, 20, 32)[part]
        for _ in range(CYCLES):
            rec, kind, info = rng.random() < 0.7, rng.choice(list(RecordKind)), rng.randrange(16)
            if kind == RecordKind.ERROR:
                info = rng.choice(list(Cause))
            lat, cycles = rng.random() < 0.3, rng.getrandbits(width)
            dut.rec_i.value, dut.kind_i.value, dut.info_i.value = int(rec), int(kind), int(info)
            dut.lat_i.value, dut.lat_cycles_i.value = int(lat), cycles
            for name, index in SINGLE.items():
                on = rng.random() < 0.5
                getattr(dut, name).value = int(on)
                want[index] += on
            if rec:
                if kind in KINDS:
                    want[KINDS[kind]] += 1
                elif kind == RecordKind.OUTCOME and info in set(Outcome):
                    want[OUTCOMES[Outcome(info)]] += 1
                elif kind == RecordKind.ERROR:
                    errors[info] += 1
            if lat:
                want[EVENTS] += 1
                want[SUM] = min(want[SUM] + cycles, mask(32))
                want[MAX] = max(want[MAX], cycles)
            await FallingEdge(dut.clk_i)
            if rng.random() < 0.02:
                await _check(dut, want, errors)
        await _check(dut, want, errors)
    assert want[SUM] == mask(32), "the sum was to saturate"


@cocotb.test()
async def saturation(dut) -> None:
    """A cause's counter stays at its top; the others' are 32 bits wide and are not run full."""
    await start(dut, event_i=0, refused_i=0, pass_i=0, lat_i=0, lat_cycles_i=0, rec_i=1,
                kind_i=int(RecordKind.ERROR), info_i=int(Cause.BAD_SLOT))  # fmt: skip
    for _ in range(mask(16) - 1):
        await FallingEdge(dut.clk_i)
    for want in (mask(16), mask(16), mask(16)):
        await FallingEdge(dut.clk_i)
        got = int(dut.err_o.value) >> 16 * (Cause.BAD_SLOT - 1) & mask(16)
        assert got == want, f"got {got}, want {want}"


@pytest.mark.long
def test_counters() -> None:
    """No parameters."""
    run_block("unison_counters", "tb.block.counters.test_counters")
