"""Both event ports at once, and the same traffic watched by a passive environment."""

from random import Random

import pyuvm
from cocotb.triggers import select
from pyuvm import ConfigDB, uvm_active_passive_enum

from tb.tests.stamps import FindPhase, listen_to_time
from tb.uvm.agents.dma_agent import DmaAgent
from tb.uvm.base_test import BaseTest
from tb.uvm.env import Env
from tb.uvm.scoreboard.decisions import APB, SIDEBAND
from tb.uvm.scoreboard.stamps import StampClock
from tb.uvm.sequences.mixed import Mixed
from tb.uvm.sequences.random_events import random_workload

EVENTS = 3000


@pyuvm.test()
class MixedTest(BaseTest):
    """Events that carry their time; each source's order is checked, and every record."""

    #: Whether events carry their time, else the core stamps them.
    ts_ext = True

    def end_of_elaboration_phase(self) -> None:
        super().end_of_elaboration_phase()
        self.rng = Random(self.settings.seed)
        self.driving.dma.pattern = DmaAgent.slow(Random(self.settings.seed), 300)

    @property
    def driving(self) -> Env:
        """The environment whose agents drive the pins."""
        return self.env

    async def scenario(self) -> None:
        count = self.settings.limit or EVENTS
        workload = random_workload(self.settings, count, migrations=1, times=self.ts_ext)
        await self.configure(workload, ts_ext=self.ts_ext)
        await self.prepare()
        mixed = Mixed(self.driving, self.workload.events, self.rng, self.ts_ext)
        await select(mixed.start(), self.env.scoreboard.stop.wait())
        self.check()
        await self.conclude()
        entered = self.env.scoreboard.entered
        assert entered[APB] == len(mixed.lists[0]), f"{entered}, sent {len(mixed.lists[0])}"
        assert entered[SIDEBAND] >= len(mixed.lists[1]) > 0, f"{entered}"
        # A short run need not fill the FIFO.
        assert mixed.apb.refused > 10 or self.settings.limit, "the event FIFO was never full"
        assert mixed.meddler.refused > 0, "no configuration write among the events"
        self.result = {
            "entered": entered, "refused": mixed.apb.refused, "meddled": mixed.meddler.refused
        }  # fmt: skip

    async def prepare(self) -> None:
        """Before the first event."""


@pyuvm.test()
class MixedStampsTest(MixedTest):
    """The core stamps both ports' events by the same counter."""

    ts_ext = False

    def connect_phase(self) -> None:
        super().connect_phase()
        self._listener = listen_to_time(self)
        self.clock: StampClock | None = None

    async def prepare(self) -> None:
        self.clock = self.env.scoreboard.stamps = StampClock(6)
        await self.play(FindPhase(6, self.clock))


@pyuvm.test()
class PassiveTest(MixedTest):
    """One environment drives, another only watches the pins; the second one judges alone."""

    def build_phase(self) -> None:
        passive = uvm_active_passive_enum.UVM_PASSIVE
        for agent in ("apb", "sideband", "dma", "records"):
            ConfigDB().set(self, f"env.{agent}", "is_active", passive)
        super().build_phase()
        self.driver_env = Env.create("driver_env", self)

    @property
    def driving(self) -> Env:
        return self.driver_env

    @property
    def sequencer(self):
        return self.driver_env.apb.sequencer

    async def configure(self, workload, **options) -> None:
        self.env.scoreboard.passive = True
        self.driver_env.scoreboard.start(workload)
        await super().configure(workload, **options)

    async def scenario(self) -> None:
        assert self.env.apb.driver is None and self.env.sideband.driver is None
        await super().scenario()
        # The driving side's own scoreboard knew what was sent; both must have come to the same.
        other = self.driver_env.scoreboard
        assert other.failure is None and other.records == self.env.scoreboard.records
