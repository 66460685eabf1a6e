"""unison_rank against a brute-force ranking: results, order of runners-up, cycles of a pass."""

import random
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import FallingEdge, Timer

from tb.block.bus import start
from tb.block.runner import run_block
from unison.contract import Tier, mask
from unison.contract.widths import (
    COMPACT_W,
    GAP_W,
    KEY_W,
    TIME_W,
    TOK_W,
    TURN_ENTRIES,
    WEIGHT_ENTRIES,
)
from unison.scoring import FixedScorer, Form, compact_code, compact_gap, raw_key

PASSES = 150
#: Cycles of a pass beyond its rows.
OVERHEAD = {Form.PRODUCT: 8, Form.QUOTIENT: 12, Form.RECIPROCAL: 7, Form.COMPACT: 8}


@dataclass
class Row:
    """What the slot table holds of one slot."""

    cand: bool
    tier: Tier
    gap: bool
    t_on: int
    ghat: int
    k: int
    tokens: int


class Bench:
    """The unit, a slot table that answers its row reads, and the reference."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.slots, self.lanes = int(dut.NumSlots.value), int(dut.NumLanes.value)
        self.form = Form(int(dut.Scorer.value))
        self.table: list[Row] = []
        compact = self.form is Form.COMPACT
        self.ghat_w, self.key_w = self.form.ghat_w, COMPACT_W + 1 if compact else KEY_W
        self.held = compact_gap if compact else lambda ghat: ghat
        self.code = compact_code if compact else lambda ghat: ghat

    def draw(self) -> None:
        """A new table: sparse or full, distinct or nearly all alike, so that ties abound."""
        rng = self.rng
        alike, density = rng.random() < 0.5, rng.choice((0.0, 0.05, 0.3, 0.9, 1.0))
        width = TURN_ENTRIES
        top = 256 if self.form.by_hazard else 1 << 16
        turn = tuple(rng.choice((3, 200)) if alike else rng.randrange(top) for _ in range(width))
        w, z = (
            tuple(16 if alike else rng.randrange(1 << 16) for _ in range(WEIGHT_ENTRIES))
            for _ in "wz"
        )
        self.score = FixedScorer(self.form, turn, w, z, 0, 2, 0)
        self.ts = rng.getrandbits(TIME_W)
        budget = mask(TOK_W) // self.slots
        self.table = [
            Row(
                cand=rng.random() < density,
                tier=rng.choice((Tier.SRAM, Tier.HBM)),
                gap=rng.random() < 0.7,
                t_on=(self.ts - rng.choice((1, 9, rng.getrandbits(24)))) & mask(TIME_W),
                ghat=self.held(rng.choice((5, 6)) if alike else rng.getrandbits(GAP_W)),
                k=rng.choice((1, 2)) if alike else rng.randrange(1, 256),
                tokens=rng.randrange(1, budget),
            )
            for _ in range(self.slots)
        ]
        self.cap_sram = rng.choice((0, budget // 2, mask(TOK_W)))
        self.own, self.own_en = rng.randrange(self.slots), rng.random() < 0.5
        dut = self.dut
        dut.turn_i.value = sum(v << 16 * i for i, v in enumerate(turn))
        dut.w_i.value = sum(v << 16 * i for i, v in enumerate(w))
        dut.z_i.value = sum(v << 16 * i for i, v in enumerate(z))
        dut.ts_i.value, dut.cap_sram_i.value = self.ts, self.cap_sram
        dut.own_slot_i.value, dut.own_en_i.value = self.own, int(self.own_en)
        dut.cand_i.value = sum(1 << i for i, r in enumerate(self.table) if r.cand)

    def key(self, slot: int, now: bool = False) -> int:
        """Reference key."""
        r = self.table[slot]
        elapsed = 0 if now else (self.ts - r.t_on) & mask(TIME_W)
        if r.gap or now:
            in_gap, value = self.score.gap_key(r.ghat, r.k, elapsed)
        else:
            in_gap, value = self.score.ready_key(elapsed)
        return in_gap << self.key_w - 1 | value

    def candidates(self, tier: Tier) -> list[int]:
        """Reference candidates of a tier."""
        return [i for i, r in enumerate(self.table) if r.cand and r.tier == tier and i != self.own]

    def rows(self) -> int:
        """Rows that a pass must look at, one at least."""
        used = {i // self.lanes for i, r in enumerate(self.table) if r.cand and i != self.own}
        if self.own_en:
            used.add(self.own // self.lanes)
        return max(1, len(used))

    async def cycle(self, **inputs: int) -> None:
        """One clock cycle, from falling edge to falling edge."""
        dut, table = self.dut, self.table
        for name in ("start_i", "abort_i", "pop_i"):
            getattr(dut, name).value = inputs.get(name, 0)
        await Timer(1, unit="ns")
        base = int(dut.row_o.value) * self.lanes
        row = table[base : base + self.lanes]
        for name, width, column in (
            ("row_k_i", 8, [r.k for r in row]),
            ("row_tok_i", TOK_W, [r.tokens for r in row]),
            ("row_t_on_i", TIME_W, [r.t_on for r in row]),
            ("row_ghat_i", self.ghat_w, [self.code(r.ghat) for r in row]),
            ("row_gap_i", 1, [int(r.gap) for r in row]),
            ("row_sram_i", 1, [int(r.tier == Tier.SRAM) for r in row]),
        ):
            getattr(dut, name).value = sum(v << width * i for i, v in enumerate(column))
        await FallingEdge(dut.clk_i)

    async def run_pass(self) -> int:
        """A whole pass; returns the cycles from start to results."""
        await self.cycle(start_i=1)
        cycles = 1
        while not int(self.dut.done_o.value):
            assert int(self.dut.busy_o.value)
            await self.cycle()
            cycles += 1
            assert cycles < 2 * self.slots + 40, "the pass does not end"
        return cycles

    def check_results(self) -> None:
        """Sums, promotion candidate, own key, debug view."""
        dut = self.dut
        sram, hbm = self.candidates(Tier.SRAM), self.candidates(Tier.HBM)
        assert int(dut.sum_sram_o.value) == sum(self.table[i].tokens for i in sram)
        assert int(dut.sum_hbm_o.value) == sum(self.table[i].tokens for i in hbm)
        fitting = [i for i in hbm if self.table[i].tokens <= self.cap_sram]
        assert int(dut.low_valid_o.value) == bool(fitting)
        if fitting:
            best = min(fitting, key=lambda i: (self.key(i), i))
            got = int(dut.low_slot_o.value), int(dut.low_key_o.value)
            assert got == (best, self.key(best)), f"low: got {got}, want {best}"
        if self.own_en:
            assert int(dut.own_key_o.value) == self.key(self.own, now=True), "own key"
        assert int(dut.dbg_cand_q.value) == sum(1 << i for i in sram + hbm)
        keys = int(dut.dbg_key_q.value)
        for i in sram + hbm:
            r = self.table[i]
            want = raw_key(
                self.score.gap_key(r.ghat, r.k, (self.ts - r.t_on) & mask(TIME_W))
                if r.gap
                else self.score.ready_key((self.ts - r.t_on) & mask(TIME_W))
            )
            assert keys >> i * KEY_W & mask(KEY_W) == want, f"key of slot {i}"

    async def check_order(self, tiers: int) -> int:
        """Pops the tops of the masked tiers until they end or a lane runs dry; returns how many."""
        dut = self.dut
        chosen = [t for b, t in enumerate((Tier.SRAM, Tier.HBM)) if tiers >> b & 1]
        order = sorted(
            (i for t in chosen for i in self.candidates(t)), key=lambda i: (-self.key(i), i)
        )
        for n, want in enumerate(order):
            if int(dut.dry_o.value) & tiers:
                assert n >= 2, "dry before the lists can be"
                return n
            assert int(dut.top_valid_o.value), f"runner-up {n}: none, want slot {want}"
            got = int(dut.top_slot_o.value)
            assert got == want, f"runner-up {n}: got slot {got}, want {want}"
            assert int(dut.top_key_o.value) == self.key(want)
            assert int(dut.top_hbm_o.value) == (self.table[want].tier == Tier.HBM)
            await self.cycle(pop_i=1)
            await self.cycle()
        assert not int(dut.top_valid_o.value)
        return len(order)


@cocotb.test()
async def random_tables(dut) -> None:
    """Passes over random tables, with aborted and restarted ones between."""
    rng = random.Random(random.getrandbits(32))
    bench = Bench(dut, rng)
    zero = dict.fromkeys(
        ("start_i", "abort_i", "pop_i", "cand_i", "own_slot_i", "own_en_i", "mask_i", "row_k_i",
         "row_tok_i", "row_t_on_i", "row_ghat_i", "row_gap_i", "row_sram_i"), 0
    )  # fmt: skip
    await start(dut, **zero)
    popped = passes = 0
    for _ in range(PASSES):
        bench.draw()
        tiers = rng.choice((1, 2, 3, 3))
        dut.mask_i.value = tiers
        trouble = rng.random()
        if trouble < 0.3:  # a pass that comes to nothing
            await bench.cycle(start_i=1)
            for _ in range(rng.randrange(20)):
                await bench.cycle()
            passes += int(dut.done_o.value)
            if trouble < 0.15:
                await bench.cycle(abort_i=1)
                assert not int(dut.busy_o.value)
                assert not int(dut.done_o.value)
                for _ in range(rng.randrange(3)):
                    await bench.cycle()
            bench.draw()
        cycles = await bench.run_pass()
        passes += 1
        want = bench.rows() + OVERHEAD[bench.form]
        assert cycles == want, f"pass: got {cycles} cycles, want {want}"
        assert cycles <= bench.slots // bench.lanes + OVERHEAD[bench.form]
        bench.check_results()
        popped += await bench.check_order(tiers)
        assert int(dut.dbg_pass_q.value) == passes
    dut._log.info(f"{passes} passes, {popped} pops")


SHORT = ((64, 4, 0),)
LONG = (
    (48, 2, 0), (64, 4, 1), (64, 2, 3), (64, 16, 0), (64, 1, 0), (16, 16, 0), (256, 8, 0),
    (24, 8, 1), (64, 4, 4), (16, 2, 4),
)  # fmt: skip
SHAPES = [*SHORT, *(pytest.param(*shape, marks=pytest.mark.long) for shape in LONG)]


@pytest.mark.parametrize(("slots", "lanes", "form"), SHAPES)
def test_rank(slots: int, lanes: int, form: int) -> None:
    """NumSlots, NumLanes, scorer; one row, uneven row counts and the largest table included."""
    shape = {"NumSlots": slots, "NumLanes": lanes, "Scorer": form}
    if form == Form.COMPACT:
        shape |= {"GhatW": Form(form).ghat_w, "KeyW": COMPACT_W + 1}
    run_block("unison_rank", "tb.block.rank.test_rank", shape)
