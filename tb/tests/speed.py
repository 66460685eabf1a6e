"""Cost of a checked event against a bare cocotb write loop, in the same simulator run.

`PROFILE=file` in the environment writes a Python profile of the checked part.
"""

import cProfile
import os
import time
from dataclasses import replace

import cocotb
import pyuvm
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

from tb.uvm.agents.apb_bus import CLOCK_NS, cycle_now
from tb.uvm.base_test import BaseTest
from tb.uvm.workload import from_trace
from unison.contract.registers import address

WRITES, EVENTS = 4000, 3000
_bare: dict[str, float] = {}


# Named so that the runner's filter for SpeedTest takes it too, ahead of it: no monitor runs yet.
@cocotb.test(name="bare.SpeedTest", stage=-1)
async def bare(top) -> None:
    """Back-to-back writes of EV_TIME by a loop that does nothing else."""
    clock = cocotb.start_soon(Clock(top.clk_i, CLOCK_NS, unit="ns").start())
    top.apb_psel.value = top.apb_penable.value = 0
    top.rst_ni.value = 0
    await ClockCycles(top.clk_i, 4)
    top.rst_ni.value = 1
    edge = RisingEdge(top.clk_i)
    await edge
    top.apb_pwrite.value, top.apb_pstrb.value, top.apb_pprot.value = 1, 15, 0
    top.apb_paddr.value = address("EV_TIME")
    began, first = time.monotonic(), cycle_now()
    for n in range(WRITES):
        top.apb_psel.value, top.apb_penable.value, top.apb_pwdata.value = 1, 0, n
        await edge
        top.apb_penable.value = 1
        await edge
    seconds = time.monotonic() - began
    top.apb_psel.value = top.apb_penable.value = 0
    _bare.update(us=seconds * 1e6 / WRITES, cycles_per_s=(cycle_now() - first) / seconds)
    await edge
    clock.cancel()


@pyuvm.test()
class SpeedTest(BaseTest):
    """The head of GAIA/Gemma4 at gpu, everything checked."""

    async def scenario(self) -> None:
        settings = replace(
            self.settings, trace="gaia_gemma4", envelope="gpu", limit=self.settings.limit or EVENTS
        )
        await self.configure(from_trace(settings))
        self.transfers = 0
        self.env.apb.monitor.watcher.add_callback(self._count)
        profile = cProfile.Profile() if os.environ.get("PROFILE") else None
        if profile:
            profile.enable()
        began, first = time.monotonic(), cycle_now()
        await self.stream()
        seconds, cycles = time.monotonic() - began, cycle_now() - first
        if profile:
            profile.disable()
            profile.dump_stats(os.environ["PROFILE"])
        await self.conclude()
        events = self.env.scoreboard.events
        self.result = {
            "us_per_bare_write": round(_bare["us"], 1),
            "us_per_event": round(seconds * 1e6 / events, 1),
            "us_per_transfer": round(seconds * 1e6 / self.transfers, 1),
            "transfers_per_event": round(self.transfers / events, 2),
            "cycles_per_event": round(cycles / events, 2),
            # A bare loop needs two writes to enter an event, and reads nothing.
            "speed_per_event": round(2 * _bare["us"] / (seconds * 1e6 / events), 3),
            "speed_per_transfer": round(_bare["us"] / (seconds * 1e6 / self.transfers), 3),
            "speed_per_cycle": round(cycles / seconds / _bare["cycles_per_s"], 3),
        }

    def _count(self, _transfer) -> None:
        self.transfers += 1
