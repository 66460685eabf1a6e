"""The board top: its APB master sets the core up and keeps it deciding, without an error."""

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from synth.fpga import BOARD
from tb.block.bus import start
from tb.block.runner import run_block

CYCLES = 8000


@cocotb.test()
async def decides(dut) -> None:
    """After some laps of all slots: hits, evictions or bypasses, no ERROR, a moving signature."""
    await start(dut)
    signatures = set()
    for _ in range(CYCLES // 100):
        await ClockCycles(dut.clk_i, 100)
        signatures.add(int(dut.led_o.value) & 63)
        assert not int(dut.led_o.value) >> 7, "an error record or a refused access"
    core = dut.u_unison
    assert int(core.ctrl.value) == 5
    packed = int(core.cnt.value)
    counts = {name: packed >> 32 * i & 0xFFFFFFFF for i, name in enumerate(NAMES)}
    assert counts["events"] > 4 * int(dut.NumSlots.value)
    assert counts["hit_sram"] + counts["hit_hbm"] > 0
    assert counts["evict"] > 0
    assert counts["promote"] > 0, counts
    assert len(signatures) > 20


NAMES = ("events", "cold", "miss", "hit_sram", "hit_hbm", "evict", "bypass", "promote")


@pytest.mark.long
@pytest.mark.parametrize("size", [{"NumSlots": 16, "NumLanes": 2}, {}], ids=["small", "default"])
def test_board(size: dict[str, int]) -> None:
    run_block("unison_board", "synth.tests.test_board", size, bench=[BOARD])
