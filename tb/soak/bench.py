"""Runs inside the simulator: a bare APB write loop for comparison, then chunks of random events."""

import json
import os
import random
import time
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time

from tb.block.bus import Apb
from tb.block.core.bench import Bench
from tb.block.core.stimulus import Stimulus
from tb.uvm.agents.apb_bus import CLOCK_NS
from tb.uvm.result import write_atomically
from unison.contract import Record, RecordKind
from unison.contract.registers import address

EVENTS = int(os.environ.get("EVENTS", "1000000"))
OUT = Path(os.environ.get("SOAK_OUT", "soak.json"))
CHUNK, LEG = 5000, 25_000
BARE_WRITES = 5000


def cycles() -> int:
    """Clock cycles so far."""
    return int(get_sim_time("ns")) // CLOCK_NS


class Soak:
    """Totals, and where the seconds went."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.events = self.records = self.refused = self.legs = 0
        self.seconds = {"golden": 0.0, "simulation": 0.0, "compare": 0.0}
        self.cycles = 0

    async def leg(self, seed: int) -> None:
        """A configuration of its own, from reset."""
        dut, rng = self.dut, random.Random(seed)
        dut.on.value, dut.go.value = 0, 0
        bench = Bench(dut, rng)
        await bench.reset()
        stimulus = Stimulus(rng, bench.core, rng.choice((5, 8, 20, 64, 256)))
        dut.on.value = 1
        for _ in range(min(LEG, EVENTS - self.events) // CHUNK or 1):
            await self._chunk(bench, stimulus, rng)
        assert not int(dut.broken.value), f"APB rules broken: {int(dut.broken.value):#b}"
        self.refused += int(dut.refused.value)
        self.legs += 1

    async def _chunk(self, bench: Bench, stimulus: Stimulus, rng: random.Random) -> None:
        began = time.monotonic()
        core, lines, wanted, moves, which = bench.core, [], [], [], []
        side = 0
        for n in range(min(CHUNK, EVENTS - self.events)):
            event = stimulus.event()
            if rng.random() < 0.1:
                side ^= 1
            lines.append(f"{side} {event.word():08x} {event.time_word():08x}\n")
            for r in core.step(event):
                wanted.append("{:08x} {:08x}".format(*r.words()))
                which.append(n)
                if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE):
                    promote = int(r.kind == RecordKind.PROMOTE)
                    moves.append(f"{promote} {r.slot:02x} {r.tokens:05x} {promote}")
        Path("events.txt").write_text("".join(lines))
        generated, first = time.monotonic(), cycles()
        self.dut.go.value = 1
        await RisingEdge(self.dut.done)
        self.dut.go.value = 0
        await RisingEdge(self.dut.clk_i)
        await FallingEdge(self.dut.clk_i)
        simulated = time.monotonic()
        self.cycles += cycles() - first
        self._compare("record", Path("records.txt"), wanted, lines, which)
        self._compare("DMA beat", Path("beats.txt"), moves, lines, None)
        self.events += len(lines)
        self.records += len(wanted)
        for name, spent in (
            ("golden", generated - began),
            ("simulation", simulated - generated),
            ("compare", time.monotonic() - simulated),
        ):
            self.seconds[name] += spent
        write_atomically(OUT.with_name("progress.json"), json.dumps({"events": self.events}))

    def _compare(self, what, path: Path, wanted: list[str], lines: list[str], which) -> None:
        got = path.read_text().split("\n")[:-1]
        if got == wanted:
            return
        n = next(
            (i for i, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b),
            min(len(got), len(wanted)),
        )
        a, b = (x[n] if n < len(x) else "nothing" for x in (got, wanted))
        shown = f"{what} {n} of chunk at event {self.events}: got {a}, expected {b}"
        if which and n < len(which):
            shown += f", event {self.events + which[n]}: {lines[which[n]].strip()}"
        if what == "record" and "nothing" not in (a, b):
            shown += f"\n  got      {_record(a)}\n  expected {_record(b)}"
        raise AssertionError(shown)


def _record(text: str) -> Record:
    return Record.from_words(*(int(w, 16) for w in text.split()))


async def bare_loop(dut) -> dict[str, float]:
    """Writes of EV_TIME back to back by a plain cocotb master that waits for edges only."""
    bench = Bench(dut, random.Random(1))
    await bench.reset(capacity=(100, 100))
    edge = RisingEdge(dut.clk_i)
    dut.pwrite_i.value, dut.pstrb_i.value, dut.paddr_i.value = 1, 15, address("EV_TIME")
    began, first = time.monotonic(), cycles()
    for n in range(BARE_WRITES):
        dut.psel_i.value, dut.penable_i.value, dut.pwdata_i.value = 1, 0, n
        await edge
        dut.penable_i.value = 1
        await edge
    dut.psel_i.value, dut.penable_i.value = 0, 0
    spent = time.monotonic() - began
    await FallingEdge(dut.clk_i)
    assert (await Apb(dut).read(address("EV_TIME")))[0] == BARE_WRITES - 1
    return {"writes": BARE_WRITES, "seconds": spent, "cycles": cycles() - first}


@cocotb.test()
async def soak(dut) -> None:
    """EVENTS events by both ports; no mismatch."""
    dut.on.value, dut.go.value = 0, 0
    bare = await bare_loop(dut)
    began, s = time.monotonic(), Soak(dut)
    base = random.randrange(1 << 32)
    while s.events < EVENTS:
        await s.leg(base + s.legs)
    again = await bare_loop_off(dut)
    seconds = time.monotonic() - began
    bare["seconds"] = (bare["seconds"] + again["seconds"]) / 2
    per_event, per_write = seconds / s.events, bare["seconds"] / bare["writes"]
    result = {
        "events": s.events, "records": s.records, "mismatches": 0, "legs": s.legs,
        "refused": s.refused, "base_seed": base, "seconds": round(seconds, 2),
        "cycles_per_event": round(s.cycles / s.events, 2),
        "us_per_event": round(per_event * 1e6, 2),
        "us_per_bare_write": round(per_write * 1e6, 2),
        # An event over APB takes two writes, before any record is read.
        "us_bare_two_writes": round(2 * per_write * 1e6, 2),
        "speed_against_bare_writes": round(2 * per_write / per_event, 3),
        "cycles_per_second": round(s.cycles / seconds),
        "bare_cycles_per_second": round(bare["cycles"] / bare["seconds"]),
        "seconds_by_part": {k: round(v, 2) for k, v in s.seconds.items()},
    }  # fmt: skip
    write_atomically(OUT, json.dumps(result, indent=1) + "\n")


async def bare_loop_off(dut) -> dict[str, float]:
    """The bare loop once more, for a machine whose load has changed meanwhile."""
    dut.on.value = 0
    return await bare_loop(dut)


