"""Replays a trace through a mapped netlist in the verification environment (tb.run --gates)."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from synth import flow, gates
from synth.library import Chosen
from synth.mapping import ROOT, FlowError, Options
from synth.netlist import Net
from synth.variants import VARIANTS, Point


@dataclass(frozen=True)
class Replay:
    """A finished run: result file, counts, the net of each line of them, the point's folder."""

    result: dict
    activity: Path
    nets: list[Net]
    folder: Path


def replay(
    point: Point, library: Chosen, options: Options, test: str, envelope: str,
    limit: int = 0, simulator: str = "verilator",
) -> Replay:  # fmt: skip
    """Run; FlowError when a record differs. The point must have been synthesised."""
    path = flow.folder(point, library, options)
    made = flow.load(path, library)
    folder = path / f"gates-{path.name.rpartition('-')[2]}"
    nets = gates.write(made, folder)
    label = f"gates.{point.name}.{test}"
    command = [
        sys.executable, "-m", "tb.run", "--sim", simulator, "--test", test,
        "--envelope", envelope, "--slots", str(point.slots), "--limit", str(limit),
        "--gates", str(folder), "--label", label, "--timeout", "20000",
    ]  # fmt: skip
    for name, value in VARIANTS[point.variant].bench.items():
        command += [f"--{name}", value]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise FlowError(f"gate-level replay of {point.name} failed: {label}")
    result = json.loads((ROOT / f"build/results/{label}.{simulator}.json").read_text())
    found = sorted(
        ROOT.glob(f"build/sim/{simulator}-*-gates-{folder.name}/runs/{label}/activity.txt")
    )
    if simulator == "verilator" and not found:
        raise FlowError(f"{label}: the netlist left no activity; was it in the simulation?")
    return Replay(result, found[-1] if found else Path(), nets, path)
