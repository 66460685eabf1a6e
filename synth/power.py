"""Power from a replay: every net's activity, counted in a gate-level simulation, given to OpenSTA.

What is annotated: each input port but clock and reset, and each output pin of each cell of the
netlist, with its changes per clock cycle and the share of time it is high, over the whole replay
from the end of reset. Nothing is left to propagate but the clock, which OpenSTA knows. The
simulation has no delays, so glitches within a cycle are not in it. There are no wires and no clock
tree.
"""

from dataclasses import dataclass
from pathlib import Path

from synth import sta
from synth.library import Chosen
from synth.netlist import Net, Netlist


@dataclass(frozen=True)
class Activity:
    """Counts of a simulation. changes, high: by line, as `synth.gates` orders the nets."""

    cycles: int
    changes: list[int]
    high: list[int]


def read_activity(path: Path, lines: int) -> Activity:
    """Read what a gate-level run wrote. ValueError when it is not that netlist's."""
    head, *rows = path.read_text().split("\n")
    rows = [row.split() for row in rows if row]
    if len(rows) != lines:
        raise ValueError(f"{path.name}: got {len(rows)} nets, expected {lines}")
    return Activity(int(head), [int(r[0]) for r in rows], [int(r[1]) for r in rows])


def annotations(netlist: Netlist, nets: list[Net], activity: Activity) -> dict[str, tuple]:
    """Changes a cycle and share high, by pin or port as OpenSTA names it."""
    at = {net: i for i, net in enumerate(nets)}
    cycles = max(1, activity.cycles)
    out = {}

    def put(name: str, net: Net) -> None:
        i = at[net]
        out[name] = (activity.changes[i] / cycles, activity.high[i] / cycles)

    for port in netlist.ports:
        if not port.output and port.name != sta.CLOCK and "rst" not in port.name:
            for i, bit in enumerate(port.bits):
                put(f"{port.name}[{i}]" if len(port.bits) > 1 else port.name, bit)
    for instance in netlist.instances:
        for pin in netlist.cell(instance).outputs:
            if pin.name in instance.pins:
                put(f"{instance.name}/{pin.name}", instance.pins[pin.name])
    return out


def with_activity(
    library: Chosen, netlist: Netlist, verilog: Path, found: dict[str, tuple], period_ns: float
) -> sta.Power:
    """Power with every net annotated."""
    with sta.Session(library.path, verilog, netlist, period_ns) as session:
        # 2.0.17's `set_power_activity -pins` reads a variable it never set, and would take inputs
        # only; what it calls inside takes any pin.
        lines = ["namespace eval sta {"]
        for name, (changes, high) in found.items():
            pin, kind = ("pins", "pin") if "/" in name else ("ports", "input_port")
            what = f"[get_{pin} {{{name}}}]"
            lines.append(f"set_power_{kind}_activity {what} {changes:.6g} {high:.4f}")
        lines.append("}")
        script = verilog.with_name("activity.tcl")
        script.write_text("\n".join(lines) + "\n")
        session.run(f"source {script}")
        return session.power()["Total"]
