"""The page's tables, made from the RTL's header, the register map and the encodings."""

import re
from collections.abc import Iterable, Sequence

from tools.datasheet.header import Header
from unison.contract import Cause, EventCode, Outcome, RecordKind, Tier
from unison.contract.registers import REGISTERS

#: Groups of pins by the start of their names, in the order of the page.
GROUPS = (
    ("Clock and reset", ("clk_", "rst_")),
    ("APB4 completer", ("p",)),
    ("Sideband events", ("ev_",)),
    ("DMA descriptors", ("dma_",)),
    ("Interrupt", ("irq_",)),
)

#: Names in brackets at a meaning's end.
_LIST = re.compile(r" \([A-Z_]+(, [A-Z_]+)+\)$")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; a bar in a cell would end it, so it is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(c).replace("|", r"\|") for c in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def parameters(header: Header) -> str:
    """Name, default, what is legal, what it is."""
    return table(
        ("parameter", "default", "legal", "meaning"),
        ((f"`{p.name}`", p.default, "; ".join(p.legal), p.doc) for p in header.parameters),
    )


def ports(header: Header) -> str:
    """One table, by groups. ValueError for a pin of no group."""
    rows: list[tuple[object, ...]] = []
    left = list(header.ports)
    for title, starts in GROUPS:
        group = [p for p in left if p.name.startswith(starts)]
        left = [p for p in left if p not in group]
        rows.append((f"**{title}**", "", "", ""))
        rows += [(f"`{p.name}`", "out" if p.output else "in", p.width, p.doc) for p in group]
    if left:
        raise ValueError(f"ports of no group in tools/datasheet/tables.py: {left}")
    return table(("port", "direction", "bits", "meaning"), rows)


def registers() -> str:
    """Address, name, access and the meaning, without what docs/registers.md alone need say."""
    rows = []
    for r in REGISTERS:
        last = r.address + 4 * (r.count - 1)
        where = f"0x{r.address:03X}" + f"..0x{last:03X}" * (r.count > 1)
        name = f"`{r.name}`" + f"[{r.count}]" * (r.count > 1)
        rows.append((where, name, r.access.value, _LIST.sub("", r.doc).partition(";")[0]))
    return table(("address", "register", "access", "meaning"), rows)


_RECORDS = {
    RecordKind.OUTCOME: "what a REQ found, before any change",
    RecordKind.EVICT: "slot leaves its tier; its KV may be dropped",
    RecordKind.BYPASS: "slot is kept in no tier",
    RecordKind.PLACE: "slot sits in the tier named from now on",
    RecordKind.PROMOTE: "slot moves to the SRAM; also a DMA descriptor",
    RecordKind.DEMOTE: "slot moves to the HBM; also a DMA descriptor, ahead of the PROMOTE",
    RecordKind.ERROR: "the event was illegal and changed nothing; info is the cause",
}
_EVENTS = {
    EventCode.REQ: ("slot, tokens", "a request of the session starts; its prefix has `tokens`"),
    EventCode.GAP_OPEN: ("slot, tokens", "decode ended; the tool wait begins"),
    EventCode.GAP_CLOSE: ("slot", "the tool result is there"),
    EventCode.DONE: ("slot", "the session has ended"),
    EventCode.MIG_DONE: ("none", "the DMA engine has finished the migration"),
}


def events() -> str:
    """Event codes."""
    return table(
        ("code", "event", "reads", "meaning"), ((int(e), e.name, *_EVENTS[e]) for e in EventCode)
    )


def records() -> str:
    """Record kinds."""
    return table(("kind", "record", "meaning"), ((int(k), k.name, _RECORDS[k]) for k in RecordKind))


def codes() -> str:
    """The small encodings, a line each."""
    return "\n".join(
        f"- {title}: " + ", ".join(f"{int(m)} {m.name}" for m in enum) + "."
        for title, enum in (("Tier", Tier), ("Info of OUTCOME", Outcome), ("Info of ERROR", Cause))
    )
