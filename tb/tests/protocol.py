"""The APB protocol checker must end a run: the master here breaks a rule once."""

import pyuvm
from pyuvm import uvm_factory

from tb.uvm.agents.apb_agent import ApbDriver
from tb.uvm.agents.apb_bus import ApbMaster
from tb.uvm.base_test import BaseTest, Mismatch
from tb.uvm.handles import dut
from tb.uvm.sequences.random_events import random_workload

RUNS = 12


class RogueMaster(ApbMaster):
    """Changes PADDR as PENABLE rises, once: to an address at which nothing happens."""

    rogue = False

    def _put(self, name: str, value: int) -> None:
        if name == "penable" and value and self.rogue:
            self.rogue = False
            super()._put("paddr", 0xFF0)
        super()._put(name, value)


class RogueDriver(ApbDriver):
    """As the base class, with another master; its `RUNS`th item goes wrong."""

    async def run_phase(self) -> None:
        master, runs = RogueMaster(dut(), dut().clk_i), 0
        while True:
            item = await self.seq_item_port.get_next_item()
            runs += 1
            master.rogue = runs == RUNS
            await master.send(item.transfers)
            self.seq_item_port.item_done()


@pyuvm.test()
class ProtocolTest(BaseTest):
    """Passes when the run stops with the name of the rule."""

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(ApbDriver, RogueDriver)
        super().build_phase()

    async def scenario(self) -> None:
        await self.configure(random_workload(self.settings, 300))
        try:
            await self.stream()
        except (Mismatch, AssertionError) as difference:
            report = self.env.scoreboard.failure or str(difference)
        else:
            raise AssertionError("the broken rule went unnoticed")
        wanted = "APB protocol: address, direction or protection moved (PADDR 0xff0)"
        assert wanted in report, report
        # The violation was wanted: it is this test's result, not its failure.
        self.env.scoreboard.failure = None
        self.result = {"report": report}
