"""Replay of a trace: every decision against the golden core, fidelity and drift measured."""

import pyuvm

from tb.uvm.base_test import BaseTest
from tb.uvm.workload import Workload, from_trace
from unison.contract import Outcome
from unison.core import EventCore
from unison.core.dma import DmaModel, with_migrations
from unison.core.replay import moved_tokens


def float_hit_rate(workload: Workload) -> float | None:
    """Hit rate of the same events when float64 takes every decision."""
    core, dma = EventCore(workload.config, workload.float64), DmaModel(workload.dma_bw)
    for event in with_migrations(workload.events, dma):
        if tokens := moved_tokens(core.step(event)):
            dma.start(event.ts, tokens)
    outcomes = core.counters.outcomes
    requests = sum(outcomes.values())
    hits = outcomes[Outcome.HIT_SRAM] + outcomes[Outcome.HIT_HBM]
    return hits / requests if requests else None


@pyuvm.test()
class ReplayTest(BaseTest):
    """The trace and envelope of the settings, from the first event to the last."""

    async def scenario(self) -> None:
        await self.configure(from_trace(self.settings))
        await self.stream()
        counters = await self.conclude()
        hits = counters["CNT_HIT_SRAM"] + counters["CNT_HIT_HBM"]
        requests = hits + counters["CNT_MISS"] + counters["CNT_COLD"]
        exact = float_hit_rate(self.workload)
        self.result = {
            "planned": len(self.workload.events),
            "hit_rate": hits / requests if requests else None,
            "float_hit_rate": exact,
            "drift_pp": abs(hits / requests - exact) * 100 if requests else None,
        }
