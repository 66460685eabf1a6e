"""The register map over APB, and what must be refused."""

import pyuvm

from tb.uvm.base_test import BaseTest
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.refusals import Refusals
from tb.uvm.sequences.register_walk import RegisterWalk


@pyuvm.test()
class RegistersTest(BaseTest):
    """Walks the map with the core idle, then refusals with events in it."""

    async def scenario(self) -> None:
        walk = RegisterWalk(self.settings.seed)
        await self.play(walk)
        # The walk writes EV_PUSH at unaligned addresses only, so nothing has entered.
        await self.configure(random_workload(self.settings, 1))
        refusals = Refusals(self.env.scoreboard.sent, self.workload.config.cap_sram)
        await self.play(refusals)
        await self.conclude()
        self.result = {"accesses": walk.accesses, "refused": refusals.refused}
