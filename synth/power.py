"""Power from a replay: each cell's counted activity times OpenSTA's power for it.

OpenSTA 2.0.17 reads no activity file, and takes activities for input ports and for the whole
design, but not for single nets (its command fails, and what it calls is overruled by propagation).
So it reports every cell twice, with nothing switching and with every net changing once a cycle; in
between it is linear. A cell's power is the first plus its own counted changes a cycle (its output
over the whole replay, from the end of reset) times the difference. Nothing is propagated. The
clock's part of the flip-flops is in the first. The simulation has no delays, so glitches within a
cycle are not in it; there are no wires and no clock tree.
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


def by_cell(netlist: Netlist, nets: list[Net], activity: Activity) -> dict[str, float]:
    """Changes a cycle of each cell's output, of the busier one where there are two."""
    at = {net: i for i, net in enumerate(nets)}
    cycles = max(1, activity.cycles)
    return {
        instance.name: max(
            activity.changes[at[instance.pins[pin.name]]] / cycles
            for pin in netlist.cell(instance).outputs
            if pin.name in instance.pins
        )
        for instance in netlist.instances
        if any(pin.name in instance.pins for pin in netlist.cell(instance).outputs)
    }


def scaled(
    still: dict[str, sta.Power], busy: dict[str, sta.Power], activity: dict[str, float]
) -> sta.Power:
    """Sum over the cells of power at their own activity, between none and one change a cycle."""
    total = [0.0, 0.0, 0.0]
    for name, low in still.items():
        high, share = busy[name], activity.get(name, 0.0)
        total[0] += low.internal + share * (high.internal - low.internal)
        total[1] += low.switching + share * (high.switching - low.switching)
        total[2] += low.leakage
    return sta.Power(*total)


def with_activity(
    library: Chosen, netlist: Netlist, verilog: Path, found: dict[str, float], period_ns: float
) -> sta.Power:
    """Power with each cell at its own activity."""
    with sta.Session(library.path, verilog, netlist, period_ns) as session:
        return scaled(session.cells(0.0), session.cells(1.0), found)
