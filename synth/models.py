"""Verilog models of library cells, written from their Liberty functions: no vendor file is needed.

Zero delay. A flip-flop starts unknown, as the silicon does, unless its reset acts.
"""

import re
from collections.abc import Iterable

from synth.function import parse
from synth.liberty import Cell, LibertyError


def edge(text: str) -> tuple[str, bool]:
    """Pin and whether its active level is high, of a function like `CLK` or `(!R)`."""
    tree, high = parse(text), True
    while tree.op == "not":
        tree, high = tree.parts[0], not high
    if tree.op != "name":
        raise LibertyError(f"got {text!r}, expected a pin or its complement")
    return tree.text, high


def _flop(cell: Cell) -> list[str]:
    flop = cell.flop
    clock, rising = edge(flop.clock)
    events = [f"{'posedge' if rising else 'negedge'} {clock}"]
    branches = []
    for text, value in ((flop.clear, "1'b0"), (flop.preset, "1'b1")):
        if text:
            pin, high = edge(text)
            events.append(f"{'posedge' if high else 'negedge'} {pin}")
            branches.append(f"if ({'' if high else '~'}{pin}) state <= {value};")
    branches.append(f"state <= {parse(flop.next_state).verilog()};")
    lines = ["  reg state;", f"  always @({' or '.join(events)})"]
    lines += [f"    {'else ' if i else ''}{text}" for i, text in enumerate(branches)]
    state, *complement = flop.names
    names = {state: "state"} | dict.fromkeys(complement, "~state")
    for pin in cell.outputs:
        value = parse(pin.function).verilog(lambda n: names.get(n, n))
        lines.append(f"  assign {pin.name} = {value};")
    return lines


def model(cell: Cell) -> str:
    """One cell as a Verilog module. LibertyError when its function is not known."""
    ports = ", ".join(
        f"{'output' if p.output else 'input'} wire {p.name}" for p in cell.pins.values()
    )
    if cell.flop:
        body = _flop(cell)
    elif all(p.function for p in cell.outputs):
        body = [f"  assign {p.name} = {parse(p.function).verilog()};" for p in cell.outputs]
    else:
        raise LibertyError(f"{cell.name}: no function")
    return "\n".join([f"module {cell.name} ({ports});", *body, "endmodule", ""])


def write(cells: Iterable[Cell]) -> str:
    """A file of models."""
    used = sorted({c.name: c for c in cells}.items())
    text = "\n".join(model(c) for _, c in used)
    return "// Generated from the Liberty functions; zero delay.\n`timescale 1ns / 1ps\n\n" + (
        re.sub(r"\n{3,}", "\n\n", text)
    )
