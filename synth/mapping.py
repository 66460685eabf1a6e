"""RTL to a mapped netlist: Yosys for structure and gates, our buffers, ABC's drive strengths."""

import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from synth import blocks, buffering, netlist, sizing
from synth.liberty import Library

ROOT = Path(__file__).resolve().parents[1]
TOP = "unison"

_ELABORATE = """
read_slang --top {top} -D SYNTHESIS --keep-hierarchy {parameters} {sources}
hierarchy -check -top {top}
tee -q -o {folder}/modules.txt ls
"""

_MAP = """
proc
flatten
opt_hier
opt -full
wreduce
peepopt
{multiply}
alumacc
share
opt
memory
opt -full
techmap
opt_expr
opt_clean
dfflibmap -liberty {liberty} {avoid}
opt_clean
setundef -zero
abc -liberty {liberty} -constr {folder}/abc.constr -script {folder}/abc.script {avoid}
setattr -mod -unset keep_hierarchy */t:*
setattr -mod -unset keep_hierarchy A:keep_hierarchy=1
flatten
opt_clean -purge
check -mapped
write_json {folder}/mapped.json
"""

#: Mapping scripts: area flow, or the delay-driven mapper. Neither buffers nor sizes.
_ABC = {
    "area": "strash\n&get -n\n&dch -f\n&nf\n&put\n",
    "speed": "strash\ndch -f\nmap -B 0.9\ntopo\n",
}

_RUN = """
import sys, time
from pyosys import libyosys as ys
design = ys.Design()
for line in open(sys.argv[1]):
    if line.strip():
        began = time.monotonic()
        ys.run_pass(line.strip(), design)
        print(f"@@ {time.monotonic() - began:.1f} s {line.strip()[:60]}", flush=True)
"""


#: Of the period, what ABC is told: it sees neither clock-to-output nor setup, and is optimistic.
_ABC_SHARE = 0.6


@dataclass(frozen=True)
class Options:
    """How to map. effort: area or speed; fanout: most sinks of a net; booth: Booth multipliers."""

    effort: str = "area"
    fanout: int = 12
    booth: bool = False
    period_ps: float = 1e6 / 150


class FlowError(Exception):
    """A tool is missing or failed; the message says which."""


def sources() -> list[Path]:
    """The RTL, package first."""
    files = ROOT.glob("rtl/*.sv")
    return sorted(files, key=lambda p: (not p.name.endswith("_pkg.sv"), p.name))


def yosys(script: str, folder: Path, name: str) -> str:
    """Run commands in a process of their own; returns the log. FlowError when one fails."""
    path = folder / f"{name}.ys"
    path.write_text(script)
    run = subprocess.run(
        [sys.executable, "-c", _RUN, path], capture_output=True, text=True, check=False
    )
    log = run.stdout + run.stderr
    (folder / f"{name}.log").write_text(log)
    if run.returncode:
        raise FlowError(f"Yosys failed ({name}), log in {folder}:\n{log[-1500:]}")
    return log


def abc_program() -> Path:
    """The ABC that comes with pyosys."""
    try:
        import pyosys
    except ImportError:
        raise FlowError("pyosys is missing; run: make setup-synth") from None
    return Path(pyosys.__file__).parent / "yosys-abc"


def elaborate(parameters: dict[str, int], folder: Path) -> list[str]:
    """Names of the elaborated modules."""
    given = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    text = _ELABORATE.format(
        top=TOP, parameters=given, folder=folder, sources=" ".join(map(str, sources()))
    )
    yosys(text, folder, "elaborate")
    listed = (folder / "modules.txt").read_text()
    return re.findall(r"^\s+(\\?\S+\$\S+|unison)$", listed, re.M)


def run(
    parameters: dict[str, int], liberty: Path, library: Library, options: Options, folder: Path
) -> netlist.Netlist:
    """Map; leaves mapped.json, netlist.v and map.json (figures) in the folder."""
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    abc = abc_program()
    kept = blocks.kept(elaborate(parameters, folder))
    nand = library.nand2
    driver = library.buffers[min(1, len(library.buffers) - 1)]
    (folder / "abc.constr").write_text(
        f"set_driving_cell {driver.name}\n"
        f"set_load {4 * nand.inputs[0].cap * library.cap_ff:.2f}\n"
    )
    (folder / "abc.script").write_text(_ABC[options.effort])
    given = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    names = " ".join(n.lstrip("\\") for n in kept)
    script = _ELABORATE.format(
        top=TOP, parameters=given, folder=folder, sources=" ".join(map(str, sources()))
    )
    script += f"setattr -mod -set keep_hierarchy 1 {names}\n" if kept else ""
    script += _MAP.format(
        liberty=liberty,
        folder=folder,
        multiply="booth" if options.booth else "",
        avoid=" ".join(f"-dont_use {n}" for n in library.dont_use),
    )
    yosys(script, folder, "map")
    mapped = netlist.read(folder / "mapped.json", library)
    buffers = buffering.insert(mapped, options.fanout)
    resized = sizing.resize(
        mapped, liberty, folder / "abc.constr", _ABC_SHARE * options.period_ps, abc, folder
    )
    netlist.write_verilog(mapped, folder / "netlist.v")
    figures = measure(mapped, kept) | {
        "buffers": buffers, "resized": resized, "kept": kept,
        "seconds": round(time.monotonic() - began, 1)
    }  # fmt: skip
    (folder / "map.json").write_text(json.dumps(figures, indent=1) + "\n")
    return mapped


def measure(mapped: netlist.Netlist, kept: list[str]) -> dict:
    """Area, gate equivalents, cells, flip-flops, and the same by block."""
    where = blocks.by_path(kept)
    nand = mapped.library.nand2.area
    found: dict[str, dict] = {}
    for block in (*blocks.BLOCKS, blocks.REST):
        found.setdefault(
            block.name, {"part": block.part, "area": 0.0, "cells": 0, "flops": 0}
        )
    for instance in mapped.instances:
        cell = mapped.cell(instance)
        row = found[blocks.of_path(instance.path, where).name]
        row["area"] += cell.area
        row["cells"] += 1
        row["flops"] += cell.flop is not None
    for row in found.values():
        row["area"] = round(row["area"], 3)
        row["gates"] = round(row["area"] / nand, 1)
    area = mapped.area()
    return {
        "area": round(area, 3), "gates": round(area / nand, 1), "nand2": nand,
        "cells": len(mapped.instances), "flops": len(mapped.flops()),
        "blocks": {k: v for k, v in found.items() if v["cells"]},
    }  # fmt: skip
