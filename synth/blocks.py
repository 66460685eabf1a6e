"""The blocks of the core: which instances stay apart while mapping, and what they count as.

A cell's path (instance names from the top) decides its block. Modules the table does not know are
mapped inside their parent and count there, or as `rest` directly below the top, so that the flow
takes any version of the RTL.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A block. module: pattern of module names; part: where the paper's breakdown has it."""

    name: str
    module: str
    part: str


TABLE, SCORING, TIDE = "slot table", "scoring", "Tide"
CONTROL, PERIPHERY = "control", "APB/CSR/FIFO"
#: The paper's parts, in the order of our tables.
PARTS = (SCORING, TIDE, PERIPHERY, TABLE, CONTROL)

#: First match wins.
BLOCKS = (
    Block("slot table", r"unison_slot_\w+", TABLE),
    Block("score", r"unison_(score|div)\w*", SCORING),
    Block("keep lists", r"unison_(keep|tree|tournament)\w*", SCORING),
    Block("rank rest", r"unison_(rank|best|scan|walk|compare)\w*", SCORING),
    Block("Tide", r"unison_tide\w*", TIDE),
    Block("accounts", r"unison_accounts", CONTROL),
    Block("session", r"unison_(session|ghat\w*)", CONTROL),
    Block("fsm, check", r"unison_(ctrl|fsm|check|latency)", CONTROL),
    Block("event FIFO", r"unison_(fifo\S*u_events|ev_arb\S*)", PERIPHERY),
    Block("decision FIFO", r"unison_fifo\S*u_records", PERIPHERY),
    Block("DMA FIFO", r"unison_fifo\S*u_dma", PERIPHERY),
    Block("score tables", r"unison_tables", PERIPHERY),
    Block("counters", r"unison_counters", PERIPHERY),
    Block("APB, configuration", r"unison_(apb|config|timebase)", PERIPHERY),
)
REST = Block("rest", r"", PERIPHERY)

#: Modules inside a block that are flattened into it: small, or better optimised together.
_INNER = (
    r"unison_(octave|turn_index|normalise|ghat_pack|ghat_unpack|best|walk|compare|rank_sums|rank_lane"
    r"|fsm|check|latency|ema|ev_arb|timebase)"
)


def of_module(name: str) -> Block | None:
    """Block of a module. `name`: as read_slang makes it, module$path.of.the.instance."""
    module, _, path = name.lstrip("\\").partition("$")
    for block in BLOCKS:
        if re.fullmatch(block.module, module) or re.fullmatch(block.module, f"{module}${path}"):
            return block
    return None


def kept(modules: list[str]) -> list[str]:
    """Of the elaborated modules, those that are mapped on their own."""
    out = []
    for name in modules:
        module = name.lstrip("\\").partition("$")[0]
        if "$" in name and of_module(name) and not re.fullmatch(_INNER, module):
            out.append(name)
    return out


def of_path(path: str, by_path: dict[str, Block]) -> Block:
    """Block of a cell by its path: that of the innermost instance around it that is known."""
    # An instance's name may hold dots (generate blocks), so prefixes are looked up, longest first.
    at = path.rfind(".")
    while at > 0:
        if path[:at] in by_path:
            return by_path[path[:at]]
        at = path.rfind(".", 0, at)
    return REST


def by_path(kept_modules: list[str], top: str = "unison") -> dict[str, Block]:
    """Instance path below the top to block, for the kept modules."""
    out = {}
    for name in kept_modules:
        path = name.lstrip("\\").partition("$")[2].removeprefix(top + ".")
        out[path] = of_module(name)
    return out
