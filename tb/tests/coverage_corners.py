"""Corners that coverage asks for: the events of `coverage_script`, checked like any others."""

from dataclasses import replace

import pyuvm

from tb.tests.coverage_script import CAP_SRAM, Leg, legs
from tb.uvm.base_test import BaseTest
from tb.uvm.sequences.configure import Configure
from tb.uvm.sequences.stream import EventStream
from tb.uvm.workload import Workload
from unison.contract import mask
from unison.contract.widths import TURN_ENTRIES
from unison.core import CoreConfig
from unison.scoring import FloatScorer, Tables, elapsed_weights


@pyuvm.test()
class CornersTest(BaseTest):
    """One leg after the other, each under its own shift, tables and CTRL."""

    async def scenario(self) -> None:
        s = self.settings
        script = list(legs(s.form, s.slots))
        weights = elapsed_weights()
        tables = Tables((0.0,) * TURN_ENTRIES, weights, weights)
        await self.configure(
            Workload(
                CoreConfig(CAP_SRAM, mask(s.tok_w), s.slots, s.tok_w),
                script[0].scorer,
                FloatScorer(s.form, tables, 1000, 2, 0xFFFF),
                [e for leg in script for e in leg.events],
            )
        )
        for leg in script:
            await self._run(leg)
        await self.conclude()
        self.result = {"legs": len(script)}

    async def _run(self, leg: Leg) -> None:
        board = self.env.scoreboard
        config = replace(self.workload.config, tide=leg.tide)
        self.workload = replace(self.workload, config=config, fixed=leg.scorer)
        # Every leg ends in a record, so the golden core has caught up with the RTL.
        board.golden.config, board.golden.scorer = config, leg.scorer
        board.sampler.configured()
        await self.play(Configure(self.workload))
        # MIG_DONE is part of the script.
        await self.play(EventStream(leg.events, self.env.dma, None, board.sent))
