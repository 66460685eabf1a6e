"""DMA agent: takes descriptors and tells the event sequence which migration began."""

from collections import deque
from collections.abc import Iterable, Iterator
from random import Random

from cocotb.triggers import Event
from pyuvm import uvm_agent, uvm_analysis_port

from tb.uvm.agents.dma_bus import DmaReady, DmaWatcher
from tb.uvm.handles import dut
from tb.uvm.items import Descriptor


class DmaAgent(uvm_agent):
    """Responder on the descriptor port; passive: its monitor alone.

    `ap`: every beat. `migration()`: tokens of the next finished descriptor list; it is the
    RTL's word, so what is driven depends on the design and not on the golden model.
    """

    #: (on, off) cycles of `ready`; None: always ready. Tests set it before the run phase.
    pattern: Iterable[tuple[int, int]] | None = None

    @classmethod
    def slow(cls, rng: Random, longest: int) -> Iterator[tuple[int, int]]:
        """A pattern: ready for a cycle, then away for a random time, often none at all."""
        while True:
            yield 1, rng.choice((0, 0, 1, rng.randrange(1, 8), rng.randrange(longest + 1)))

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)
        self._event = Event()
        self.restart()

    def restart(self) -> None:
        """The core has been reset."""
        self._tokens = 0
        self._finished: deque[int] = deque()

    async def run_phase(self) -> None:
        self._watcher = DmaWatcher(dut(), dut().clk_i, callback=self._take)
        if self.active():
            self._ready = DmaReady(dut(), dut().clk_i, self.pattern)

    def _take(self, beat: Descriptor) -> None:
        self._tokens += beat.tokens
        if beat.last:
            self._finished.append(self._tokens)
            self._tokens = 0
            self._event.set()
        self.ap.write(beat)

    def pending(self) -> bool:
        """Whether a finished list waits to be fetched by `migration`."""
        return bool(self._finished)

    async def migration(self) -> int:
        """Tokens of the next list of descriptors; waits for its last beat."""
        while not self._finished:
            self._event.clear()
            await self._event.wait()
        return self._finished.popleft()
