"""Decision latency of a point, measured by replaying a trace through its RTL; cached by the RTL."""

import hashlib
import json
import subprocess
import sys

from synth import mapping
from synth.library import BUILD
from synth.mapping import ROOT
from synth.variants import VARIANTS, Point

#: A trace and envelope that rank: the smaller family at the first server envelope.
TEST, ENVELOPE = "replay_gaia_gemma4", "gpu"


def measure(point: Point) -> dict | None:
    """Mean, p99 and maximum in cycles with the number of events; None when it cannot be run.

    A point with changed field widths has no replay of its own; one whose trace needs more slots
    than it has none either.
    """
    if point.widths:
        return None
    state = hashlib.sha256(repr((sorted(point.parameters.items()), TEST, ENVELOPE)).encode())
    for path in mapping.sources():
        state.update(path.read_bytes())
    cache = BUILD / "latency" / f"{point.name}-{state.hexdigest()[:12]}.json"
    if cache.exists():
        return json.loads(cache.read_text())
    label = f"silicon.{point.name}"
    command = [sys.executable, "-m", "tb.run", "--test", TEST, "--envelope", ENVELOPE,
               "--slots", str(point.slots), "--label", label]  # fmt: skip
    for name, value in VARIANTS[point.variant].bench.items():
        command += [f"--{name}", value]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if run.returncode:
        print(f"  {point.name}: no latency: {run.stdout.strip().splitlines()[-1:]}", flush=True)
        return None
    result = json.loads((ROOT / f"build/results/{label}.verilator.json").read_text())
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(result["latency_cycles"]) + "\n")
    return result["latency_cycles"]
