"""Configuration writes over APB that meet a sideband event: before it, with it, after it."""

from dataclasses import replace
from random import Random

import pyuvm
from cocotb.triggers import FallingEdge, gather

from tb.uvm.base_test import BaseTest
from tb.uvm.handles import dut
from tb.uvm.items import Transfer
from tb.uvm.scoreboard.decisions import SIDEBAND
from tb.uvm.sequences.mixed import SidebandEvents
from tb.uvm.sequences.profiles import Generator, Profile, Rewrite
from tb.uvm.sequences.random_events import random_workload
from tb.uvm.sequences.registers import RegisterSequence
from tb.uvm.sequences.stream import EventStream
from unison.contract import CoreEvent, EventCode, Tier, mask
from unison.contract.registers import BY_NAME, address
from unison.contract.widths import BW_W, GAP_W
from unison.core import EventCore
from unison.scoring import FloatScorer

MEETINGS = 500
#: Cycles from the write's setup phase to the one in which the event enters.
OFFSETS = (-2, -1, 0, 1, 2)
_REGISTERS = ("CAP_SRAM", "CAP_HBM", "GAP_PRIOR", "EMA_SHIFT", "DMA_BW", "PRESCALE")
#: Cycle for cycle together, for the most part: only then is a register needed at once.
_CHANCES = (1, 1, 5, 1, 1)
_PROFILE = Profile("configuration beside events", slots=12, fault=0.02, mig=0.9)


class Write(RegisterSequence):
    """A read of STATUS, then at once the write, and a read back. error: what the write answered.

    The setup phase of the write is the third cycle.
    """

    def __init__(self, name: str, value: int) -> None:
        super().__init__("write")
        self.register, self.value = name, value
        self.error = False
        self.held = 0

    async def body(self) -> None:
        where = address(self.register)
        transfers = [
            Transfer(address("STATUS"), False), Transfer(where, True, self.value),
            Transfer(where, False),
        ]  # fmt: skip
        _, write, back = await self.run(transfers)
        self.error, self.held = write.error, back.data


@pyuvm.test()
class CoincideTest(BaseTest):
    """A write that is decided before the event is in the FIFO is in force for it, else refused.

    Some carry a bit that the register lacks, and are refused whenever they come.
    """

    async def scenario(self) -> None:
        await self.configure(random_workload(self.settings, 1))
        rng = Random(self.settings.seed)
        mirror = EventCore(self.workload.config, self.workload.fixed)
        self.held = {
            "PRESCALE": BY_NAME["PRESCALE"].reset,
            "CAP_SRAM": mirror.capacity[Tier.SRAM], "CAP_HBM": mirror.capacity[Tier.HBM],
            "GAP_PRIOR": mirror.scorer.gap_prior, "EMA_SHIFT": mirror.scorer.ema_shift,
            "DMA_BW": mirror.scorer.dma_bw,
        }  # fmt: skip
        draw = Generator(_PROFILE, rng, mirror)
        met = dict.fromkeys(OFFSETS, 0)
        while sum(met.values()) < (self.settings.limit or MEETINGS):
            for event in draw.propose():
                (offset,) = rng.choices(OFFSETS, _CHANCES)
                await self._meet(event, offset, mirror, rng)
                met[offset] += 1
                if mirror.fault(event) is None:
                    draw.now = event.ts
                mirror.step(event)
        await self.conclude()
        self.result = {"met": met}

    async def _meet(self, event: CoreEvent, offset: int, mirror: EventCore, rng: Random) -> None:
        """One write, one event, and all that comes of them. The core is idle."""
        name = rng.choice(_REGISTERS)
        # Tide's budget is what the controller reads first, in the event's second cycle.
        if event.code == EventCode.GAP_OPEN and rng.random() < 0.7:
            name = "DMA_BW"
        value, accepted = _value(name, mirror, rng), offset >= 0
        if rng.random() < 0.1:
            # A bit that the register does not have.
            value, accepted = value | 1 << 31, False
        board = self.env.scoreboard
        if accepted:
            self.held[name] = value
            self._apply(mirror)
            board.rewrite(
                Rewrite(
                    mirror.capacity[Tier.SRAM], mirror.capacity[Tier.HBM], mirror.scorer,
                    self._float(mirror),
                )
            )  # fmt: skip
        write = Write(name, value)
        sideband = SidebandEvents([event], board.sent, lambda: 2 + offset)
        # Both drivers then begin with the same edge.
        await FallingEdge(dut().clk_i)
        await gather(write.start(self.sequencer), sideband.start(self.env.sideband.sequencer))
        self.check()
        assert board.entered[SIDEBAND] > 0
        where = f"{name} = {value}, {offset} cycles before an event"
        assert write.error != accepted, f"{where}: PSLVERR {write.error}, expected {not accepted}"
        want = self.held[name]
        assert write.held == want, f"{where}: holds {write.held}, expected {want}"
        await self.play(EventStream([], self.env.dma, None, board.sent))

    def _apply(self, mirror: EventCore) -> None:
        held = self.held
        mirror.capacity.update({Tier.SRAM: held["CAP_SRAM"], Tier.HBM: held["CAP_HBM"]})
        mirror.scorer = replace(
            mirror.scorer, gap_prior=held["GAP_PRIOR"], ema_shift=held["EMA_SHIFT"],
            dma_bw=held["DMA_BW"],
        )  # fmt: skip

    def _float(self, mirror: EventCore) -> FloatScorer:
        fixed = mirror.scorer
        return replace(
            self.workload.float64, gap_prior=fixed.gap_prior, ema_shift=fixed.ema_shift,
            dma_bw=fixed.dma_bw,
        )  # fmt: skip


def _value(name: str, mirror: EventCore, rng: Random) -> int:
    """A value that an idle core takes."""
    if name in ("CAP_SRAM", "CAP_HBM"):
        # The SRAM stays short, so that there is something to promote.
        if name == "CAP_SRAM":
            return mirror.used[Tier.SRAM] + rng.choice((0, 1, 60, 150, rng.randrange(300)))
        return mirror.used[Tier.HBM] + rng.choice((0, 1, rng.randrange(300), 900, 900, 900))
    if name == "EMA_SHIFT":
        return rng.randrange(8)
    if name == "PRESCALE":
        return rng.randrange(1 << 16)
    if name == "GAP_PRIOR":
        return rng.choice((0, 1, rng.getrandbits(10), rng.getrandbits(GAP_W)))
    # Budgets around the sizes that move, and none.
    return rng.choice((0, 0x10, 0x40, 0x80, 0x100, rng.getrandbits(10), mask(BW_W)))
