"""Drive strengths by ABC (`upsize`, `dnsize`) over the whole netlist, flip-flops cut out.

Yosys hands ABC one block of bare logic at a time; the fan-out across blocks and the buffers are
known only afterwards. So the mapped gates go to ABC once more as a BLIF of library gates, and only
the gate types come back.
"""

import re
import subprocess
from pathlib import Path

from synth.netlist import Netlist

_GATE = re.compile(r"^\.gate\s+(\S+)\s+(.*)$", re.M)


def _blif(netlist: Netlist) -> tuple[str, list[str]]:
    """Text, and its output nets."""
    gates = [i for i in netlist.instances if netlist.cell(i).gate]
    driven = {i.pins[netlist.cell(i).gate[1].name] for i in gates}
    read = {n for i in gates for n in i.pins.values()} - driven
    ends = set()
    for instance in netlist.flops():
        for pin in netlist.cell(instance).inputs:
            if instance.pins.get(pin.name) in driven:
                ends.add(instance.pins[pin.name])
    for port in netlist.ports:
        if port.output:
            ends |= {b for b in port.bits if b in driven}
    outputs = [f"n{n}" for n in sorted(ends, key=str)]
    lines = [".model m", ".inputs " + " ".join(f"n{n}" for n in sorted(read, key=str))]
    lines.append(".outputs " + " ".join(outputs))
    for i in gates:
        cell = netlist.cell(i)
        order = [p.name for p in cell.inputs] + [cell.outputs[0].name]
        lines.append(f".gate {i.cell} " + " ".join(f"{p}=n{i.pins[p]}" for p in order))
    return "\n".join([*lines, ".end", ""]), outputs


def _gates(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Cell and input nets by pin, by the output net of each gate."""
    found = {}
    for cell, pins in _GATE.findall(text.replace("\\\n", " ")):
        *inputs, (_, output) = (tuple(p.split("=")) for p in pins.split())
        found[output] = (cell, dict(inputs))
    return found


def matched(before: str, after: str, outputs: list[str]) -> dict[str, str]:
    """New cell by output net (as named before). ABC keeps the structure and the names of the
    outputs, not those of inner nets, so the two are walked together from the outputs back."""
    old, new = _gates(before), _gates(after)
    chosen: dict[str, str] = {}
    waiting = [(net, net) for net in outputs]
    while waiting:
        here, there = waiting.pop()
        if here in chosen or here not in old:
            continue
        if there not in new:
            raise RuntimeError(f"sizing: ABC has no driver of {there}")
        chosen[here] = new[there][0]
        pins, others = old[here][1], new[there][1]
        if pins.keys() != others.keys():
            raise RuntimeError(f"sizing: {old[here][0]} became {new[there][0]} at {here}")
        waiting += [(pins[p], others[p]) for p in pins]
    return chosen


def resize(
    netlist: Netlist, liberty: Path, constraint: Path, delay_ps: float, abc: Path, folder: Path
) -> int:
    """Choose drive strengths for a delay; returns how many gates changed."""
    text, outputs = _blif(netlist)
    before, after = folder / "sizing_in.blif", folder / "sizing_out.blif"
    before.write_text(text)
    avoid = " ".join(f"-X {name}" for name in netlist.library.dont_use)
    script = folder / "sizing.abc"
    script.write_text(
        f"read_lib -w {avoid} {liberty}\nread_constr {constraint}\nread_blif {before}\n"
        f"topo\nupsize -D {delay_ps:.0f}\ndnsize -D {delay_ps:.0f}\nstime\nwrite_blif {after}\n"
    )
    after.unlink(missing_ok=True)
    run = subprocess.run(
        [abc, "-s", "-f", script], capture_output=True, text=True, cwd=folder, check=False
    )
    (folder / "sizing.log").write_text(run.stdout + run.stderr)
    if not after.exists():
        raise RuntimeError(f"ABC failed while sizing:\n{(run.stdout + run.stderr)[-1500:]}")
    chosen = matched(text, after.read_text(), outputs)
    changed = 0
    for instance in netlist.instances:
        cell = netlist.cell(instance)
        if cell.gate and (gate := chosen.get(f"n{instance.pins[cell.gate[1].name]}")):
            if netlist.library.cells[gate].table != cell.table:
                raise RuntimeError(f"{instance.name}: ABC made a {gate} of a {cell.name}")
            changed += gate != instance.cell
            instance.cell = gate
    return changed
