"""DMA descriptor port: a monitor and a ready driver on cocotb-bus."""

from collections.abc import Iterable, Iterator

from cocotb.triggers import RisingEdge
from cocotb_bus.drivers import BitDriver
from cocotb_bus.monitors import BusMonitor

from tb.uvm.items import Descriptor


class DmaWatcher(BusMonitor):
    """Recovers each accepted beat; checks that a beat holds still until it is taken."""

    _signals = ["valid", "ready", "promote", "slot", "tokens", "last"]

    def __init__(self, entity, clock, callback) -> None:
        super().__init__(entity, "dma", clock, callback=callback)

    def _beat(self) -> Descriptor:
        bus = self.bus
        return Descriptor(
            promote=bool(int(bus.promote.value)),
            slot=bus.slot.value.to_unsigned(),
            tokens=bus.tokens.value.to_unsigned(),
            last=bool(int(bus.last.value)),
        )

    async def _monitor_recv(self) -> None:
        bus = self.bus
        offered, edge = RisingEdge(bus.valid), RisingEdge(self.clock)
        while True:
            await offered
            await edge
            held = None
            while int(bus.valid.value):
                beat = self._beat()
                if held is not None and beat != held:
                    raise RuntimeError(f"DMA port: beat changed before ready: {held} to {beat}")
                if int(bus.ready.value):
                    self._recv(beat)
                    held = None
                else:
                    held = beat
                await edge
            if held is not None and int(self.entity.rst_ni.value):
                raise RuntimeError(f"DMA port: {held} withdrawn before ready")


class DmaReady:
    """Drives `ready`: always 1, or by a pattern of (cycles on, cycles off)."""

    def __init__(self, entity, clock, pattern: Iterable[tuple[int, int]] | None) -> None:
        entity.dma_ready.value = 1
        if pattern is not None:
            self._driver = BitDriver(entity.dma_ready, clock)
            self._driver.start(_nonempty(pattern))


def _nonempty(pattern: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for on, off in pattern:
        if on + off < 1:
            raise ValueError(f"ready pattern: got {on, off}, expected at least one cycle")
        yield on, off
