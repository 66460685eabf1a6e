"""The whole core against the golden model: random events, every record, counter and descriptor."""

import itertools
import os
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from tb.block.core.bench import Bench
from tb.block.core.stimulus import Stimulus
from tb.block.runner import run_block
from unison.contract import (
    DECISIONS,
    CoreEvent,
    EventCode,
    Record,
    RecordKind,
    SlotState,
    Tier,
    mask,
)
from unison.contract.registers import address
from unison.contract.widths import TIME_W, TURN_ENTRIES
from unison.core import EventCore
from unison.scoring import Form, compact_code

EVENTS = int(os.environ.get("EVENTS", "1200"))
LEGS = int(os.environ.get("LEGS", "4"))


def _wanted_descriptors(records: list[Record]) -> list[tuple[int, int, int, int]]:
    moves = [r for r in records if r.kind in (RecordKind.PROMOTE, RecordKind.DEMOTE)]
    return [
        (int(r.kind == RecordKind.PROMOTE), r.slot, r.tokens, int(r.kind == RecordKind.PROMOTE))
        for r in moves
    ]


async def leg(dut, rng: random.Random, events: int) -> dict[str, int]:
    """One random configuration from reset, checked to the end; returns what happened."""
    bench = Bench(dut, rng)
    await bench.reset()
    engine = cocotb.start_soon(bench.dma())
    core, apb = bench.core, bench.apb
    stimulus = Stimulus(rng, core, rng.choice((2, 5, 8, 20, 64, 256)))
    eager = rng.random() < 0.6  # drain after each event, else let the FIFOs fill
    wanted: list[tuple[object, Record]] = []
    everything: list[Record] = []
    refused = done = 0

    async def drain(limit: int) -> None:
        nonlocal done
        for _ in range(limit):
            record = await bench.pop()
            if record is None:
                return
            event, expected = wanted[done] if done < len(wanted) else (None, None)
            assert record == expected, f"record {done} of {event}: got {record}, want {expected}"
            done += 1

    for _ in range(events):
        event = stimulus.event()
        records = core.step(event)
        wanted += [(event, r) for r in records]
        everything += records
        assert not await apb.write(address("EV_TIME"), event.time_word())
        while await apb.write(address("EV_PUSH"), event.word()):
            refused += 1
            await drain(3)
        if eager:
            while await bench.busy():
                await drain(2)
            await drain(1000)
        elif rng.random() < 0.3:
            await drain(rng.randrange(6))
    while await bench.busy():
        await drain(4)
    await drain(10_000)
    assert done == len(wanted), f"got {done} records, want {len(wanted)}"

    async def counter(name: str, index: int = 0) -> int:
        return (await apb.read(address(name, index)))[0]

    counts = core.counters
    for name, want in (
        ("USED_SRAM", core.used[Tier.SRAM]), ("USED_HBM", core.used[Tier.HBM]),
        ("CNT_EVENTS", counts.events), ("CNT_REFUSED", refused),
        *((f"CNT_{o.name}", n) for o, n in counts.outcomes.items()),
        *((f"CNT_{k.name}", counts.records[k]) for k in RecordKind if f"{k.name}" in
          ("EVICT", "BYPASS", "PROMOTE", "DEMOTE")),
    ):  # fmt: skip
        got = await counter(name)
        assert got == want, f"{name}: got {got}, want {want}"
    for cause, want in counts.errors.items():
        got = await counter("CNT_ERROR", cause - 1)
        assert got == want, f"CNT_ERROR {cause.name}: got {got}, want {want}"
    status = await counter("STATUS")
    assert status >> 17 == core.outstanding, f"STATUS {status:#x}"

    same_slots(dut, core)
    bench.dma_rate = 1.0
    for _ in range(20):
        await RisingEdge(dut.clk_i)
    engine.cancel()
    want = _wanted_descriptors(everything)
    assert bench.descriptors == want, f"got {bench.descriptors[-3:]}, want {want[-3:]}"
    lat = await counter("LAT_EVENTS"), await counter("LAT_SUM"), await counter("LAT_MAX")
    summary = {k.name: counts.records[k] for k in RecordKind} | {
        "passes": await counter("CNT_PASSES"), "eager": int(eager), "latency": lat,
        "most_evictions": max([0, *_evictions(everything)]), "refused": refused,
    }  # fmt: skip
    decided = {r.seq for r in everything if r.kind in DECISIONS}
    if events < 4096:  # event numbers have not wrapped
        assert lat[0] == len(decided), f"LAT_EVENTS: got {lat[0]}, want {len(decided)}"
    dut._log.info(str(summary))
    return summary


def _evictions(records: list[Record]) -> list[int]:
    by_event: dict[int, int] = {}
    for r in records:
        if r.kind == RecordKind.EVICT:
            by_event[r.seq] = by_event.get(r.seq, 0) + 1
    return list(by_event.values())


