"""A flat mapped netlist in memory: read from Yosys' JSON, measured, written as plain Verilog.

Nets are integers; constants are "0" and "1". Instances of flip-flops carry their register's name,
so that reports and activity files can be read; gates are numbered.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from synth.liberty import Cell, Library

Net = int | str


@dataclass
class Instance:
    """A cell. path: the instances it came from, `u_a.u_b.`; pins: net by pin."""

    name: str
    cell: str
    pins: dict[str, Net]
    path: str


@dataclass
class Port:
    """A port, bit 0 first."""

    name: str
    output: bool
    bits: list[Net]


@dataclass
class Netlist:
    """All of it. next_net: first unused net number."""

    name: str
    library: Library
    ports: list[Port]
    instances: list[Instance]
    next_net: int
    extra: dict[str, str] = field(default_factory=dict)

    def cell(self, instance: Instance) -> Cell:
        """Library cell of an instance."""
        return self.library.cells[instance.cell]

    def area(self) -> float:
        """Sum of the cells' areas."""
        return sum(self.cell(i).area for i in self.instances)

    def flops(self) -> list[Instance]:
        """The flip-flops."""
        return [i for i in self.instances if self.cell(i).flop]

    def drivers(self) -> dict[Net, tuple[Instance, str]]:
        """Instance and pin that drive each net."""
        out = {}
        for instance in self.instances:
            for pin in self.cell(instance).outputs:
                if pin.name in instance.pins:
                    out[instance.pins[pin.name]] = (instance, pin.name)
        return out

    def sinks(self) -> dict[Net, list[tuple[Instance, str]]]:
        """Instances and pins that each net feeds; ports are not among them."""
        out: dict[Net, list[tuple[Instance, str]]] = {}
        for instance in self.instances:
            for pin in self.cell(instance).inputs:
                net = instance.pins.get(pin.name)
                if isinstance(net, int):
                    out.setdefault(net, []).append((instance, pin.name))
        return out


def _word(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def _path(name: str) -> str:
    """Instances around a cell, each with a dot behind it; Yosys' flatten puts them in its name."""
    return name.removeprefix("$flatten").replace("\\", "").partition("$")[0]


def read(path: Path, library: Library, top: str = "unison") -> Netlist:
    """From Yosys' write_json of a flat module of library cells."""
    module = json.loads(path.read_text())["modules"][top]
    names: dict[Net, str] = {}
    for name, net in module["netnames"].items():
        for i, bit in enumerate(net["bits"]):
            text = f"{name}_{i}" if len(net["bits"]) > 1 else name
            if isinstance(bit, int) and (
                bit not in names or (net["hide_name"] == 0 and len(text) < len(names[bit]))
            ):
                names[bit] = text
    instances, highest, used = [], 1, set()
    for number, (name, cell) in enumerate(module["cells"].items()):
        pins: dict[str, Net] = {}
        for pin, bits in cell["connections"].items():
            net = bits[0]
            pins[pin] = net if isinstance(net, int) else ("1" if net == "1" else "0")
            highest = max(highest, net if isinstance(net, int) else 0)
        kind = library.cells.get(cell["type"])
        if kind is None:
            raise ValueError(f"cell {name}: type {cell['type']} is not in {library.name}")
        label = f"c{number}"
        if kind.flop:
            q = next((pins[p.name] for p in kind.outputs if p.name in pins), None)
            label = "r_" + _word(names.get(q, label))
            if label in used:
                label += f"_{number}"
            used.add(label)
        instances.append(Instance(label, cell["type"], pins, _path(name)))
    ports = []
    for name, port in module["ports"].items():
        bits = [b if isinstance(b, int) else ("1" if b == "1" else "0") for b in port["bits"]]
        highest = max([highest, *(b for b in bits if isinstance(b, int))])
        ports.append(Port(name, port["direction"] == "output", bits))
    return Netlist(top, library, ports, instances, highest + 1)


def write_verilog(netlist: Netlist, path: Path, name: str | None = None) -> None:
    """Structural Verilog that OpenSTA, Verilator and Icarus read: one wire a net."""
    inputs = {b for p in netlist.ports if not p.output for b in p.bits if isinstance(b, int)}
    text: dict[Net, str] = {"0": "1'b0", "1": "1'b1"}
    lines, assigns = [], []
    heads = [f"module {name or netlist.name} (" + ", ".join(p.name for p in netlist.ports) + ");"]
    for port in netlist.ports:
        span = f"[{len(port.bits) - 1}:0] " if len(port.bits) > 1 else ""
        lines.append(f"  {'output' if port.output else 'input'} {span}{port.name};")
        for i, bit in enumerate(port.bits):
            pin = f"{port.name}[{i}]" if len(port.bits) > 1 else port.name
            if not port.output:
                text[bit] = pin
            elif bit in inputs or isinstance(bit, str) or bit in text:
                assigns.append((pin, bit))
            else:
                text[bit] = pin
    body, wires = [], set()

    def word(net: Net) -> str:
        if net not in text:
            text[net] = f"n{net}"
            wires.add(net)
        return text[net]

    for instance in netlist.instances:
        pins = ", ".join(f".{p}({word(n)})" for p, n in instance.pins.items())
        body.append(f"  {instance.cell} {instance.name} ({pins});")
    lines += [f"  wire n{n};" for n in sorted(wires)]
    tail = [f"  assign {pin} = {word(bit)};" for pin, bit in assigns]
    path.write_text("\n".join(heads + lines + body + tail + ["endmodule", ""]))
