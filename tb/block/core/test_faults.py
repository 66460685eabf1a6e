"""Every illegal event of the contract in every slot state, and single upsets of the slot table."""

import itertools
import random
from dataclasses import replace
from typing import NamedTuple

import cocotb
from cocotb.triggers import FallingEdge

from tb.block.core.bench import Bench
from tb.block.runner import run_block
from unison.contract import Cause, CoreEvent, EventCode, RecordKind, SlotState, mask
from unison.contract.records import is_known
from unison.contract.registers import address
from unison.contract.widths import TIME_W

TOKW, SLOTS = 12, 16
#: Timestamps near their wrap, so that each state is met on both sides of it.
START = mask(TIME_W) - 200


class Step(NamedTuple):
    """A legal event on the way to a state: `wait` ticks after the one before."""

    code: int
    tokens: int = 0
    slot: int = 3
    wait: int = 7
    tide: bool = False


REQ, OPEN = EventCode.REQ, EventCode.GAP_OPEN
CLOSE, DONE = EventCode.GAP_CLOSE, EventCode.DONE
#: Slot 3 in the HBM, since slot 5 fills the SRAM, and promoted at its own GAP_OPEN.
PROMOTED = [Step(REQ, 95, slot=5), Step(REQ, 9), Step(DONE, slot=5), Step(OPEN, 9, tide=True)]
#: Slot 3, which waits the longest in a full SRAM, makes place for slot 6.
DEMOTED = [
    Step(REQ, 9), Step(REQ, 90, slot=5), Step(REQ, 9, slot=6), Step(OPEN, 9),
    Step(OPEN, 9, slot=6, wait=70, tide=True),
]  # fmt: skip
#: What brings slot 3 into each state; "in flight": until MIG_DONE it is that too.
PATHS = {
    "FREE": [],
    "FREE again": [Step(REQ, 9), Step(DONE)],
    "FREE, engine busy": [*PROMOTED, Step(DONE)],
    "ACTIVE": [Step(REQ, 9)],
    "ACTIVE bypassed": [Step(REQ, 900)],
    "ACTIVE in flight": [*PROMOTED, Step(REQ, 9)],
    "ACTIVE in flight, bypassed": [*PROMOTED, Step(REQ, 900)],
    "GAP": [Step(REQ, 9), Step(OPEN, 9)],
    "GAP not resident": [Step(REQ, 900), Step(OPEN, 900)],
    "GAP in flight": PROMOTED,
    "GAP in flight, demoted": DEMOTED,
    "GAP in flight, not resident": [*PROMOTED, Step(REQ, 900), Step(OPEN, 900)],
    "READY": [Step(REQ, 9), Step(OPEN, 9), Step(CLOSE)],
    "READY in flight": [*PROMOTED, Step(CLOSE)],
}
#: Event fields that are at fault by themselves; "none": the state alone decides.
FAULTS = {
    "none": {},
    "slot": {"slot": SLOTS},
    "slot 255": {"slot": 255},
    "back": {"ts": -1},
    "farthest back": {"ts": -(1 << (TIME_W - 1))},
    "farthest forward": {"ts": (1 << (TIME_W - 1)) - 1},
    "zero": {"tokens": 0},
    "over": {"tokens": 1 << TOKW},
    "slot, back and zero": {"slot": 200, "ts": -5, "tokens": 0},
    "back and zero": {"ts": -5, "tokens": 0},
}


async def _bring(bench: Bench, name: str, now: int) -> int:
    for step in PATHS[name]:
        now += step.wait
        await bench.lockstep(CoreEvent(step.code, step.slot, step.tokens, now), tide=step.tide)
    slot = bench.core.slots[3]
    assert slot.state.name == name.split()[0].strip(","), f"{name}: got {slot}"
    assert slot.in_flight == ("in flight" in name), f"{name}: got {slot}"
    assert bench.core.outstanding == ("in flight" in name or "busy" in name), name
    return now


async def _probe(bench: Bench, now: int) -> None:
    """Legal events that show state, tier and in-flight flag of slot 3; then everything is freed."""
    core = bench.core
    if core.slots[3].state == SlotState.ACTIVE:
        await bench.lockstep(CoreEvent(OPEN, 3, 8, now), tide=False)
    # In flight, it hits the slow tier.
    await bench.lockstep(CoreEvent(REQ, 3, 8, now), tide=False)
    for i, slot in enumerate(core.slots):
        if slot.state != SlotState.FREE:
            await bench.lockstep(CoreEvent(DONE, i, 0, now), tide=False)
    if core.outstanding:
        await bench.lockstep(CoreEvent(EventCode.MIG_DONE, 0, 0, now), tide=False)


