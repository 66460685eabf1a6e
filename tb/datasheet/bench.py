"""The scenes of docs/datasheet.md, played on the core; a cocotb test that leaves a recording.

Sessions have ten tokens each and, but for one, the prior as gap average, so every scene's decisions
are known; a scene that comes out differently fails.
"""

import json
import os
from pathlib import Path

import cocotb

from tb.datasheet.latency import BY_NAME, ROWS
from tb.datasheet.pins import Pins, start_clock
from unison.contract import CoreEvent, EventCode, RecordKind, mask
from unison.contract.registers import IRQ_RECORD, IRQ_REFUSED, address
from unison.contract.widths import BW_W, TURN_ENTRIES
from unison.scoring import elapsed_weights

SIZE, PRIOR = 10, 1000
#: Times, ticks: sessions begin to wait at 0, the event that is measured comes much later.
LONG, LATER = 5_000, 64_000
ENABLE, TS_EXT, TIDE = 1, 2, 4


def _req(slot: int, tokens: int = SIZE, ts: int = 0) -> CoreEvent:
    return CoreEvent(EventCode.REQ, slot, tokens, ts)


def _gap(slot: int, ts: int = 0) -> CoreEvent:
    return CoreEvent(EventCode.GAP_OPEN, slot, SIZE, ts)


async def _configure(pins: Pins, sram: int, hbm: int, tables: bool = False) -> None:
    """Reset and program: capacities in sessions, no limit to Tide's budget, Tide off."""
    await pins.reset()
    values = [("CAP_SRAM", 0, sram * SIZE), ("CAP_HBM", 0, hbm * SIZE), ("GAP_PRIOR", 0, PRIOR)]
    values.append(("DMA_BW", 0, mask(BW_W)))
    if tables:
        weights = [round(w * 16) for w in elapsed_weights()]
        values += [("WEIGHT_W", i, w) for i, w in enumerate(weights)]
        values += [("WEIGHT_Z", i, 0) for i in range(len(weights))]
        values += [("TURN", i, 0) for i in range(TURN_ENTRIES)]
    values.append(("CTRL", 0, ENABLE | TS_EXT))
    for name, index, value in values:
        assert not await pins.write(name, value, index), f"{name}[{index}] refused"


async def _wait_all(pins: Pins, slots: list[int]) -> None:
    """Sessions that are resident and wait for their tools."""
    await pins.events(*(_req(s) for s in slots), *(_gap(s) for s in slots))


async def _event_of(pins: Pins, name: str, rows: int, lanes: int) -> CoreEvent:
    """Bring the core to where the event returned yields the decisions of row `name`."""
    own = rows * lanes - 1
    slots = list(range(own))
    if name == "three EVICTs of one lane":
        slots = [lanes * row for row in range(rows)]
        # With one lane the own slot would be a candidate's.
        own = max(own, slots[-1] + 1)
    tokens = {
        "EVICT": SIZE, "two EVICTs of different lanes": 2 * SIZE,
        "three EVICTs of one lane": 3 * SIZE, "BYPASS": (len(slots) + 1) * SIZE,
    }  # fmt: skip
    if name in tokens:
        await _configure(pins, len(slots), 0)
        await _wait_all(pins, slots)
        return _req(own, tokens[name], LATER)
    # The first session sits in the SRAM, the others and the own one in the HBM.
    await _configure(pins, 1, len(slots))
    await _wait_all(pins, slots)
    # A long gap makes the first one's average, and so its score, the largest in every form.
    await pins.events(_req(slots[0], ts=LONG), _gap(slots[0], LONG), _req(own, ts=LONG))
    if name.startswith("PROMOTE"):
        await pins.events(CoreEvent(EventCode.DONE, slots[0], 0, LONG))
    assert not await pins.write("CTRL", ENABLE | TS_EXT | TIDE)
    pins.top.dma_ready.value = 1
    return _gap(own, LATER)


_WANTED = {
    "BYPASS": [RecordKind.BYPASS],
    "EVICT": [RecordKind.EVICT],
    "two EVICTs of different lanes": [RecordKind.EVICT] * 2,
    "three EVICTs of one lane": [RecordKind.EVICT] * 3,
    "PROMOTE, after GAP_OPEN of a resident session": [RecordKind.PROMOTE],
    "DEMOTE and PROMOTE, likewise": [RecordKind.DEMOTE, RecordKind.PROMOTE],
}


async def _latencies(pins: Pins, lanes: int, used: list[int]) -> list[dict]:
    found = []
    for row in ROWS:
        for rows in used:
            if rows < row.least:
                continue
            event = await _event_of(pins, row.name, rows, lanes)
            cycles, kinds = await pins.measure(event)
            quiet = (RecordKind.OUTCOME, RecordKind.PLACE)
            decisions = [k for k in kinds if k not in quiet]
            assert decisions == _WANTED[row.name], f"{row.name}, {rows} rows: got {kinds}"
            found.append({"decision": row.name, "rows": rows, "cycles": cycles})
    return found


# The pictures. Each begins and ends with the bus idle.


