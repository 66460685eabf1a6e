"""The block diagram: boxes and arrows from the lists below; the modules in it from the RTL.

Each box names the modules it stands for; `check` holds them against what is instantiated, so a
module that comes or goes stops the generator until the picture is changed.
"""

import re
from dataclasses import dataclass

_INSTANCE = re.compile(r"^\s*(unison_\w+)\s*(?:#\(|u_\w+)", re.M)


@dataclass(frozen=True)
class Box:
    """x, y, width, height; title, lines of text, and the modules it stands for."""

    x: int
    y: int
    w: int
    h: int
    title: str
    lines: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    outside: bool = False


@dataclass(frozen=True)
class Arrow:
    """A path of points; label beside the first one's middle."""

    points: tuple[tuple[int, int], ...]
    label: str = ""
    at: tuple[int, int] = (0, 0)


BOXES = (
    Box(10, 70, 130, 110, "CPU", ("driver: tables,", "capacities, events,", "records"), (), True),
    Box(10, 230, 130, 90, "Decode engine", ("events without", "the CPU"), (), True),
    Box(890, 70, 140, 110, "DMA engine", ("moves sessions;", "then MIG_DONE by", "ev_* or EV_PUSH"),
        (), True),
    Box(890, 230, 140, 90, "SRAM and HBM", ("KV of the sessions",), (), True),
    Box(220, 70, 150, 110, "APB completer", ("registers, tables,", "counters, PSLVERR"),
        ("unison_apb", "unison_config", "unison_tables", "unison_counters")),
    Box(250, 230, 120, 90, "Event arbiter", ("own time stamps", "or the sender's"),
        ("unison_ev_arb", "unison_timebase")),
    Box(420, 70, 170, 70, "Decision FIFO", ("DecDepth records",), ("unison_fifo",)),
    Box(420, 250, 170, 70, "Event FIFO", ("EvDepth events",), ("unison_fifo",)),
    Box(650, 70, 170, 70, "DMA buffer", ("2 descriptors",), ("unison_fifo",)),
    Box(650, 210, 170, 150, "Controller", ("state machine, checks,", "gap average, accounts,",
        "Tide's budget, latency"),
        ("unison_ctrl", "unison_fsm", "unison_check", "unison_session", "unison_ema",
         "unison_accounts", "unison_tide", "unison_tide_divide", "unison_latency",
         "unison_ghat_pack", "unison_ghat_unpack")),
    Box(650, 420, 170, 90, "Slot table", ("NumSlots sessions,", "flip-flops"),
        ("unison_slot_table",)),
    Box(420, 420, 170, 90, "Ranking unit", ("NumLanes slots a cycle:", "victims, p and q"),
        ("unison_rank", "unison_rank_lane", "unison_rank_sums", "unison_rank_linear",
         "unison_keep", "unison_best", "unison_compare", "unison_normalise", "unison_octave",
         "unison_turn_index", "unison_score_compact", "unison_score_product",
         "unison_score_quotient", "unison_score_ratio", "unison_score_reciprocal",
         "unison_walk")),
)  # fmt: skip

ARROWS = (
    Arrow(((140, 110), (220, 110)), "APB4", (180, 102)),
    Arrow(((220, 150), (140, 150)), "irq_o", (180, 166)),
    Arrow(((140, 275), (250, 275)), "ev_*", (170, 267)),
    Arrow(((310, 180), (310, 230)), "EV_PUSH", (347, 210)),
    Arrow(((370, 285), (420, 285))),
    Arrow(((420, 105), (370, 105))),
    Arrow(((590, 285), (650, 285)), "event", (620, 277)),
    Arrow(((690, 210), (690, 175), (505, 175), (505, 140)), "records", (600, 167)),
    Arrow(((760, 210), (760, 140)), "descriptors", (803, 190)),
    Arrow(((820, 105), (890, 105)), "dma_*", (855, 97)),
    Arrow(((960, 180), (960, 230))),
    Arrow(((735, 360), (735, 420)), "read, write", (780, 395)),
    Arrow(((650, 465), (590, 465)), "rows", (620, 457)),
    Arrow(((505, 420), (505, 385), (690, 385), (690, 360)), "victims, p, q", (590, 377)),
    Arrow(((232, 180), (232, 465), (420, 465)), "W, Z, TURN", (335, 457)),
)


def instantiated(sources: dict[str, str], top: str = "unison") -> set[str]:
    """Modules below `top`; `sources`: text by module name."""
    found: set[str] = set()
    todo = [top]
    while todo:
        for name in set(_INSTANCE.findall(sources[todo.pop()])) - found:
            if name in sources:
                found.add(name)
                todo.append(name)
    return found


def check(sources: dict[str, str]) -> None:
    """ValueError when the boxes do not stand for exactly what the RTL instantiates."""
    drawn = {m for b in BOXES for m in b.modules} & set(sources)
    missing = instantiated(sources) - drawn
    gone = drawn - instantiated(sources)
    if missing or gone:
        raise ValueError(
            f"tools/datasheet/blocks.py: no box stands for {sorted(missing)}, "
            f"nothing instantiates {sorted(gone)}"
        )


def _box(b: Box) -> list[str]:
    middle = b.x + b.w // 2
    top = b.y + b.h // 2 - 8 * len(b.lines) + 5
    kind = "o" if b.outside else "c"
    out = [f'<rect class="{kind}" x="{b.x}" y="{b.y}" width="{b.w}" height="{b.h}" rx="5"/>']
    out.append(f'<text class="t" x="{middle}" y="{top}">{b.title}</text>')
    out += [
        f'<text x="{middle}" y="{top + 18 + 16 * i}">{line}</text>'
        for i, line in enumerate(b.lines)
    ]
    return out


def _arrow(a: Arrow) -> list[str]:
    path = "M" + "L".join(f"{x} {y}" for x, y in a.points)
    out = [f'<path class="a" d="{path}"/>']
    if a.label:
        out.append(f'<text class="s" x="{a.at[0]}" y="{a.at[1]}">{a.label}</text>')
    return out


_STYLE = (
    "text{font:13px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#222}"
    ".t{font-weight:bold}.s{font-size:12px;fill:#445}"
    ".c{fill:#fff4e0;stroke:#a75}.o{fill:#eef3fb;stroke:#456}"
    ".a{stroke:#334;stroke-width:1.5;fill:none;marker-end:url(#m)}"
)
_MARKER = (
    '<marker id="m" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0L10 5L0 10z" fill="#334"/></marker>'
)


def figure(sources: dict[str, str]) -> str:
    """SVG. ValueError as `check`."""
    check(sources)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1040 540">',
        f"<defs>{_MARKER}<style>{_STYLE}</style></defs>",
        '<rect width="1040" height="540" fill="#fff"/>',
        '<rect x="195" y="30" width="660" height="495" rx="8" fill="#fafafa" stroke="#999" '
        'stroke-dasharray="5 4"/>',
        '<text class="t" x="235" y="52">unison</text>',
    ]
    for box in BOXES:
        out += _box(box)
    for arrow in ARROWS:
        out += _arrow(arrow)
    return "\n".join([*out, "</svg>", ""])