@cocotb.test()
async def every_fault_in_every_state(dut) -> None:
    """The whole table: path x code x fault; the golden model says what is right.

    A probe after each: an illegal event changed nothing, so the slot goes on as if it had not been.
    """
    seen, cases, now = set(), 0, START
    bench = Bench(dut, random.Random(1))
    await bench.reset(capacity=(100, 50))
    dut.dma_ready_i.value = 1
    for name in PATHS:
        for code, fields in itertools.product(range(16), FAULTS.values()):
            now = await _bring(bench, name, now)
            base = CoreEvent(code, 3, 9, now)
            ts = now + fields.get("ts", 1)
            event = replace(base, **{k: v for k, v in fields.items() if k != "ts"}, ts=ts)
            state, fly = bench.core.slots[3].state, bench.core.slots[3].in_flight
            records = await bench.lockstep(event, tide=False)
            cases += 1
            if records and records[0].kind == RecordKind.ERROR:
                cause = Cause(records[0].info)
                seen.add((state, fly, code if is_known(code) else 0, cause))
            else:
                now = ts
            await _probe(bench, now)
    dut._log.info(f"{cases} cases, {len(seen)} of state x in flight x code x cause")
    for want in _wanted():
        state, fly, code, cause = want
        text = f"{state.name}{' in flight' * fly}, code {code}, {cause.name}"
        assert want in seen, f"never: {text}"


def _wanted():
    """Every (state, in flight, code, cause) that the contract knows."""
    for state, fly in itertools.product(SlotState, (False, True)):
        if fly and state == SlotState.FREE:
            continue  # DONE takes the flag away
        yield state, fly, 0, Cause.UNKNOWN_CODE
        if not fly:
            yield state, fly, EventCode.MIG_DONE, Cause.MIG_NOT_OUTSTANDING
        else:
            yield state, fly, EventCode.MIG_DONE, Cause.TIME_BACK
        for code in set(EventCode) - {EventCode.MIG_DONE}:
            yield state, fly, code, Cause.BAD_SLOT
            yield state, fly, code, Cause.TIME_BACK
            if code in (REQ, OPEN):
                yield state, fly, code, Cause.TOKENS_ZERO
                yield state, fly, code, Cause.TOKENS_OVER
        for code, cause in _BY_STATE[state]:
            yield state, fly, code, cause


#: What the state alone makes a fault.
_BY_STATE = {
    SlotState.FREE: [(code, Cause.SLOT_FREE) for code in (OPEN, CLOSE, DONE)],
    SlotState.ACTIVE: [(REQ, Cause.REQ_ACTIVE), (CLOSE, Cause.CLOSE_NOT_GAP)],
    SlotState.GAP: [(OPEN, Cause.OPEN_NOT_ACTIVE)],
    SlotState.READY: [(OPEN, Cause.OPEN_NOT_ACTIVE), (CLOSE, Cause.CLOSE_NOT_GAP)],
}


@cocotb.test()
async def fifos_at_their_ends(dut) -> None:
    """Overflow of the event FIFO over both ports, underflow of the decision FIFO: all refused."""
    bench = Bench(dut, random.Random(1))
    await bench.reset(capacity=(100, 50))
    apb, core = bench.apb, bench.core
    push, pop = address("EV_PUSH"), address("DEC_POP")
    assert await apb.read(pop) == (0, True), "DEC_POP of an empty FIFO"
    assert not await apb.write(address("CTRL"), 0b010)
    events = [CoreEvent(EventCode.REQ, s, 5, 0) for s in range(bench.ev_depth)]
    assert not await apb.write(address("EV_TIME"), 0)
    for event in events:
        assert not await apb.write(push, event.word())
    for slot in (9, 10):
        refused = CoreEvent(EventCode.REQ, slot, 5, 0)
        assert await apb.write(push, refused.word()), "a full FIFO took an event"
        dut.ev_code_i.value, dut.ev_slot_i.value = EventCode.REQ, slot
        dut.ev_tokens_i.value, dut.ev_time_i.value, dut.ev_valid_i.value = 5, 0, 1
        for _ in range(5):
            await FallingEdge(dut.clk_i)
            assert not int(dut.ev_ready_o.value), "a full FIFO is ready for the sideband"
        dut.ev_valid_i.value = 0
    wanted = [r for e in events for r in core.step(e)]
    assert not await apb.write(address("CTRL"), 0b011)
    while await bench.busy():
        pass
    got = []
    while (record := await bench.pop()) is not None:
        got.append(record)
    assert got == wanted
    assert (await apb.read(address("CNT_REFUSED")))[0] == 2
    assert await apb.read(pop) == (0, True), "DEC_POP of a drained FIFO"


def test_faults() -> None:
    """16 slots and 12 bits, so that a slot and the tokens can be too large."""
    shape = {"NumSlots": SLOTS, "NumLanes": 2, "TokW": TOKW, "EvDepth": 4, "DecDepth": 16}
    run_block("unison", "tb.block.core.test_faults", shape)
