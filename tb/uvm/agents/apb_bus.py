"""APB pins: a driver and a monitor on cocotb-bus."""

from typing import NamedTuple

from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor

from tb.uvm.items import Transfer

CLOCK_NS = 10
_REQUEST = ("psel", "penable", "pwrite", "paddr", "pwdata", "pstrb", "pprot")
_RESPONSE = ("prdata", "pready", "pslverr")


def number(handle) -> int | None:
    """Value of a signal, None when a bit of it is unknown."""
    # Asking whether all bits are known first takes ten times as long.
    try:
        return handle.value.to_unsigned()
    except ValueError:
        return None


def cycle_now() -> int:
    """Clock cycles since the start of the simulation."""
    return int(get_sim_time("ns")) // CLOCK_NS


class Seen(NamedTuple):
    """What the pins show at the edge that may end a transfer."""

    ready: bool
    error: bool
    write: bool
    strobe: int
    address: int
    data: int | None


def see(top) -> Seen:
    """The word `apb_seen` of the test bench; data is None when a bit of it is unknown."""
    value = top.apb_seen.value
    try:
        word = value.to_unsigned()
        data = word & 0xFFFFFFFF
    except ValueError:
        # Only data may be unknown; control is what the protocol checker watches.
        word, data = int(str(value)[:-32], 2) << 32, None
    return Seen(
        bool(word >> 50), bool(word >> 49 & 1), bool(word >> 48 & 1),
        word >> 44 & 0xF, word >> 32 & 0xFFF, data,
    )  # fmt: skip


class ApbMaster(BusDriver):
    """Drives runs of transfers; `send(transfers)` fills in their responses."""

    _signals = [*_REQUEST, *_RESPONSE]

    def __init__(self, entity, clock) -> None:
        super().__init__(entity, "apb", clock)
        self._edge = RisingEdge(clock)
        self._held: dict[str, int] = {}
        self._aligned_at = -1.0
        for name in _REQUEST:
            self._put(name, 0)

    def _put(self, name: str, value: int) -> None:
        # A write through the GPI costs more than this look-up, and most bits hold still.
        if self._held.get(name) != value:
            self._held[name] = value
            getattr(self.bus, name).value = value

    async def _driver_send(self, transaction: list[Transfer], sync: bool = True) -> None:
        if sync and get_sim_time("step") != self._aligned_at:
            await self._edge
        for t in transaction:
            self._put("paddr", t.address)
            self._put("pwrite", int(t.write))
            if t.write:
                self._put("pwdata", t.data)
            self._put("pstrb", t.strobe if t.write else 0)
            self._put("psel", 1)
            self._put("penable", 0)
            await self._edge
            self._put("penable", 1)
            await self._edge
            while not (seen := see(self.entity)).ready:
                await self._edge
            t.error = seen.error
            if not t.write:
                t.data = seen.data
        self._put("psel", 0)
        self._put("penable", 0)
        self._aligned_at = get_sim_time("step")


class ApbWatcher(BusMonitor):
    """Recovers each completed transfer; asleep between access phases."""

    _signals = [*_REQUEST, *_RESPONSE]

    def __init__(self, entity, clock, callback) -> None:
        super().__init__(entity, "apb", clock, callback=callback)

    async def _monitor_recv(self) -> None:
        bus = self.bus
        access, edge = RisingEdge(bus.penable), RisingEdge(self.clock)
        while True:
            await access
            await edge
            while not (s := see(self.entity)).ready:
                await edge
            self._recv(Transfer(s.address, s.write, s.data, s.strobe, s.error, cycle_now()))
