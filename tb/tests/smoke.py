"""Random events, legal and illegal, on a small pool."""

import pyuvm

from tb.uvm.base_test import BaseTest
from tb.uvm.sequences.random_events import random_workload

EVENTS = 3000


@pyuvm.test()
class SmokeTest(BaseTest):
    """Every event type, decision and fault cause that the parameters allow must occur."""

    async def scenario(self) -> None:
        count = self.settings.limit or EVENTS
        await self.configure(random_workload(self.settings, count, aged=True))
        await self.stream()
        await self.conclude()
        # A token field as wide as the bus word's cannot overflow.
        excused = {("any event", "ERROR TOKENS_OVER")} if self.settings.tok_w == 20 else set()
        if self.settings.slots == 256:
            excused.add(("any event", "ERROR BAD_SLOT"))
        missed = set(self.env.scoreboard.coverage.missed()) - excused
        assert not missed or self.settings.limit, f"never seen: {sorted(missed)}"
