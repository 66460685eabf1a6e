"""unison_rank_linear against a brute-force ranking: both kinds of scan, and their cycles."""

import random

import cocotb
import pytest

from tb.block.bus import start
from tb.block.rank.test_rank import Bench
from tb.block.runner import run_block
from unison.contract import Tier
from unison.contract.widths import KEY_W, mask
from unison.scoring import Form

SCANS = 120
#: Cycles of a scan beyond its slots.
OVERHEAD = {Form.PRODUCT: 7, Form.QUOTIENT: 7, Form.RATIO: 3, Form.RECIPROCAL: 6}


class Linear(Bench):
    """One slot a row; the own slot is in the table when Tide asks."""

    def in_tier(self, tier: Tier, tide: bool) -> list[int]:
        """Candidates of a scan."""
        return [
            i for i, r in enumerate(self.table)
            if r.cand and r.tier == tier and (tide or i != self.own)
        ]  # fmt: skip

    def check_victims(self) -> None:
        """Sums, and the top of each choice of tiers."""
        dut = self.dut
        both = {t: self.in_tier(t, False) for t in (Tier.SRAM, Tier.HBM)}
        assert int(dut.sum_sram_o.value) == sum(self.table[i].tokens for i in both[Tier.SRAM])
        assert int(dut.sum_hbm_o.value) == sum(self.table[i].tokens for i in both[Tier.HBM])
        assert not int(dut.low_valid_o.value)
        self.check_keys(both[Tier.SRAM] + both[Tier.HBM])

    async def check_top(self, mask_: int, tide: bool) -> None:
        """The top for these tiers: the largest key, then the lowest slot."""
        dut = self.dut
        await self.cycle(mask=mask_)
        tiers = [t for b, t in enumerate((Tier.SRAM, Tier.HBM)) if mask_ >> b & 1]
        slots = [i for t in tiers for i in self.in_tier(t, tide)]
        assert int(dut.top_valid_o.value) == bool(slots)
        if slots:
            want = max(slots, key=lambda i: (self.key(i), -i))
            got = int(dut.top_slot_o.value), int(dut.top_hbm_o.value)
            assert got == (want, self.table[want].tier == Tier.HBM), f"mask {mask_}: got {got}"

    def check_placement(self) -> None:
        """The promotion candidate, and whether the SRAM's top is above it."""
        dut = self.dut
        hbm = self.in_tier(Tier.HBM, True)
        fitting = [i for i in hbm if self.table[i].tokens <= self.cap_sram]
        assert int(dut.low_valid_o.value) == bool(fitting)
        if not fitting:
            return
        p = min(fitting, key=lambda i: (self.key(i), i))
        assert int(dut.low_slot_o.value) == p
        if sram := self.in_tier(Tier.SRAM, True):
            above = max(self.key(i) for i in sram) > self.key(p)
            got = int(dut.top_key_o.value) > int(dut.low_key_o.value)
            assert got == above, f"order: got {got}, expected {above}"

    def check_keys(self, slots: list[int]) -> None:
        """The debug view."""
        keys = int(self.dut.dbg_key_q.value)
        assert int(self.dut.dbg_cand_q.value) == sum(1 << i for i in slots)
        for i in slots:
            assert keys >> i * KEY_W & mask(KEY_W) == self.key(i), f"key of slot {i}"

    async def cycle(self, **inputs: int) -> None:
        if "mask" in inputs:
            self.dut.mask_i.value = inputs.pop("mask")
        await super().cycle(**inputs)


@cocotb.test()
async def random_tables(dut) -> None:
    """Scans of both kinds over random tables, some aborted or overtaken by the other kind."""
    rng = random.Random(random.getrandbits(32))
    bench = Linear(dut, rng)
    zero = dict.fromkeys(
        ("start_i", "tide_i", "abort_i", "pop_i", "cand_i", "own_slot_i", "own_en_i", "mask_i",
         "row_k_i", "row_tok_i", "row_t_on_i", "row_ghat_i", "row_gap_i", "row_sram_i"), 0
    )  # fmt: skip
    await start(dut, **zero)
    for n in range(SCANS):
        bench.draw()
        tide = n % 2 == 1
        if rng.random() < 0.4:  # a scan that comes to nothing
            dut.tide_i.value = 0
            await bench.cycle(start_i=1)
            for _ in range(rng.randrange(2 * bench.slots)):
                await bench.cycle()
            dut.tide_i.value = int(tide)
            await bench.cycle(abort_i=int(rng.random() < 0.5))
            if tide:
                assert not int(dut.busy_o.value) and not int(dut.done_o.value)
            bench.draw()
        dut.tide_i.value = int(tide)
        cycles = await bench.run_pass()
        both = bench.in_tier(Tier.SRAM, tide) + bench.in_tier(Tier.HBM, tide)
        sparse = int(dut.Sparse.value)
        want = (max(1, len(both)) if sparse else bench.slots) + OVERHEAD[bench.form]
        assert cycles == want, f"scan: got {cycles} cycles, want {want}"
        assert not int(dut.dry_o.value)
        if tide:
            bench.check_placement()
            await bench.check_top(0b01, tide)
        else:
            bench.check_victims()
            for tiers in (1, 2, 3):
                await bench.check_top(tiers, tide)
            await bench.cycle(pop_i=1)
            assert int(dut.dry_o.value) == 3, "a popped scan must ask for another"


@pytest.mark.long
@pytest.mark.parametrize(
    ("slots", "form", "sparse"),
    [(64, 1, 0), (64, 2, 0), (16, 3, 0), (24, 0, 0), (256, 2, 0), (64, 2, 1), (16, 1, 1)],
)
def test_linear(slots: int, form: int, sparse: int) -> None:
    """NumSlots, scorer, whether slots are skipped."""
    shape = {"NumSlots": slots, "Scorer": form, "Sparse": sparse}
    run_block("unison_rank_linear", "tb.block.rank.test_linear", shape)
