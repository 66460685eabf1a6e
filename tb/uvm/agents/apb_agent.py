"""APB agent: sequencer, driver and monitor when active, the monitor alone when passive."""

from pyuvm import uvm_agent, uvm_analysis_port, uvm_driver, uvm_monitor, uvm_sequencer

from tb.uvm.agents.apb_bus import ApbMaster, ApbWatcher
from tb.uvm.handles import dut


class ApbDriver(uvm_driver):
    """Hands each item's transfers to the pins. busy: one is under way."""

    busy = False

    async def run_phase(self) -> None:
        master = ApbMaster(dut(), dut().clk_i)
        while True:
            self.busy = False
            item = await self.seq_item_port.get_next_item()
            self.busy = True
            await master.send(item.transfers)
            self.seq_item_port.item_done()


class ApbMonitor(uvm_monitor):
    """Publishes every completed transfer on `ap`."""

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        self.watcher = ApbWatcher(dut(), dut().clk_i, callback=self.ap.write)


class ApbAgent(uvm_agent):
    """`ap`: completed transfers. `sequencer`: takes `ApbItem`s, None when passive."""

    def build_phase(self) -> None:
        super().build_phase()
        self.monitor = ApbMonitor.create("monitor", self)
        self.sequencer = self.driver = None
        if self.active():
            self.sequencer = uvm_sequencer.create("sequencer", self)
            self.driver = ApbDriver.create("driver", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.ap = self.monitor.ap
        if self.driver is not None:
            self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
