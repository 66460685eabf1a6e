"""The DMA engine of a replay: answers each migration with a MIG_DONE (contract section 5)."""

from collections.abc import Iterable, Iterator

from unison.contract import CoreEvent, EventCode
from unison.contract.widths import BW_F


class DmaModel:
    """One engine, one migration at a time.

    bw: tokens per tick, raw Q8.8. ValueError when it is below 1.
    """

    def __init__(self, bw: int) -> None:
        if bw < 1:
            raise ValueError(f"DMA bandwidth: got {bw}, expected at least 1 (Q8.8)")
        self._bw = bw
        self._due: int | None = None

    def start(self, ts: int, tokens: int) -> None:
        """A migration of `tokens` begins at tick `ts`; it ends max(1, ceil(tokens/BW)) later.

        RuntimeError when one is under way: the core must not have started it.
        """
        if self._due is not None:
            raise RuntimeError(f"migration at tick {ts}: one is under way until {self._due}")
        self._due = ts + max(1, -(-(tokens << BW_F) // self._bw))

    def pop_due(self, ts: float) -> CoreEvent | None:
        """The MIG_DONE that comes ahead of any other event at tick `ts`, if there is one."""
        if self._due is None or self._due > ts:
            return None
        due, self._due = self._due, None
        return CoreEvent(EventCode.MIG_DONE, 0, 0, due)


def with_migrations(events: Iterable[CoreEvent], dma: DmaModel) -> Iterator[CoreEvent]:
    """`events` with the engine's MIG_DONE put in.

    The consumer calls `dma.start` for a migration before it asks for the next event.
    """
    for event in events:
        if (done := dma.pop_due(event.ts)) is not None:
            yield done
        yield event
    if (done := dma.pop_due(float("inf"))) is not None:
        yield done