def same_slots(dut, core: EventCore) -> None:
    """The slot table against the golden model, what neither reads any more left out."""
    table, tok_w, form = dut.u_slots, core.config.tok_w, core.scorer.form
    ghat_w = form.ghat_w
    flying = int(table.fly_q.value)
    for i, want in enumerate(core.slots):
        got = int(table.tier_q[i].value), int(table.state_q[i].value), flying >> i & 1
        assert got == (want.tier, want.state, want.in_flight), f"slot {i}: got {got}, want {want}"
        if want.state == SlotState.FREE:
            continue
        body = int(table.body_q[i].value)
        seen, ghat = body & 1, body >> 1 & mask(ghat_w)
        t_on, rest = body >> 1 + ghat_w & mask(TIME_W), body >> 1 + ghat_w + TIME_W
        got = seen, ghat, rest & mask(tok_w), rest >> tok_w
        held = compact_code(want.ghat) if form is Form.COMPACT else want.ghat
        assert got == (want.seen, held, want.tokens, want.k), f"slot {i}: {got}, want {want}"
        if want.state in (SlotState.GAP, SlotState.READY):
            assert t_on == want.t_on, f"slot {i}: got {t_on}, want {want}"


@cocotb.test()
async def lockstep(dut) -> None:
    """Several configurations, each from reset."""
    for n in range(LEGS):
        seed = random.randrange(1 << 32)
        dut._log.info(f"leg {n}: seed {seed}")
        await leg(dut, random.Random(seed), EVENTS)


@cocotb.test()
async def spear_empties_what_tide_reads(dut) -> None:
    """GAP_OPEN evicts a lane's kept entries; Tide must find the demotion candidate behind them.

    All SRAM candidates sit in one lane, the own session grows by two of them, and the HBM is
    too small for it. What Tide demotes was dropped from the lane's list by the first pass.
    """
    bench = Bench(dut, random.Random(1))
    bench.dma_rate = 1.0
    await bench.reset(capacity=(50, 20))
    engine = cocotb.start_soon(bench.dma())
    lanes = (await bench.apb.read(address("PARAMS")))[0] >> 9 & 31
    own, slow = (1, 2) if lanes > 1 else (9, 10)
    fast = [lanes * row for row in range(4)]
    events = [CoreEvent(EventCode.REQ, s, 10, 0) for s in (*fast, own, slow)]
    # Rising averages (a = 0: the gap itself), so that the order of the keys is known.
    for n, s in enumerate((*fast, slow)):
        start_at, wait = 10_000 * (n + 1), 4000 - 900 * n
        events += [
            CoreEvent(EventCode.GAP_OPEN, s, 10, start_at),
            CoreEvent(EventCode.REQ, s, 10, start_at + wait),
        ]
    events += [CoreEvent(EventCode.GAP_OPEN, s, 10, 100_000) for s in (*fast, slow)]
    events.append(CoreEvent(EventCode.GAP_OPEN, own, 30, 100_010))
    for event in events:
        wanted = await bench.lockstep(event, tide=event is events[-1])
    kinds = [r.kind for r in wanted]
    evict, swap = [RecordKind.EVICT] * 2, [RecordKind.DEMOTE, RecordKind.PROMOTE]
    assert kinds == evict + swap, f"the scenario has changed: {kinds}"
    engine.cancel()


@cocotb.test()
async def turns_saturate(dut) -> None:
    """A session of 261 turns ranks by the last entry of the turn table, not by turn 5's.

    Its average wait is the shorter one, so that only the odds put it first.
    """
    bench = Bench(dut, random.Random(1))
    await bench.reset(capacity=(20, 0), hazard=(0.0,) * (TURN_ENTRIES - 1) + (0.9,))
    old, new, third = 3, 5, 7
    now = 0
    for _ in range(260):
        await bench.lockstep(CoreEvent(EventCode.REQ, old, 10, now), tide=False)
        await bench.lockstep(CoreEvent(EventCode.GAP_OPEN, old, 10, now), tide=False)
        now += 1000
    for event in (
        CoreEvent(EventCode.REQ, old, 10, now),
        CoreEvent(EventCode.REQ, new, 10, now),
        CoreEvent(EventCode.GAP_OPEN, new, 10, now),
        CoreEvent(EventCode.REQ, new, 10, now + 1500),
        CoreEvent(EventCode.GAP_OPEN, old, 10, now + 1500),
        CoreEvent(EventCode.GAP_OPEN, new, 10, now + 1500),
        CoreEvent(EventCode.REQ, third, 10, now + 1600),
    ):
        wanted = await bench.lockstep(event, tide=False)
    evicted = [r.slot for r in wanted if r.kind == RecordKind.EVICT]
    assert evicted == [old], f"the scenario has changed: {wanted}"


SHORT = ((16, 1, 1, 0),)
LINEAR = ((16, 1, 1, 1), (64, 1, 2, 1), (16, 1, 2, 1), (16, 1, 3, 1), (16, 1, 0, 1))
SPARSE = ((64, 1, 2, 2), (16, 1, 2, 2), (16, 1, 0, 2))
ROWS = (*itertools.product((16, 64), (1, 4), (0, 1, 4), (0,)), (16, 1, 3, 0), (64, 16, 0, 0))
SHAPES = [
    pytest.param(*shape, marks=() if shape in SHORT else pytest.mark.long)
    for shape in (*ROWS, *LINEAR, *SPARSE)
]


@pytest.mark.parametrize(("slots", "lanes", "form", "arch"), SHAPES)
def test_core(slots: int, lanes: int, form: int, arch: int) -> None:
    """NumSlots, NumLanes, scorer and architecture; small FIFOs so that they fill."""
    shape = {
        "NumSlots": slots, "NumLanes": lanes, "Scorer": form, "Arch": arch, "EvDepth": 4,
        "DecDepth": 5,
    }  # fmt: skip
    run_block("unison", "tb.block.core.test_core", shape)
