"""Decision monitor: events and records, rebuilt from the APB transfers that carry them."""

from collections.abc import Callable
from dataclasses import dataclass

from pyuvm import uvm_analysis_port, uvm_subscriber

from tb.uvm.items import FULL_STROBE, SidebandEvent, Transfer
from unison.contract import Record
from unison.contract.registers import address

_TIME, _PUSH = address("EV_TIME"), address("EV_PUSH")
_HEAD, _POP = address("DEC_HEAD"), address("DEC_POP")


#: Sources of events.
APB, SIDEBAND = "APB", "sideband"


@dataclass(frozen=True, slots=True)
class Pushed:
    """An event that the core accepted: its words as on the pins, when, and from which source."""

    word: int
    time_word: int
    cycle: int
    source: str = APB


class DecisionMonitor(uvm_subscriber):
    """Subscribes to APB transfers and, by `sideband`, to the events of the other port.

    events_ap: a `Pushed` for each event, in the order in which they enter the FIFO: the core takes
    one a cycle, and each monitor reports it in that cycle. records_ap: a `Record` for each
    DEC_POP. refused: event writes answered by PSLVERR. muted: transfers are dropped.
    """

    muted = False

    def build_phase(self) -> None:
        super().build_phase()
        self.events_ap = uvm_analysis_port("events_ap", self)
        self.records_ap = uvm_analysis_port("records_ap", self)
        self.restart()
        self._on: dict[tuple[int, bool], Callable[[Transfer], None]] = {
            (_TIME, True): self._set_time,
            (_PUSH, True): self._push,
            (_HEAD, False): self._see_head,
            (_POP, False): self._pop,
        }

    def restart(self) -> None:
        """The core has been reset."""
        self.refused = self._time = self._head = 0

    def write(self, tt: Transfer) -> None:
        """Take one completed transfer."""
        if self.muted:
            return
        handler = self._on.get((tt.address, tt.write))
        if handler is not None:
            handler(tt)

    def _set_time(self, t: Transfer) -> None:
        if not t.error:
            lanes = sum(0xFF << 8 * i for i in range(4) if t.strobe >> i & 1)
            self._time = self._time & ~lanes | t.data & lanes

    def _push(self, t: Transfer) -> None:
        if t.error:
            self.refused += 1
            return
        assert t.strobe == FULL_STROBE, f"{t}: accepted with PSTRB {t.strobe:04b}"
        self.events_ap.write(Pushed(t.data, self._time, t.cycle))

    def sideband(self, event: SidebandEvent) -> None:
        """Take one event of the sideband port."""
        self.events_ap.write(Pushed(event.word, event.time_word, event.cycle, SIDEBAND))

    def _see_head(self, t: Transfer) -> None:
        self._head = 0 if t.error else t.data

    def _pop(self, t: Transfer) -> None:
        if t.error:
            return
        self.records_ap.write(self.rebuild(self._head, t.data))
        # The next record needs a look at its own head.
        self._head = 0

    def rebuild(self, head: int, pop: int) -> Record:
        """The record of a DEC_HEAD and a DEC_POP word; ValueError when they hold none."""
        return Record.from_words(head, pop)