async def apb_event_write(pins: Pins, _lanes: int) -> None:
    """The event FIFO takes one more event and refuses the next."""
    await _configure(pins, 8, 0)
    await pins.write("CTRL", TS_EXT)  # disabled: events stay in the FIFO
    await pins.write("IRQ_ENABLE", 1 << IRQ_REFUSED)
    depth = (await pins.read("PARAMS"))[0] >> 20 & 63
    for slot in range(depth - 1):
        assert not await pins.write("EV_PUSH", _req(slot).word())
    await pins.cycle()
    pins.record()
    await pins.cycle()
    assert not await pins.write("EV_PUSH", _req(depth - 1).word())
    await pins.cycle()
    assert await pins.write("EV_PUSH", _req(depth).word()), "the full FIFO took an event"
    await pins.cycle()
    await pins.cycle()


async def decision_read(pins: Pins, _lanes: int) -> None:
    """Two records are read, then there is none."""
    await _configure(pins, 8, 0)
    await pins.write("IRQ_ENABLE", 1 << IRQ_RECORD)
    await pins.offer(_req(5))
    for _ in range(40):
        await pins.cycle()
    pins.record()
    await pins.cycle()
    for name in ("DEC_HEAD", "DEC_POP", "DEC_HEAD", "DEC_POP", "DEC_HEAD"):
        data, error = await pins.read(name)
        assert not error, name
    assert data == 0, f"DEC_HEAD without a record: got {data:#x}"
    await pins.cycle()


async def sideband(pins: Pins, _lanes: int) -> None:
    """Sideband events; the second waits while an APB event enters; the fourth for room."""
    await _configure(pins, 8, 0)
    await pins.write("CTRL", TS_EXT)
    depth = (await pins.read("PARAMS"))[0] >> 20 & 63
    for slot in range(depth - 4):
        assert not await pins.write("EV_PUSH", _req(slot).word())
    await pins.cycle()
    pins.record()
    await pins.cycle()
    assert await pins.offer(_req(20)) == 1
    await _push_with(pins, _req(21), _req(22))
    assert await pins.offer(_req(23)) == 1
    word = _req(24)
    for _ in range(2):  # full: it is not taken
        seen = await pins.cycle(sb_valid=1, sb_code=word.code, sb_slot=word.slot)
        assert not seen["taken"]
    # The sender goes on waiting: an offer is not taken back.


async def _push_with(pins: Pins, by_apb: CoreEvent, by_side: CoreEvent) -> None:
    """An APB event write; a sideband event is offered from its access phase on."""
    await pins.cycle(
        apb_psel=1, apb_penable=0, apb_pstrb=15, apb_pwrite=1, apb_paddr=address("EV_PUSH"),
        apb_pwdata=by_apb.word(),
    )  # fmt: skip
    side = {"sb_code": by_side.code, "sb_slot": by_side.slot, "sb_tokens": by_side.tokens}
    seen = await pins.cycle(apb_penable=1, sb_valid=1, **side)
    assert not seen["taken"], "both entered in one cycle"
    seen = await pins.cycle(apb_psel=0, apb_penable=0, apb_pwrite=0)
    assert seen["taken"]
    pins.top.sb_valid.value = 0


async def migration(pins: Pins, lanes: int) -> None:
    """A GAP_OPEN makes two sessions change places; the engine takes both, then reports."""
    event = await _event_of(pins, "DEMOTE and PROMOTE, likewise", 2, lanes)
    pins.top.dma_ready.value = 0
    pins.record()
    await pins.offer(event)
    await pins.idle()
    pins.trim("dma_valid_o")
    await pins.cycle(dma_ready=1)
    await pins.cycle(dma_ready=0)
    await pins.cycle(dma_ready=1)
    await pins.cycle(dma_ready=0)
    await pins.cycle()
    await pins.offer(CoreEvent(EventCode.MIG_DONE, 0, 0, LATER))
    await pins.idle()
    await pins.cycle()
    assert pins.recording["migration"][-1] == 0, "the migration did not end"


async def eviction(pins: Pins, lanes: int) -> None:
    """A REQ with one EVICT, cycle by cycle; two rows in use."""
    event = await _event_of(pins, "EVICT", 2, lanes)
    pins.record()
    await pins.cycle()
    await pins.offer(event)
    await pins.idle()


SCENES = (apb_event_write, decision_read, sideband, migration, eviction)


@cocotb.test()
async def play(top) -> None:
    """Latencies, then scenes if they are asked for; what was seen goes to a file."""
    start_clock(top)
    pins = Pins(top)
    await _configure(pins, 0, 0, tables=True)
    lanes = (await pins.read("PARAMS"))[0] >> 9 & 31
    used = [int(n) for n in os.environ["DATASHEET_ROWS"].split()]
    out = {"latency": await _latencies(pins, lanes, used), "waves": {}}
    assert {f["decision"] for f in out["latency"]} == set(BY_NAME)
    if os.environ.get("DATASHEET_SCENES"):
        for scene in SCENES:
            await scene(pins, lanes)
            out["waves"][scene.__name__] = pins.recorded()
    Path(os.environ["DATASHEET_OUT"]).write_text(json.dumps(out))
