"""The latency formulas of docs/design.md against the core's own counters, event by event."""

import os
import random
from collections import Counter

import cocotb
import pytest

from tb.block.core.bench import Bench
from tb.block.core.stimulus import Stimulus
from tb.block.runner import run_block
from unison.contract import CoreEvent, EventCode, Record, RecordKind, Tier
from unison.contract.encodings import Arch
from unison.contract.registers import address
from unison.core import EventCore
from unison.scoring import Form

EVENTS = int(os.environ.get("EVENTS", "500"))
LEGS = 4
#: Cycles from a pass's start to its results, beyond the rows or slots it looks at.
PASS = {
    Arch.ROWS: {Form.COMPACT: 8, Form.PRODUCT: 8, Form.QUOTIENT: 12, Form.RECIPROCAL: 7},
    Arch.LINEAR: {Form.PRODUCT: 7, Form.QUOTIENT: 7, Form.RATIO: 3, Form.RECIPROCAL: 6},
}
PASS[Arch.SPARSE] = PASS[Arch.LINEAR]
#: Stages of Tide's divider, where there is one.
DIVIDER = 6


class Formula:
    """Latency of an event with decisions; docs/design.md, Latency."""

    def __init__(self, arch: Arch, form: Form, slots: int, lanes: int) -> None:
        self.arch, self.slots, self.lanes = arch, slots, lanes
        self.over = PASS[arch][form]
        divides = arch is Arch.LINEAR and form in (Form.QUOTIENT, Form.RECIPROCAL)
        self.divider = DIVIDER if divides else 0

    def scan(self, core: EventCore, event: CoreEvent) -> int:
        """Cycles of the event's first pass; `core` is about to take the event."""
        if self.arch is Arch.LINEAR:
            return self.slots + self.over
        used = {
            i // self.lanes for t in (Tier.SRAM, Tier.HBM) for i in core.candidates(t, event.slot)
        }
        if event.code == EventCode.GAP_OPEN and self.arch is Arch.ROWS:
            used.add(event.slot // self.lanes)
        return max(1, len(used)) + self.over

    def placing(self, core: EventCore, records: list[Record]) -> int:
        """Cycles of Tide's own scan; `core` has taken the event, which yielded `records`."""
        if self.arch is not Arch.SPARSE:
            return self.slots + self.over
        moved = {r.slot for r in records if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE)}
        left = {i for t in (Tier.SRAM, Tier.HBM) for i in core.candidates(t)}
        return len(left | moved) + self.over

    def cycles(
        self, scan: int, request: bool, resident: bool, records: list[Record], placing: int
    ) -> int | None:
        """Cycles to the last decision; None: the formula depends on more than is known here.

        scan: of the first pass; request: a REQ; resident: the own session was; placing: of Tide's.
        """
        kinds = Counter(r.kind for r in records)
        evictions = kinds[RecordKind.EVICT]
        last = 0
        if evictions or kinds[RecordKind.BYPASS]:
            last = max(scan + 1, 6 if request else 5)
        if evictions > 1:
            if self.arch is Arch.ROWS:
                return None  # by the lanes of the victims
            gone = self.arch is Arch.SPARSE  # each scan has one candidate less
            last += sum(scan + 1 - gone * n for n in range(1, evictions))
        if not kinds[RecordKind.PROMOTE]:
            return last
        # The cycle in which Tide begins to wait: after Room, Place if there is one, and Commit.
        wait = 4 + resident + 1
        if last:
            if self.arch is Arch.ROWS:
                return None  # whether the victims were what Tide would read
            wait = last + (2 if evictions else 1) + 1
        wait += kinds[RecordKind.PLACE]
        chosen = max(wait, scan + 1) if self.arch is Arch.ROWS else wait + placing
        return chosen + 3 + self.divider + 2 * kinds[RecordKind.DEMOTE]


@cocotb.test()
async def every_decision(dut) -> None:
    """Random events one by one, FIFOs kept empty; each event with decisions against the formula."""
    seen: Counter[str] = Counter()
    for _ in range(LEGS):
        rng = random.Random(random.getrandbits(32))
        bench = Bench(dut, rng)
        bench.dma_rate = 1.0
        await bench.reset()
        engine = cocotb.start_soon(bench.dma())
        core, apb = bench.core, bench.apb
        params = (await apb.read(address("PARAMS")))[0]
        variant = (await apb.read(address("VARIANT")))[0]
        formula = Formula(Arch(variant >> 3 & 3), Form(variant & 7), params & 511, params >> 9 & 31)
        stimulus = Stimulus(rng, core, rng.choice((8, 20, 64)))
        total = 0
        for _ in range(EVENTS):
            event = stimulus.event()
            known = event.slot < len(core.slots)
            resident = known and core.slots[event.slot].tier != Tier.NONE
            scan = formula.scan(core, event)
            records = await bench.lockstep(event, tide=core.config.tide)
            now = (await apb.read(address("LAT_SUM")))[0]
            got, total = now - total, now
            request = event.code == EventCode.REQ
            want = formula.cycles(scan, request, resident, records, formula.placing(core, records))
            if want is None:
                seen["unknown"] += 1
                continue
            what = " ".join(r.kind.name for r in records)
            assert got == want, f"{event}: {what}: got {got} cycles, expected {want}"
            if want:
                seen.update({r.kind.name for r in records})
        engine.cancel()
    dut._log.info(str(seen))
    wanted = {"EVICT", "BYPASS", "PROMOTE", "DEMOTE", "PLACE"}
    assert wanted <= set(seen), f"never seen: {wanted - set(seen)}"


SHAPES = [
    *((n, 1, form, Arch.SPARSE) for n, form in ((64, 2), (16, 0))),
    *((n, 1, form, Arch.LINEAR) for n, form in ((16, 0), (64, 1), (16, 2), (64, 2), (16, 3))),
    *((n, lanes, form, Arch.ROWS)
      for n, lanes, form in ((64, 4, 4), (64, 4, 0), (16, 1, 1), (64, 2, 3))),
]


@pytest.mark.long
@pytest.mark.parametrize(("slots", "lanes", "form", "arch"), SHAPES)
def test_latency(slots: int, lanes: int, form: int, arch: Arch) -> None:
    """NumSlots, NumLanes, scorer, architecture; a decision FIFO that never fills."""
    shape = {
        "NumSlots": slots, "NumLanes": lanes, "Scorer": form, "Arch": int(arch), "EvDepth": 4,
        "DecDepth": 63,
    }  # fmt: skip
    run_block("unison", "tb.block.core.test_latency", shape)
