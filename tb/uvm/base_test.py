"""Base of all tests: clock, reset, identification, checks at the end, and the result."""

import time

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, select
from pyuvm import uvm_sequence, uvm_test

from tb.settings import FUNCTIONAL_FILE, Settings
from tb.uvm.agents.apb_bus import CLOCK_NS
from tb.uvm.env import Env
from tb.uvm.handles import dut
from tb.uvm.ports import Sink
from tb.uvm.result import Progress, figures, save
from tb.uvm.scoreboard import ports
from tb.uvm.scoreboard.totals import differences, expected, latency_expected
from tb.uvm.sequences.configure import Configure, Identify
from tb.uvm.sequences.counters import ReadCounters
from tb.uvm.sequences.stream import EventStream
from tb.uvm.workload import Workload
from unison.contract import Cause
from unison.core.dma import DmaModel

#: Cycles that a slow DMA port is given to hand over its last descriptors.
DMA_PATIENCE = 20_000


class Mismatch(AssertionError):
    """The core and the reference differ; the message is the report."""


class BaseTest(uvm_test):
    """Subclasses write `scenario`. They may change `result` before it is saved."""

    def build_phase(self) -> None:
        super().build_phase()
        self.settings = Settings.from_environment()
        self.env = Env.create("env", self)
        self._progress: Progress | None = None
        self._progress_sink = Sink("progress", self, self._step)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.env.decisions.events_ap.connect(self._progress_sink)

    def _step(self, event) -> None:
        if self._progress is not None:
            self._progress.step(event)

    async def run_phase(self) -> None:
        self.raise_objection()
        self._began = time.monotonic()
        Clock(dut().clk_i, CLOCK_NS, unit="ns").start()
        await self.reset()
        await self.play(Identify(self.settings))
        self.result: dict = {}
        try:
            await self.scenario()
        except Mismatch as difference:
            self.settings.file("failure.txt").write_text(f"{difference}\n")
            raise
        seconds = time.monotonic() - self._began
        save(self.settings, figures(self.settings, self.env, seconds) | self.result)
        sampler = self.env.scoreboard.sampler
        # By index: iteration begins at either end, by simulator.
        counts = dut().u_port_watch.count_q
        sampler.ports([int(counts[i].value) for i in range(ports.COUNTS)])
        sampler.save(self.settings.file(FUNCTIONAL_FILE))
        self.drop_objection()

    async def restart(self) -> None:
        """Reset at once, wherever the clock is; the environment forgets with the core."""
        dut().rst_ni.value = 0
        self.env.mute()
        await ClockCycles(dut().clk_i, 4)
        while self.env.apb.driver.busy:
            await ClockCycles(dut().clk_i, 1)
        self.env.restart()
        dut().rst_ni.value = 1
        await ClockCycles(dut().clk_i, 2)
        self.env.mute(False)

    @property
    def sequencer(self):
        """Where APB sequences are played."""
        return self.env.apb.sequencer

    async def reset(self) -> None:
        """Hold reset for a few cycles."""
        dut().rst_ni.value = 0
        await ClockCycles(dut().clk_i, 4)
        dut().rst_ni.value = 1
        await ClockCycles(dut().clk_i, 2)

    async def scenario(self) -> None:
        """What this test does."""
        raise NotImplementedError

    async def play(self, sequence: uvm_sequence) -> None:
        """Run a sequence to its end, or up to the scoreboard's first difference."""
        await select(sequence.start(self.sequencer), self.env.scoreboard.stop.wait())
        self.check()

    def check(self) -> None:
        """Mismatch when the scoreboard has found a difference."""
        if self.env.scoreboard.failure is not None:
            raise Mismatch(self.env.scoreboard.failure)

    async def configure(self, workload: Workload, **options) -> None:
        """Prepare scoreboard and progress, and program the core over APB."""
        self.workload = workload
        board = self.env.scoreboard
        board.start(workload)
        stamped = not options.get("ts_ext", True)
        board.sampler.start(board.golden, self.settings, stamped)
        self._progress = Progress(self.settings, len(workload.events))
        await self.play(Configure(workload, **options))

    async def stream(self, events=None, **options) -> None:
        """Drive `events` (the workload's by default) with the DMA engine answering."""
        workload = self.workload
        sequence = EventStream(
            workload.events if events is None else events,
            self.env.dma,
            DmaModel(workload.dma_bw),
            self.env.scoreboard.sent,
            tide=workload.config.tide,
            **options,
        )
        await self.play(sequence)

    async def conclude(self) -> dict[str, int]:
        """Nothing may be left over, and every counter must agree; returns the counters."""
        board = self.env.scoreboard
        for _ in range(DMA_PATIENCE):
            if not board.moves_left:
                break
            await ClockCycles(dut().clk_i, 1)
        board.finish()
        self.check()
        reader = ReadCounters(len(Cause))
        await self.play(reader)
        want = expected(board.golden, self.env.decisions.refused, self.env.ranks.passes)
        want |= latency_expected(self.env.latencies)
        if wrong := differences(reader.values, want):
            board.failure = "MISMATCH in the counters\n  " + "\n  ".join(wrong)
            self.check()
        assert board.events > 0, "no event was replayed"
        assert board.records > 0, "no record was seen"
        return reader.values
