"""The scoreboard must notice: one record is falsified between the bus and the comparison."""

from dataclasses import replace

import pyuvm
from pyuvm import uvm_factory

from tb.uvm.base_test import BaseTest, Mismatch
from tb.uvm.scoreboard.decisions import DecisionMonitor
from tb.uvm.sequences.random_events import random_workload
from unison.contract import Record, RecordKind

FALSE_AT = 40


class FalseMonitor(DecisionMonitor):
    """Reports the first EVICT after `FALSE_AT` records with another slot."""

    def build_phase(self) -> None:
        super().build_phase()
        self.seen, self.falsified, self.position = 0, None, 0

    def rebuild(self, head: int, pop: int) -> Record:
        """As the base class, but for the one lie."""
        record = super().rebuild(head, pop)
        self.seen += 1
        if self.falsified is None and self.seen > FALSE_AT and record.kind == RecordKind.EVICT:
            self.falsified, self.position = record, self.seen
            record = replace(record, slot=record.slot ^ 1)
        return record


@pyuvm.test()
class NegativeTest(BaseTest):
    """Passes when the run stops at the falsified record with a readable report."""

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(DecisionMonitor, FalseMonitor)
        super().build_phase()

    async def scenario(self) -> None:
        await self.configure(random_workload(self.settings, 1000))
        try:
            await self.stream()
        except Mismatch as difference:
            report = str(difference)
        else:
            raise AssertionError("the falsified record went unnoticed")
        lie = self.env.decisions.falsified
        board = self.env.scoreboard
        assert board.records == self.env.decisions.position - 1, "it stopped at another record"
        for part in (
            "record differs",
            f"slot: expected {lie.slot}, got {lie.slot ^ 1}",
            "golden key",
            "expected  EVICT",
        ):
            assert part in report, f"report lacks {part!r}:\n{report}"
        # The difference was wanted: it is this test's result, not its failure.
        board.failure = None
        self.result = {"report": report}
