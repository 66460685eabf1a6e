"""Reads a Liberty file: cells, areas, pins, functions, flip-flops; names what to map with.

Only what the flow needs is kept. The timing tables stay with ABC and OpenSTA, which read the
same file.
"""

import fnmatch
import gzip
import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

from synth.function import Expression, parse

#: Cells that are no gates for mapping, whatever their function says: delays and clock buffers.
_NOT_LOGIC = ("*dly*", "*DLY*", "*CLKBUF*", "*clkbuf*")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}();:,]|[^\s{}();:,"]+', re.S)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


class LibertyError(Exception):
    """The file lacks something the flow needs; the message says what."""


@dataclass
class Group:
    """One Liberty group: `kind (args) { attributes, groups }`."""

    kind: str
    args: list[str]
    attributes: dict[str, str] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    def of(self, kind: str) -> list["Group"]:
        """Subgroups of one kind."""
        return [g for g in self.groups if g.kind == kind]

    @property
    def name(self) -> str:
        """First argument."""
        return self.args[0] if self.args else ""


def read_text(path: Path) -> str:
    """Text of a .lib or .lib.gz."""
    raw = path.read_bytes()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode(errors="replace")


def parse_groups(text: str) -> Group:
    """The library group with all below it. Complex attributes keep their arguments as text."""
    tokens = _TOKEN.findall(_COMMENT.sub(" ", text.replace("\\\n", " ")))
    at = 0
    root = Group("", [])
    stack = [root]
    while at < len(tokens):
        word = tokens[at]
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        if word == "}":
            stack.pop()
            at += 1
        elif after == ":":
            end = at + 2
            while end < len(tokens) and tokens[end] not in (";", "}") and tokens[end + 1] != ":":
                end += 1
            stack[-1].attributes[word] = " ".join(tokens[at + 2 : end]).strip('"')
            at = end
        elif after == "(":
            end = tokens.index(")", at)
            args = [t.strip('"') for t in tokens[at + 2 : end] if t != ","]
            at = end + 1
            if at < len(tokens) and tokens[at] == "{":
                group = Group(word, args)
                stack[-1].groups.append(group)
                stack.append(group)
                at += 1
            else:
                stack[-1].attributes[word] = ", ".join(args)
        else:
            at += 1
    if not root.groups:
        raise LibertyError("no library group; is this a Liberty file?")
    return root.groups[0]


@dataclass(frozen=True)
class Pin:
    """A pin. cap: farads in the library's unit; function: None for inputs."""

    name: str
    output: bool
    cap: float
    function: str | None
    three_state: bool


@dataclass(frozen=True)
class Flop:
    """An edge-triggered storage group; texts are Liberty functions."""

    names: tuple[str, ...]
    next_state: str
    clock: str
    clear: str | None
    preset: str | None


@dataclass
class Cell:
    """A library cell."""

    name: str
    area: float
    pins: dict[str, Pin]
    flop: Flop | None
    odd: str

    @property
    def inputs(self) -> list[Pin]:
        """Input pins in file order."""
        return [p for p in self.pins.values() if not p.output]

    @property
    def outputs(self) -> list[Pin]:
        """Output pins in file order."""
        return [p for p in self.pins.values() if p.output]

    @cached_property
    def gate(self) -> tuple[Expression, Pin] | None:
        """Function and pin of a plain gate with one output; None for anything else."""
        if self.odd or self.flop or len(self.outputs) != 1 or not self.inputs:
            return None
        pin = self.outputs[0]
        return (parse(pin.function), pin) if pin.function else None

    @cached_property
    def table(self) -> tuple[int, ...] | None:
        """Truth table of a plain gate over its inputs in file order, the last one fastest."""
        if self.gate is None:
            return None
        names = [p.name for p in self.inputs]
        rows = product((0, 1), repeat=len(names))
        return tuple(self.gate[0].value(dict(zip(names, row, strict=True))) for row in rows)


def _cell(group: Group) -> Cell:
    pins = {}
    for pin in group.of("pin"):
        a = pin.attributes
        for name in pin.args:
            pins[name] = Pin(
                name,
                a.get("direction") in ("output", "inout"),
                float(a.get("capacitance", 0)),
                a.get("function"),
                "three_state" in a,
            )
    flop = None
    if ffs := group.of("ff"):
        a = ffs[0].attributes
        flop = Flop(
            tuple(ffs[0].args), a["next_state"], a["clocked_on"], a.get("clear"), a.get("preset")
        )
    a = group.attributes
    odd = ""
    if a.get("dont_use") == "true":
        odd = "dont_use"
    elif group.of("latch") or group.of("statetable") or "clock_gating_integrated_cell" in a:
        odd = "latch or clock gate"
    elif any(p.three_state for p in pins.values()):
        odd = "three-state"
    elif group.of("test_cell"):
        odd = "scan"
    elif any(fnmatch.fnmatch(group.name, pattern) for pattern in _NOT_LOGIC):
        odd = "delay or clock buffer"
    return Cell(group.name, float(a.get("area", 0)), pins, flop, odd)


@dataclass
class Library:
    """Cells of a library and what the flow asks about them."""

    name: str
    cells: dict[str, Cell]
    volts: float
    time_ps: float
    cap_ff: float

    @cached_property
    def nand2(self) -> Cell:
        """The smallest 2-input NAND: one gate equivalent."""
        return self._smallest((1, 1, 1, 0), "2-input NAND")

    @cached_property
    def buffers(self) -> list[Cell]:
        """Buffers by area."""
        found = [c for c in self.cells.values() if c.table == (0, 1)]
        if not found:
            raise LibertyError(f"{self.name}: no buffer")
        return sorted(found, key=lambda c: c.area)

    @cached_property
    def flops(self) -> dict[str, Cell]:
        """Flip-flops that may be mapped to."""
        return {n: c for n, c in self.cells.items() if c.flop and not c.odd}

    @cached_property
    def dont_use(self) -> list[str]:
        """Cells to keep mapping away from."""
        return [n for n, c in self.cells.items() if c.odd]

    def _smallest(self, table: tuple[int, ...], what: str) -> Cell:
        found = [c for c in self.cells.values() if c.table == table]
        if not found:
            raise LibertyError(f"{self.name}: no {what}")
        return min(found, key=lambda c: c.area)


_TIME = {"ps": 1.0, "ns": 1000.0, "fs": 0.001}


def _scaled(text: str, units: dict[str, float]) -> float:
    match = re.fullmatch(r"([\d.]+)\s*,?\s*(\w+)", text.strip())
    if not match or match[2].lower() not in units:
        raise LibertyError(f"got unit {text!r}, expected a number and one of {', '.join(units)}")
    return float(match[1]) * units[match[2].lower()]


def load(path: Path) -> Library:
    """Read a library from a .lib or .lib.gz file."""
    top = parse_groups(read_text(path))
    cells = {g.name: _cell(g) for g in top.of("cell")}
    if not cells:
        raise LibertyError(f"{path.name}: no cells")
    a = top.attributes
    return Library(
        top.name,
        cells,
        float(a.get("nom_voltage", 0)),
        _scaled(a.get("time_unit", "1ns"), _TIME),
        _scaled(a.get("capacitive_load_unit", "1, pf"), {"ff": 1.0, "pf": 1000.0}),
    )
