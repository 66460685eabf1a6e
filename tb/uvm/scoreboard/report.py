"""The readable difference that a failed comparison ends in."""

from dataclasses import fields
from typing import Any

from tb.uvm.agents.apb_bus import cycle_now
from unison.contract import Cause, CoreEvent, EventCode, Outcome, Record, RecordKind, Tier
from unison.contract.records import is_known
from unison.core import EventCore, Slot
from unison.core.fidelity import FloatShadow
from unison.scoring import raw_key


def show_event(event: CoreEvent) -> str:
    """One event in words."""
    name = EventCode(event.code).name if is_known(event.code) else f"code {event.code}"
    return f"{name} slot {event.slot} tokens {event.tokens} at tick {event.ts}"


def show_record(record: Record | None) -> str:
    """One record in words; None: 'nothing'."""
    if record is None:
        return "nothing"
    info = ""
    if record.kind == RecordKind.OUTCOME and record.info in list(Outcome):
        info = f" {Outcome(record.info).name}"
    elif record.kind == RecordKind.ERROR and record.info in list(Cause):
        info = f" {Cause(record.info).name}"
    elif record.info:
        info = f" info {record.info}"
    return (
        f"{record.kind.name}{info} slot {record.slot} tier {record.tier.name} "
        f"tokens {record.tokens} (event number {record.seq})"
    )


def show_slot(slot: Slot) -> str:
    """One row of the golden slot table in words."""
    flags = [name for name, on in (("seen", slot.seen), ("in flight", slot.in_flight)) if on]
    return (
        f"{slot.state.name} in {slot.tier.name}, {slot.tokens} tokens, k {slot.k}, "
        f"t_on {slot.t_on}, ghat {slot.ghat}" + (f", {', '.join(flags)}" if flags else "")
    )


def differing_fields(want: Record | None, got: Record | None) -> str:
    """Names of the fields that differ, with both values."""
    if want is None or got is None:
        return "one of them is missing"
    return ", ".join(
        f"{f.name}: expected {_plain(getattr(want, f.name))}, got {_plain(getattr(got, f.name))}"
        for f in fields(Record)
        if getattr(want, f.name) != getattr(got, f.name)
    )


def _plain(value: Any) -> str:
    return getattr(value, "name", str(value))


def mismatch(
    what: str,
    index: int,
    records: int,
    event: CoreEvent | None,
    before: Slot | None,
    golden: EventCore,
    want: Record | None,
    got: Record | None,
    rankings: list[str],
) -> str:
    """The whole report; `index`: events before this one, `records`: records before this one."""
    lines = [f"MISMATCH at event {index} (record {records}, cycle {cycle_now()}): {what}"]
    if event is not None:
        lines.append(f"  event     {show_event(event)}")
        if event.slot < len(golden.slots):
            if before is not None:
                lines.append(f"  before    slot {event.slot}: {show_slot(before)}")
            lines.append(f"  after     slot {event.slot}: {show_slot(golden.slots[event.slot])}")
    if want is not None or got is not None:
        lines += [
            f"  expected  {show_record(want)}",
            f"  got       {show_record(got)}",
            f"  differs   {differing_fields(want, got)}",
        ]
    pools = ", ".join(
        f"{t.name} {golden.used[t]} of {golden.capacity[t]}" for t in (Tier.SRAM, Tier.HBM)
    )
    lines.append(f"  accounts  {pools} (golden, after the event)")
    return "\n".join([*lines, *rankings, ""])


def ranking_table(golden: EventCore, shadow: FloatShadow, keys: dict[int, int] | None) -> list[str]:
    """Both rankings, largest key first: golden and RTL keys and ranks, with float64's beside.

    keys: the RTL's, by candidate, of its last pass in this event; None: it ran none.
    """
    shown = set(keys or ()) | {i for i, s in enumerate(golden.slots) if s.candidate}
    if not shown:
        return ["  rankings  no candidates"]
    want = {i: raw_key(golden.key(i)) for i in shown}
    exact = shadow.keys(tuple(shown))
    got = keys or {}
    rows = [
        "  rankings  slot state  tier tokens      golden key         RTL key  "
        "rank: golden RTL float64"
    ]
    if keys is None:
        rows.append("            (the RTL ran no ranking pass in this event)")
    rank_want, rank_got, rank_exact = _ranks(want), _ranks(got), _ranks(exact)
    for i in sorted(shown, key=rank_want.__getitem__):
        s = golden.slots[i]
        mine = f"{got[i]:#015x}" if i in got else "-"
        mark = "" if i not in got or got[i] == want[i] else "  <- key differs"
        rows.append(
            f"            {i:4} {s.state.name:6} {s.tier.name:4} {s.tokens:6} "
            f"{want[i]:#015x} {mine:>15}        {rank_want[i]:4} {rank_got.get(i, '-'):>3} "
            f"{rank_exact[i]:4}{mark}"
        )
    return rows


def _ranks(keys: dict[int, Any]) -> dict[int, int]:
    order = sorted(keys, key=lambda i: (keys[i], -i), reverse=True)
    return {slot: rank for rank, slot in enumerate(order, 1)}
