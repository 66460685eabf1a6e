"""Drives tb_top's pins a cycle at a time and keeps what they showed."""

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from tb.uvm.agents.apb_bus import CLOCK_NS
from unison.contract import CoreEvent, RecordKind
from unison.contract.registers import address
from unison.contract.widths import KIND_W, mask

_APB = ("psel", "penable", "pwrite", "paddr", "pwdata", "pstrb", "pprot")
_SIDEBAND = ("valid", "code", "slot", "tokens", "time")

#: Lanes of a recording: name, path below tb_top, and the lane that says when it means something.
LANES = (
    ("psel_i", "apb_psel", None), ("penable_i", "apb_penable", None),
    ("pwrite_i", "apb_pwrite", "psel_i"), ("paddr_i", "apb_paddr", "psel_i"),
    ("pwdata_i", "apb_pwdata", "pwrite_i"), ("prdata_o", "apb_prdata", "penable_i"),
    ("pready_o", "apb_pready", "penable_i"), ("pslverr_o", "apb_pslverr", None),
    ("ev_valid_i", "sb_valid", None), ("ev_ready_o", "sb_ready", None),
    ("ev_code_i", "sb_code", "ev_valid_i"), ("ev_slot_i", "sb_slot", "ev_valid_i"),
    ("ev_tokens_i", "sb_tokens", "ev_valid_i"),
    ("dma_valid_o", "dma_valid", None), ("dma_ready_i", "dma_ready", None),
    ("dma_promote_o", "dma_promote", "dma_valid_o"), ("dma_last_o", "dma_last", "dma_valid_o"),
    ("dma_slot_o", "dma_slot", "dma_valid_o"), ("dma_tokens_o", "dma_tokens", "dma_valid_o"),
    ("irq_o", "irq", None),
    ("event level", "dut.ev_level", None), ("record level", "dut.rec_level", None),
    ("migration", "dut.outstanding", None),
    ("state", "dut.u_ctrl.u_fsm.state_q", None),
    ("pass runs", "dut.rank_busy", None), ("row", "dut.row", "pass runs"),
    ("results", "dut.rank_done", None),
    ("record", "dut.rec_push", None), ("kind", "dut.kind_in", "record"),
)  # fmt: skip


class Pins:
    """A clock cycle at a time; every call begins and ends just after a rising edge."""

    def __init__(self, top) -> None:
        self.top, self.core = top, top.dut
        self.recording: dict[str, list[int | None]] | None = None
        self._watch = False
        self._waited, self._last = 0, 0

    async def reset(self) -> None:
        """Reset, all inputs idle."""
        top = self.top
        for name in _APB:
            getattr(top, f"apb_{name}").value = 0
        for name in _SIDEBAND:
            getattr(top, f"sb_{name}").value = 0
        top.dma_ready.value = 0
        top.rst_ni.value = 0
        for _ in range(3):
            await RisingEdge(top.clk_i)
        top.rst_ni.value = 1
        await RisingEdge(top.clk_i)

    async def cycle(self, **pins: int) -> dict[str, int]:
        """Drive `pins` (names of tb_top), let a cycle pass; what it showed, in mid-cycle.

        Signals are read there alone: at the edge itself it is open what a read returns.
        """
        top = self.top
        for name, value in pins.items():
            getattr(top, name).value = value
        await FallingEdge(top.clk_i)
        if self.recording is not None:
            self._sample()
        if self._watch:
            self._count()
        seen = {
            "error": int(top.apb_pslverr.value),
            "data": top.apb_prdata.value,
            "taken": int(top.sb_valid.value) and int(top.sb_ready.value),
            "busy": not int(self.core.ev_empty.value),
            "records": not int(self.core.rec_empty.value),
        }
        await RisingEdge(top.clk_i)
        return seen

    def _sample(self) -> None:
        now: dict[str, int | None] = {}
        for name, path, means in LANES:
            handle = self.top
            for part in path.split("."):
                handle = getattr(handle, part)
            now[name] = None if means and not now[means] else int(handle.value)
            self.recording[name].append(now[name])

    def record(self) -> None:
        """Keep every lane from now on."""
        self.recording = {name: [] for name, _, _ in LANES}

    def trim(self, name: str) -> None:
        """Begin the recording a cycle before lane `name` is first 1."""
        first = self.recording[name].index(1) - 1
        self.recording = {n: values[first:] for n, values in self.recording.items()}

    def recorded(self) -> dict[str, list[int | None]]:
        """End a recording."""
        done, self.recording = self.recording, None
        return done

    # Transfers.

    async def write(self, name: str, data: int, index: int = 0) -> bool:
        """APB write; whether PSLVERR answered. The bus is idle in the cycle after."""
        bus = {"apb_paddr": address(name, index), "apb_pwdata": data, "apb_pwrite": 1}
        await self.cycle(apb_psel=1, apb_penable=0, apb_pstrb=15, **bus)
        seen = await self.cycle(apb_penable=1)
        self.top.apb_psel.value = self.top.apb_penable.value = self.top.apb_pwrite.value = 0
        return bool(seen["error"])

    async def read(self, name: str) -> tuple[int, bool]:
        """APB read: (data, PSLVERR)."""
        await self.cycle(apb_psel=1, apb_penable=0, apb_pstrb=0, apb_paddr=address(name))
        seen = await self.cycle(apb_penable=1)
        self.top.apb_psel.value = self.top.apb_penable.value = 0
        return seen["data"].to_unsigned(), bool(seen["error"])

    async def offer(self, event: CoreEvent) -> int:
        """A sideband event, until it is taken; how many cycles that took."""
        pins = {
            "sb_code": event.code, "sb_slot": event.slot, "sb_tokens": event.tokens,
            "sb_time": event.time_word(),
        }  # fmt: skip
        cycles = 1
        while not (await self.cycle(sb_valid=1, **pins))["taken"]:
            cycles += 1
        self.top.sb_valid.value = 0
        return cycles

    async def idle(self) -> None:
        """Wait until no event is left."""
        while (await self.cycle())["busy"]:
            pass

    async def settle(self) -> None:
        """Wait until no event is left, removing records."""
        seen = await self.cycle()
        while seen["busy"] or seen["records"]:
            if seen["records"]:
                await self.read("DEC_POP")
            seen = await self.cycle()

    async def events(self, *events: CoreEvent) -> None:
        """Events one by one, each with its records."""
        for event in events:
            await self.offer(event)
            await self.settle()

    # Latency.

    def _count(self) -> None:
        core = self.core
        if int(core.ev_empty.value):
            return
        self._waited += 1
        if int(core.rec_push.value):
            kind = RecordKind(int(core.kind_in.value) & mask(KIND_W))
            self.kinds.append(kind)
            if kind not in (RecordKind.OUTCOME, RecordKind.PLACE, RecordKind.ERROR):
                self._last = self._waited

    async def measure(self, event: CoreEvent) -> tuple[int, list[RecordKind]]:
        """Cycles from the event at the FIFO's head to its last decision, and all its records.

        Counted from pins of the FIFOs, not read from LAT_*.
        """
        self.kinds: list[RecordKind] = []
        self._waited = self._last = 0
        self._watch = True
        await self.offer(event)
        await self.idle()
        self._watch = False
        await self.settle()
        return self._last, self.kinds


def start_clock(top: Any) -> None:
    """One for the whole test."""
    cocotb.start_soon(Clock(top.clk_i, CLOCK_NS, unit="ns").start())
