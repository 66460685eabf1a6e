"""Decision latency by number of lanes: ``python -m tb.lanes`` (`make lanes`).

Replays two families at gpu with 1, 2, 4 and 8 lanes and writes ``docs/results/lanes.md``.
"""

import json
import subprocess
import sys

from tb.run import RESULTS
from tb.simulators import ROOT

LANES = (1, 2, 4, 8)
TESTS = ("replay_gaia_gemma4", "replay_gaia_qwen3")
PAGE = ROOT / "docs/results/lanes.md"
_TITLE = """# Decision latency by lanes

Written by `make lanes`: cycles from an event's arrival at the FIFO head to its last decision
record, 64 slots, product score, families at gpu under Verilator, every record checked.

| lanes | trace | events with a decision | mean | p99 | max |
|---|---|---|---|---|---|
"""


def main() -> int:
    """Run the replays; 1 when one fails."""
    rows = []
    for lanes in LANES:
        for test in TESTS:
            label = f"lanes{lanes}.{test}"
            options = ["--test", test, "--envelope", "gpu", "--lanes", str(lanes)]
            command = [sys.executable, "-m", "tb.run", *options, "--label", label]
            if subprocess.run(command, cwd=ROOT, check=False).returncode:
                return 1
            r = json.loads((RESULTS / f"{label}.verilator.json").read_text())
            lat = r["latency_cycles"]
            rows.append(
                f"| {lanes} | {r['trace']} | {lat['events']:,} | {lat['mean']:.1f} | "
                f"{lat['p99']} | {lat['max']} |\n"
            )
    PAGE.write_text(_TITLE + "".join(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
