"""Probes into the core: ranking passes and event latencies, sampled when they change."""

from cocotb.triggers import RisingEdge, ValueChange
from pyuvm import uvm_analysis_port, uvm_monitor

from tb.uvm.agents.apb_bus import number
from tb.uvm.handles import dut
from tb.uvm.items import Latency, Ranking
from unison.contract.widths import KEY_W, mask


def candidate_keys(vector: int, keys: int) -> dict[int, int]:
    """Key by slot for the slots whose bit is set in `vector`; `keys` packs them by slot."""
    found = {}
    while vector:
        slot = (vector & -vector).bit_length() - 1
        found[slot] = keys >> (slot * KEY_W) & mask(KEY_W)
        vector &= vector - 1
    return found


class RankProbe(uvm_monitor):
    """Publishes a `Ranking` on `ap` at the end of each ranking pass."""

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)
        self.passes = 0

    async def run_phase(self) -> None:
        top = dut()
        edge = RisingEdge(top.clk_i)
        changed = ValueChange(top.probe_passes)
        # Before reset the count is anything.
        await RisingEdge(top.rst_ni)
        while True:
            await changed
            # Whatever changes with it has done so by the end of the cycle.
            await edge
            if not top.probe_passes.value.to_unsigned():
                continue  # a reset
            self.passes += 1
            vector = top.probe_cand.value.to_unsigned()
            keys = number(top.probe_keys)
            assert keys is not None, "ranking keys: unknown bits"
            self.ap.write(
                Ranking(top.probe_events.value.to_unsigned(), candidate_keys(vector, keys))
            )


class LatencyProbe(uvm_monitor):
    """Publishes the `Latency` of each event that yielded a decision, on `ap`."""

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        top = dut()
        edge = RisingEdge(top.clk_i)
        changed = ValueChange(top.probe_lat_events)
        await RisingEdge(top.rst_ni)
        total = 0
        while True:
            await changed
            # Whatever changes with it has done so by the end of the cycle.
            await edge
            if not top.probe_lat_events.value.to_unsigned():
                total = 0  # a reset
                continue
            value = top.probe_lat_sum.value.to_unsigned()
            self.ap.write(Latency(value - total))
            total = value
