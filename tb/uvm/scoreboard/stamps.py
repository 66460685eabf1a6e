"""Timestamps the core should have given, from reads of its TIME register alone."""


class StampClock:
    """Predicts the core's own counter at any cycle.

    prescale: the PRESCALE register; a tick lasts prescale + 1 cycles. The phase of the tick
    is not observable at once: every TIME read rules out phases until one is left.
    listening: for the owner's use; reads before it is set tell nothing about this prescale.
    """

    listening = False

    def __init__(self, prescale: int) -> None:
        self._period = prescale + 1
        self._origin: tuple[int, int] | None = None
        self._phases = set(range(self._period))

    def observe(self, cycle: int, time: int) -> None:
        """TIME read as `time` in a transfer that completed at `cycle`.

        AssertionError when no phase explains all reads so far: the counter is not regular.
        """
        if self._origin is None:
            self._origin = (cycle, time)
            return
        first_cycle, first = self._origin
        self._phases = {
            p for p in self._phases if first + (cycle - first_cycle + p) // self._period == time
        }
        assert self._phases, f"TIME {time} at cycle {cycle}: no steady tick explains it"

    @property
    def settled(self) -> bool:
        """Whether every later tick is determined."""
        return self._origin is not None and len(self._phases) == 1

    def at(self, cycle: int) -> int:
        """The counter at `cycle`, which an event pushed then must carry."""
        assert self.settled, f"{len(self._phases)} phases are left, expected 1"
        first_cycle, first = self._origin
        (phase,) = self._phases
        return first + (cycle - first_cycle + phase) // self._period
