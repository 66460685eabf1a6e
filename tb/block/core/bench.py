"""The core, a golden model beside it, and an APB master and DMA engine for both."""

import random
from dataclasses import replace

from cocotb.triggers import FallingEdge, RisingEdge

from tb.block.bus import Apb, start
from tb.block.core.stimulus import config, scorer
from unison.contract import CoreEvent, Record, mask
from unison.contract.registers import address
from unison.contract.widths import BW_W, TURN_ENTRIES
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, Form, Tables, elapsed_weights


class Bench:
    """One core, one golden model, and what they were asked and said."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng, self.apb = dut, rng, Apb(dut)
        self.params: dict[str, int] = {}
        self.descriptors: list[tuple[int, int, int, int]] = []
        self.dma_rate = rng.choice((0.002, 0.02, 1.0))

    async def reset(
        self,
        capacity: tuple[int, int] | None = None,
        hazard: tuple[float, ...] = (0.5,) * TURN_ENTRIES,
    ) -> None:
        """Reset, read the parameters back, draw a configuration and program it.

        `capacity` (SRAM, HBM): a plain configuration instead, budget without limit.
        """
        await start(self.dut, dma_ready_i=0, **Apb.idle())
        value, _ = await self.apb.read(address("PARAMS"))
        variant, _ = await self.apb.read(address("VARIANT"))
        tok_w, form = value >> 14 & 31, Form(variant & 3)
        if capacity:
            cfg = CoreConfig(*capacity, value & 511, tok_w)
            weights = elapsed_weights()
            tables = Tables(hazard, weights, weights)
            score = FixedScorer.from_tables(form, tables, 1000, 0, mask(BW_W))
        else:
            cfg = config(self.rng, value & 511, tok_w)
            score = scorer(self.rng, form)
        self.core = EventCore(cfg, score)
        self.ev_depth, self.dec_depth = value >> 20 & 63, value >> 26 & 63
        for name, data in (
            ("CAP_SRAM", cfg.cap_sram),
            ("CAP_HBM", cfg.cap_hbm),
            ("GAP_PRIOR", score.gap_prior),
            ("EMA_SHIFT", score.ema_shift),
            ("DMA_BW", score.dma_bw),
            ("CTRL", 0b011 | cfg.tide << 2),
        ):
            assert not await self.apb.write(address(name), data), name
        for name, column in (
            ("TURN", score.turn), ("WEIGHT_W", score.weight_w), ("WEIGHT_Z", score.weight_z)
        ):  # fmt: skip
            for i, data in enumerate(column):
                assert not await self.apb.write(address(name, i), data), name
        self.dut._log.info(f"{cfg} {form.name} bw {score.dma_bw} a {score.ema_shift}")

    async def dma(self) -> None:
        """A DMA engine that is ready now and then; keeps what it takes."""
        dut = self.dut
        while True:
            await FallingEdge(dut.clk_i)
            dut.dma_ready_i.value = int(self.rng.random() < self.dma_rate)
            await RisingEdge(dut.clk_i)
            if int(dut.dma_valid_o.value) and int(dut.dma_ready_i.value):
                self.descriptors.append(
                    (
                        int(dut.dma_promote_o.value),
                        int(dut.dma_slot_o.value),
                        int(dut.dma_tokens_o.value),
                        int(dut.dma_last_o.value),
                    )
                )

    async def pop(self) -> Record | None:
        """The oldest record, if there is one."""
        head, _ = await self.apb.read(address("DEC_HEAD"))
        if not head >> 31:
            return None
        tail, error = await self.apb.read(address("DEC_POP"))
        assert not error
        return Record.from_words(head, tail)

    async def busy(self) -> bool:
        """Whether an event waits or is under way."""
        return bool((await self.apb.read(address("STATUS")))[0] >> 16 & 1)

    async def lockstep(self, event: CoreEvent, tide: bool) -> list[Record]:
        """One event through both cores; returns its records."""
        if tide != self.core.config.tide:
            self.core.config = replace(self.core.config, tide=tide)
            assert not await self.apb.write(address("CTRL"), 0b011 | tide << 2)
        wanted = self.core.step(event)
        assert not await self.apb.write(address("EV_TIME"), event.time_word())
        assert not await self.apb.write(address("EV_PUSH"), event.word())
        while await self.busy():
            pass
        got = [await self.pop() for _ in wanted]
        assert got == wanted, f"{event}: got {got}, want {wanted}"
        return wanted
