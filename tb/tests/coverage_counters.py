"""Counters, latencies and the core's time near the end of their range, which no run lives to see.

The registers behind them are set from outside, to just below saturation; what counts from there on
are real events, and what the bus then reads must be the sum, saturated.
"""

import pyuvm
from cocotb.triggers import ClockCycles

from tb.uvm.base_test import BaseTest
from tb.uvm.handles import dut
from tb.uvm.scoreboard.totals import expected
from tb.uvm.sequences.counters import ReadCounters
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract import Cause, mask

EVENTS = 600
#: Counters of records and events, in the order of `unison_counters`; passes and latencies follow.
COUNTED = (
    "CNT_EVENTS", "CNT_COLD", "CNT_MISS", "CNT_HIT_SRAM", "CNT_HIT_HBM", "CNT_EVICT",
    "CNT_BYPASS", "CNT_PROMOTE", "CNT_DEMOTE", "CNT_REFUSED", "CNT_PASSES",
)  # fmt: skip
#: What is left below the top when events begin to count.
ROOM = 3


class ReadTime(RegisterSequence):
    """`values`: TIME, read twice in a row, at a tick a cycle."""

    async def body(self) -> None:
        await self.write("PRESCALE", 0)
        self.values = [await self.read("TIME"), await self.read("TIME")]


@pyuvm.test()
class CountersTest(BaseTest):
    """Every counter saturates, and every bit of it can be read back."""

    async def scenario(self) -> None:
        await self.configure(random_workload(self.settings, EVENTS))
        for value in (0x55555555, 0xAAAAAAAA, mask(32)):
            await self._set(value, value & mask(16))
            got = await self._read()
            wrong = {n for n in COUNTED if got[n] != value}
            assert not wrong, f"{sorted(wrong)} do not read {value:#x}"
        await self._set(mask(32) - ROOM, mask(16) - ROOM)
        await self.stream()
        self.env.scoreboard.finish()
        self.check()
        await self._compare()
        await self._set(0, 0)
        await self._time()

    async def _set(self, count: int, errors: int) -> None:
        """Put values into the counters, between two events."""
        counters = dut().dut.u_counters
        for i in range(len(COUNTED) + 1):
            counters.cnt_q[i].value = count
        for i in range(len(Cause)):
            counters.err_q[i].value = errors
        counters.sum_q.value = count
        counters.max_q.value = count
        await ClockCycles(dut().clk_i, 2)

    async def _read(self) -> dict[str, int]:
        reader = ReadCounters(len(Cause))
        await self.play(reader)
        return reader.values

    async def _compare(self) -> None:
        """Each counter holds what it began with and what came since, saturated."""
        board, got = self.env.scoreboard, await self._read()
        want = expected(board.golden, self.env.decisions.refused, self.env.ranks.passes)
        for name in COUNTED:
            value = min(mask(32), mask(32) - ROOM + want[name])
            assert got[name] == value, f"{name}: got {got[name]:#x}, expected {value:#x}"
        for i in range(len(Cause)):
            name = f"CNT_ERROR[{i}]"
            value = min(mask(16), mask(16) - ROOM + want[name])
            assert got[name] == value, f"{name}: got {got[name]:#x}, expected {value:#x}"
        assert got["LAT_SUM"] == mask(32), f"LAT_SUM: got {got['LAT_SUM']:#x}, expected saturation"
        assert got["LAT_EVENTS"] == mask(32), f"LAT_EVENTS: got {got['LAT_EVENTS']:#x}"

    async def _time(self) -> None:
        """The core's time wraps."""
        for value in (0x55555555, 0xAAAAAAAA, mask(32) - 2):
            reader = ReadTime("time")
            await self.play(reader)
            dut().dut.u_timebase.time_q.value = value
            await ClockCycles(dut().clk_i, 1)
            await self.play(reader)
            first, second = ((t - value) & mask(32) for t in reader.values)
            assert 0 < first < second < 20, f"TIME after {value:#x}: {reader.values}"
