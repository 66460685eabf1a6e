"""Sideband event pins: a driver and a monitor on cocotb-bus."""

from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor

from tb.uvm.agents.apb_bus import cycle_now
from tb.uvm.items import SidebandEvent
from unison.contract.widths import SLOT_W, TOK_W, mask

_SIGNALS = ["valid", "ready", "code", "slot", "tokens", "time"]


class SidebandMaster(BusDriver):
    """Drives runs of events; `send(events)` returns when the last one has been taken."""

    _signals = _SIGNALS

    def __init__(self, entity, clock) -> None:
        super().__init__(entity, "sb", clock)
        self._edge = RisingEdge(clock)
        self._aligned_at = -1.0
        self.bus.valid.value = 0

    async def _driver_send(self, transaction: list[SidebandEvent], sync: bool = True) -> None:
        if sync and get_sim_time("step") != self._aligned_at:
            await self._edge
        bus = self.bus
        for event in transaction:
            if event.gap:
                bus.valid.value = 0
                for _ in range(event.gap):
                    await self._edge
            bus.code.value = event.word >> (SLOT_W + TOK_W)
            bus.slot.value = event.word >> TOK_W & mask(SLOT_W)
            bus.tokens.value = event.word & mask(TOK_W)
            bus.time.value = event.time_word
            bus.valid.value = 1
            await self._edge
            while not int(bus.ready.value):
                await self._edge
        bus.valid.value = 0
        self._aligned_at = get_sim_time("step")


class SidebandWatcher(BusMonitor):
    """Recovers each event that is taken; checks that an offer holds still until then."""

    _signals = _SIGNALS

    def __init__(self, entity, clock, callback) -> None:
        super().__init__(entity, "sb", clock, callback=callback)

    def _offer(self) -> tuple[int, int]:
        bus = self.bus
        word = int(bus.code.value) << (SLOT_W + TOK_W)
        word |= bus.slot.value.to_unsigned() << TOK_W | bus.tokens.value.to_unsigned()
        return word, bus.time.value.to_unsigned()

    async def _monitor_recv(self) -> None:
        bus = self.bus
        offered, edge = RisingEdge(bus.valid), RisingEdge(self.clock)
        while True:
            await offered
            await edge
            held = None
            while int(bus.valid.value):
                seen = self._offer()
                if held is not None and seen != held:
                    raise RuntimeError(f"sideband: event changed before ready: {held} to {seen}")
                if int(bus.ready.value):
                    self._recv(SidebandEvent(*seen, cycle=cycle_now()))
                    held = None
                else:
                    held = seen
                await edge
            if held is not None:
                raise RuntimeError(f"sideband: {held} withdrawn before ready")
