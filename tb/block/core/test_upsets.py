"""Single-bit upsets of the slot table: what becomes of the decisions and the accounts.

The core has no protection of the table. This test counts, by field, how often an upset was
masked, changed decisions, broke the accounts, or hung the core; it demands only what must always
hold: a reset heals. `OUT=page.md` in the environment writes the counts.
"""

import os
import random
from collections import Counter, defaultdict
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from tb.block.core.bench import Bench
from tb.block.core.stimulus import Stimulus
from tb.block.runner import run_block
from unison.contract import SlotState, Tier
from unison.contract.registers import address
from unison.contract.widths import TIME_W, TURN_W
from unison.scoring import DEFAULT_FORM

TOKW, SLOTS = 12, 16
BEFORE, AFTER = 40, 50
#: Bits of a field that are tried; all of them at length.
SOME = int(os.environ.get("UPSETS", "2"))
KINDS = ("masked", "decisions changed", "accounts broken", "hung")
_TITLE = f"""# Single-bit upsets of the slot table

Written by `OUT=$PWD/docs/results/upsets.md python -m pytest -m long
tb/block/core/test_upsets.py`: one bit of a slot that is resident and waits is
flipped between events, {AFTER} random events follow (16 slots, 12-bit tokens, Tide
on). The table has no parity, so nothing is detected. *Accounts broken*: USED_* is
no longer the sum of the slots, or above the capacity. *Hung*: an event is never
finished, or evicts without end. A reset heals all of it. Two parity bits a slot (one
for turns, tokens, onset, average, seen and state, which are written together; one
for the tier) would detect every row but the last: 2 flip-flops a slot, 128 at 64.
"""
#: Polls after which an event counts as never answered.
PATIENCE = 300
#: Records that no event of this core can cause; one that does loops for ever.
FLOOD = 2 * SLOTS + 8
GHAT_W = DEFAULT_FORM.ghat_w
#: Fields of a body word from its lowest bit on.
BODY = (("seen", 1), ("ghat", GHAT_W), ("t_on", TIME_W), ("tokens", TOKW), ("turns", TURN_W))


def _flips() -> list[tuple[str, str, int]]:
    """(field, array, bit) of every bit of a slot."""
    flips, bit = [], 0
    for field, width in BODY:
        flips += [(field, "body_q", bit + i) for i in range(width)]
        bit += width
    flips += [("tier", "tier_q", i) for i in range(2)] + [("state", "state_q", i) for i in range(2)]
    return [*flips, ("in flight", "fly_q", 0)]


class Run:
    """Events up to the upset in step with the golden model, and on without believing it."""

    def __init__(self, dut, seed: int) -> None:
        self.dut, self.seed = dut, seed

    async def start(self) -> None:
        """From reset to a core full of sessions."""
        self.rng = random.Random(self.seed)
        self.bench = Bench(self.dut, self.rng)
        await self.bench.reset(capacity=(400, 600))
        self.dut.dma_ready_i.value = 1
        self.stimulus = Stimulus(self.rng, self.bench.core, 14)
        self.stimulus.ts = 1000
        for _ in range(BEFORE):
            await self.bench.lockstep(self.stimulus.event(), tide=True)

    def flip(self, array: str, bit: int) -> None:
        """Invert one bit of a slot that is resident and waits."""
        slots = self.bench.core.slots
        waiting = [i for i, s in enumerate(slots) if s.tier and s.state != SlotState.ACTIVE]
        slot = self.rng.choice(waiting or [0])
        table = getattr(self.dut.u_slots, array)
        if array == "fly_q":
            table.value = int(table.value) ^ 1 << slot
        else:
            table[slot].value = int(table[slot].value) ^ 1 << bit

    async def go_on(self) -> bool | None:
        """More events; whether all records were the golden model's. None: the core hung."""
        same = True
        for _ in range(AFTER):
            event = self.stimulus.event()
            wanted = self.bench.core.step(event)
            apb = self.bench.apb
            await apb.write(address("EV_TIME"), event.time_word())
            assert not await apb.write(address("EV_PUSH"), event.word())
            got, left = [], PATIENCE
            while left:
                left -= 1
                busy = await self.bench.busy()
                while len(got) < FLOOD and (record := await self._pop()) is not None:
                    got.append(record)
                if not busy:
                    break
            if not left or len(got) >= FLOOD:
                return None
            same &= got == [r.words() for r in wanted]
        return same

    async def _pop(self) -> tuple[int, int] | None:
        head, _ = await self.bench.apb.read(address("DEC_HEAD"))
        if not head >> 31:
            return None
        return head, (await self.bench.apb.read(address("DEC_POP")))[0]

    async def accounts(self) -> bool:
        """Whether the accounts are the sums of the slots, and within the capacities."""
        table, sums = self.dut.u_slots, Counter()
        for i in range(SLOTS):
            body, tier = int(table.body_q[i].value), int(table.tier_q[i].value)
            sums[tier] += body >> (1 + GHAT_W + TIME_W) & (1 << TOKW) - 1 if tier else 0
        for tier, name in ((Tier.SRAM, "SRAM"), (Tier.HBM, "HBM")):
            used = (await self.bench.apb.read(address(f"USED_{name}")))[0]
            if used != sums[tier] or used > self.bench.core.capacity[tier]:
                return False
        return not sums[3]


@cocotb.test()
async def upsets(dut) -> None:
    """Bits of every field of a slot, with random traffic before and after."""
    counts: dict[str, Counter] = defaultdict(Counter)
    seed = 0
    for field, array, bit in [*_flips(), ("none", "", 0)]:
        if sum(counts[field].values()) >= SOME:
            continue
        seed += 1
        run = Run(dut, seed)
        await run.start()
        if array:
            run.flip(array, bit)
            await FallingEdge(dut.clk_i)
        same = await run.go_on()
        if same is None:
            counts[field]["hung"] += 1
        elif not await run.accounts():
            counts[field]["accounts broken"] += 1
        else:
            counts[field]["masked" if same else "decisions changed"] += 1
    assert counts.pop("none") == Counter(masked=1), "without an upset all must be right"
    page = _page(counts)
    dut._log.info("\n" + page)
    if out := os.environ.get("OUT"):
        Path(out).write_text(page)
    # No protection, so some upsets must show; a test that sees none has not flipped anything.
    assert sum(c["accounts broken"] + c["hung"] for c in counts.values()) > 0


def _page(counts: dict[str, Counter]) -> str:
    widths = Counter(field for field, _, _ in _flips())
    rows = [
        f"| {field} | {widths[field]} | " + " | ".join(str(c[k]) for k in KINDS) + " |"
        for field, c in counts.items()
    ]
    return "\n".join(
        [
            _TITLE,
            "| field | bits | " + " | ".join(KINDS) + " |",
            "|---" * (2 + len(KINDS)) + "|",
            *rows,
            "",
        ]
    )


@pytest.mark.parametrize("some", ["2", pytest.param("99", marks=pytest.mark.long)])
def test_upsets(some: str) -> None:
    """The shape of the table of faults."""
    shape = {"NumSlots": SLOTS, "NumLanes": 2, "TokW": TOKW, "EvDepth": 4, "DecDepth": 16}
    run_block("unison", "tb.block.core.test_upsets", shape, {"UPSETS": some})
