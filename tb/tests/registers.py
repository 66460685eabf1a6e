"""The register map over APB, its model (RAL), and what must be refused."""

import pyuvm

from tb.uvm.base_test import BaseTest
from tb.uvm.ral.front_door import Predictor, build
from tb.uvm.sequences.ral_walk import RalMirror, RalReset, RalWrites
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.refusals import Refusals
from tb.uvm.sequences.register_walk import RegisterWalk


@pyuvm.test()
class RegistersTest(BaseTest):
    """Walks the map with the core idle, model and pins, then refusals with events in it."""

    def build_phase(self) -> None:
        super().build_phase()
        self.predictor = Predictor.create("predictor", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.env.apb.ap.connect(self.predictor.analysis_export)

    async def scenario(self) -> None:
        model = self.predictor.model = build(self.env.apb.sequencer)
        reset = RalReset("ral_reset", model)
        await self.play(reset)
        walk = RegisterWalk(self.settings.seed, self.settings.parameters)
        await self.play(walk)
        # The walk went past the model: only the predictor can have told it.
        mirror = RalMirror("ral_mirror", model)
        await self.play(mirror)
        writes = RalWrites(model, self.predictor, self.settings.seed)
        await self.play(writes)
        await self.play(RalMirror("ral_mirror_again", model))
        # Nothing so far writes a whole EV_PUSH, so no event has entered.
        await self.configure(random_workload(self.settings, 1))
        refusals = Refusals(self.env.scoreboard.sent, self.workload.config.cap_sram)
        await self.play(refusals)
        await self.conclude()
        self.result = {
            "accesses": walk.accesses,
            "refused": refusals.refused,
            "model_checks": reset.checked + mirror.checked + writes.checked,
        }
