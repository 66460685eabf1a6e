"""Sideband agent: sequencer, driver and monitor when active, the monitor alone when passive."""

from pyuvm import uvm_agent, uvm_analysis_port, uvm_driver, uvm_monitor, uvm_sequencer

from tb.uvm.agents.sideband_bus import SidebandMaster, SidebandWatcher
from tb.uvm.handles import dut


class SidebandDriver(uvm_driver):
    """Hands each item's events to the pins, with their gaps."""

    async def run_phase(self) -> None:
        master = SidebandMaster(dut(), dut().clk_i)
        while True:
            item = await self.seq_item_port.get_next_item()
            await master.send(item.events)
            self.seq_item_port.item_done()


class SidebandMonitor(uvm_monitor):
    """Publishes every event that the core takes on `ap`."""

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        self.watcher = SidebandWatcher(dut(), dut().clk_i, callback=self.ap.write)


class SidebandAgent(uvm_agent):
    """`ap`: events taken. `sequencer`: takes `SidebandItem`s, None when passive."""

    def build_phase(self) -> None:
        super().build_phase()
        self.monitor = SidebandMonitor.create("monitor", self)
        self.sequencer = self.driver = None
        if self.active():
            self.sequencer = uvm_sequencer.create("sequencer", self)
            self.driver = SidebandDriver.create("driver", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.ap = self.monitor.ap
        if self.driver is not None:
            self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
