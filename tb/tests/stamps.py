"""Events stamped by the core's own counter, at two prescales."""

import pyuvm

from tb.uvm.base_test import BaseTest
from tb.uvm.items import Transfer
from tb.uvm.ports import Sink
from tb.uvm.scoreboard.stamps import StampClock
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.registers import RegisterSequence
from tb.uvm.sequences.stream import EventStream
from unison.contract.registers import address

EVENTS = 1500
PRESCALES = (0, 6)
_TIME = address("TIME")


class FindPhase(RegisterSequence):
    """Sets PRESCALE, then reads TIME until the tick's phase is known."""

    def __init__(self, prescale: int, clock: StampClock) -> None:
        super().__init__("find_phase")
        self.prescale, self.clock = prescale, clock

    async def body(self) -> None:
        await self.write("PRESCALE", self.prescale)
        # A tick of the old length may still be under way; the first reads do not count.
        for _ in range(self.prescale + 2):
            await self.read("STATUS")
        self.clock.listening = True
        for _ in range(40 * (self.prescale + 1)):
            await self.read("TIME")
            if self.clock.settled:
                return
        raise AssertionError("TIME: its phase cannot be told")


def listen_to_time(test) -> Sink:
    """A sink on the test's APB monitor that shows its `clock`, if any, each read of TIME."""

    def listen(t: Transfer) -> None:
        if test.clock is not None and test.clock.listening and t.address == _TIME and not t.write:
            # The slave samples what it reads in the setup phase, a cycle before it answers.
            test.clock.observe(t.cycle - 1, t.data)

    sink = Sink("listener", test, listen)
    test.env.apb.ap.connect(sink)
    return sink


@pyuvm.test()
class StampsTest(BaseTest):
    """The stamp shows, to the tick, in the keys of slots in GAP and READY."""

    def connect_phase(self) -> None:
        super().connect_phase()
        self._listener = listen_to_time(self)
        self.clock: StampClock | None = None

    async def scenario(self) -> None:
        await self.configure(
            random_workload(self.settings, EVENTS, migrations=8, times=False), ts_ext=False
        )
        events = self.workload.events
        share = len(events) // len(PRESCALES)
        board = self.env.scoreboard
        for i, prescale in enumerate(PRESCALES):
            self.clock = board.stamps = StampClock(prescale)
            await self.play(FindPhase(prescale, self.clock))
            part = events[i * share : (i + 1) * share]
            await self.play(EventStream(part, self.env.dma, None, board.sent, ts_ext=False))
        await self.conclude()
        checks = board.snapshots.key_checks
        assert checks > 1000, f"{checks} keys compared, expected more than 1000"
