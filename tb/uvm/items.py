"""What travels between sequences, drivers, monitors and the scoreboard."""

from dataclasses import dataclass

from pyuvm import uvm_sequence_item

FULL_STROBE = 0xF


@dataclass(slots=True)
class Transfer:
    """One APB transfer: the request, and once it has completed the response.

    data: written, or read back (None: the simulator gave unknown bits).
    cycle: clock cycle at which it completed; set by the monitor.
    """

    address: int
    write: bool
    data: int | None = 0
    strobe: int = FULL_STROBE
    error: bool = False
    cycle: int = -1

    def __str__(self) -> str:
        what = "write" if self.write else "read"
        data = "unknown" if self.data is None else f"{self.data:#010x}"
        return f"{what} 0x{self.address:03x} {data}" + (" PSLVERR" if self.error else "")


class ApbItem(uvm_sequence_item):
    """A run of transfers, driven without idle cycles between them.

    A run instead of a single transfer, because an item costs more than a transfer does.
    """

    def __init__(self, transfers: list[Transfer]) -> None:
        super().__init__("apb")
        self.transfers = transfers


@dataclass(frozen=True, slots=True)
class Descriptor:
    """One beat of the DMA port."""

    promote: bool
    slot: int
    tokens: int
    last: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the ranking unit held at the end of a pass.

    event: events the core had counted when the pass ended; keys: raw key by candidate slot.
    """

    event: int
    keys: dict[int, int]


@dataclass(frozen=True, slots=True)
class Latency:
    """Latency of one event that yielded decisions, cycles."""

    cycles: int


@dataclass(frozen=True, slots=True)
class SidebandEvent:
    """One event of the sideband port: its words as for EV_PUSH and EV_TIME.

    gap: idle cycles before it. cycle: in which the core took it; set by the monitor.
    """

    word: int
    time_word: int
    gap: int = 0
    cycle: int = -1


class SidebandItem(uvm_sequence_item):
    """A run of sideband events."""

    def __init__(self, events: list[SidebandEvent]) -> None:
        super().__init__("sideband")
        self.events = events
