"""Every illegal event of the contract in every slot state, and single upsets of the slot table."""

import itertools
import random
from dataclasses import replace

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
#: What brings slot 3 into each state: legal events before, (code, tokens).
PATHS = {
    "FREE": [],
    "FREE again": [(EventCode.REQ, 9), (EventCode.DONE, 0)],
    "ACTIVE": [(EventCode.REQ, 9)],
    "ACTIVE bypassed": [(EventCode.REQ, 900)],
    "GAP": [(EventCode.REQ, 9), (EventCode.GAP_OPEN, 9)],
    "GAP not resident": [(EventCode.REQ, 900), (EventCode.GAP_OPEN, 900)],
    "READY": [(EventCode.REQ, 9), (EventCode.GAP_OPEN, 9), (EventCode.GAP_CLOSE, 0)],
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




async def _bring(bench: Bench, path: list[tuple[int, int]], slot: int, now: int) -> int:
    for code, tokens in path:
        now += 7
        await bench.lockstep(CoreEvent(code, slot, tokens, now), tide=False)
    return now


@cocotb.test()
async def every_fault_in_every_state(dut) -> None:
    """The whole table: path x code x fault; the golden model says what is right.

    A probe after each: an illegal event changed nothing, so the slot goes on as if it had not been.
    """
    seen, cases, now = set(), 0, START
    bench = Bench(dut, random.Random(1))
    await bench.reset(capacity=(100, 50))
    for path in PATHS.values():
        for code, fields in itertools.product(range(16), FAULTS.values()):
            now = await _bring(bench, path, 3, now)
            base = CoreEvent(code, 3, 9, now)
            ts = now + fields.get("ts", 1)
            event = replace(base, **{k: v for k, v in fields.items() if k != "ts"}, ts=ts)
            state = bench.core.slots[3].state
            records = await bench.lockstep(event, tide=False)
            cases += 1
            if records and records[0].kind == RecordKind.ERROR:
                seen.add((state, code if is_known(code) else 0, Cause(records[0].info)))
            else:
                now = ts
            follow = EventCode.REQ
            if bench.core.slots[3].state == SlotState.ACTIVE:
                follow = EventCode.GAP_OPEN
            await bench.lockstep(CoreEvent(follow, 3, 8, now), tide=False)
            await bench.lockstep(CoreEvent(EventCode.DONE, 3, 0, now), tide=False)
    dut._log.info(f"{cases} cases, {len(seen)} of state x code x cause")
    for state, code, cause in _wanted():
        assert (state, code, cause) in seen, f"never: {state.name}, code {code}, {cause.name}"


def _wanted():
    """Every (state, code, cause) that the contract knows."""
    sized = (EventCode.REQ, EventCode.GAP_OPEN)
    by_state = {
        Cause.SLOT_FREE: ({SlotState.FREE}, set(EventCode) - {EventCode.REQ, EventCode.MIG_DONE}),
        Cause.REQ_ACTIVE: ({SlotState.ACTIVE}, {EventCode.REQ}),
        Cause.OPEN_NOT_ACTIVE: ({SlotState.GAP, SlotState.READY}, {EventCode.GAP_OPEN}),
        Cause.CLOSE_NOT_GAP: ({SlotState.ACTIVE, SlotState.READY}, {EventCode.GAP_CLOSE}),
    }
    for state in SlotState:
        yield state, 0, Cause.UNKNOWN_CODE
        yield state, EventCode.MIG_DONE, Cause.MIG_NOT_OUTSTANDING
        for code in EventCode:
            if code != EventCode.MIG_DONE:
                yield SlotState.FREE, code, Cause.BAD_SLOT
            yield state, code, Cause.TIME_BACK
            if code in sized:
                yield state, code, Cause.TOKENS_ZERO
                yield state, code, Cause.TOKENS_OVER
        for cause, (states, codes) in by_state.items():
            if state in states:
                for code in codes:
                    yield state, code, cause


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


