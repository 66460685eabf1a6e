"""The long regression: ``python -m tb.regress`` (`make regress`).

All families at edge-tight and gpu under Verilator, GAIA/Gemma4 under Icarus, all scorers and
architectures, other sizes, and the public recordings beside the repository, where they are. Exit
1 on any failure.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from tb.simulators import BUILD, ROOT
from unison.traces.format import write_trace
from unison.traces.importer import import_table
from unison.traces.measure_data import shared_dir

_WIDE = ("--sim", "icarus", "--test", "random_full", "--slots", "256", "--limit", "500")
_GPU = ("--envelope", "gpu")
#: Options of each run of `tb.run`.
RUNS: tuple[tuple[str, ...], ...] = (
    ("--test", "replay_all"),
    ("--sim", "icarus", "--test", "replay_gaia"),
    ("--sim", "icarus", "--test", "smoke_small"),
    ("--sim", "icarus", "--test", "back_pressure"),
    # Far from the traces: other sizes, both scores, other seeds. Icarus where it builds far sooner.
    ("--test", "random_all", "--seed", "2"),
    ("--test", "random_all", "--scorer", "quotient", "--seed", "3"),
    ("--test", "random_all", "--slots", "16", "--lanes", "1", "--seed", "4"),
    ("--sim", "icarus", "--test", "random_all", "--slots", "16", "--lanes", "16", "--limit", "150"),
    (*_WIDE, "--lanes", "16"),
    (*_WIDE, "--lanes", "2", "--scorer", "quotient"),
    ("--test", "cases", "--slots", "16", "--lanes", "1"),
    ("--test", "mixed", "--slots", "16", "--lanes", "1", "--seed", "5"),
    ("--test", "replay_gaia", "--scorer", "quotient"),
    ("--test", "smoke", "--scorer", "quotient", "--seed", "2"),
    ("--test", "replay_gaia", *_GPU, "--arch", "linear", "--scorer", "quotient"),
    ("--test", "random_all", "--arch", "linear", "--scorer", "quotient", "--seed", "6"),
    ("--test", "replay_gaia", *_GPU, "--arch", "linear", "--scorer", "reciprocal"),
    ("--test", "replay_gaia", *_GPU, "--arch", "linear", "--scorer", "ratio"),
    ("--test", "replay_gaia", *_GPU, "--arch", "sparse", "--scorer", "ratio"),
    ("--test", "random_all", "--arch", "sparse", "--scorer", "ratio", "--seed", "7"),
    ("--sim", "icarus", "--test", "random_all", "--lanes", "16", "--limit", "150"),
    ("--test", "replay_gaia", "--envelope", "node", "--slots", "256", "--lanes", "8"),
    ("--test", "replay_gaia", "--envelope", "gpu", "--slots", "16", "--lanes", "1"),
)


def _recordings() -> list[tuple[str, ...]]:
    """Runs of the public recordings, imported into `build/recordings`; none where absent."""
    folder = shared_dir() / "traces"
    tables = sorted(folder.glob("*.csv.gz"))
    if not tables:
        print("regress: recordings skipped: no shared traces beside the repository", flush=True)
    out = BUILD / "recordings"
    out.mkdir(parents=True, exist_ok=True)
    runs = []
    for table in tables:
        path = out / f"{table.name.split('.')[0]}.csv"
        trace, _report = import_table(table)
        write_trace(trace, path)
        options = ("--test", "replay_file", "--trace", str(path), "--envelope", "gpu")
        runs.append((*options, "--label", f"recording.{path.stem}"))
    return runs


def main() -> int:
    """Run all; returns 1 when one failed."""
    failed = []
    runs = [*RUNS, *_recordings()]
    for n, options in enumerate(runs, 1):
        name = " ".join(Path(o).name if os.sep in o else o for o in options)
        print(f"\nregress {n}/{len(runs)}: {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-m", "tb.run", *options], cwd=ROOT, check=False)
        print(f"regress {n}/{len(runs)}: {time.monotonic() - began:.0f} s", flush=True)
        if done.returncode:
            failed.append(name)
    print("\nregress: block tests at length", flush=True)
    long_tests = [sys.executable, "-m", "pytest", "-m", "long", "-n", "2", "model/tests", "tb"]
    if subprocess.run(long_tests, cwd=ROOT, check=False).returncode:
        failed.append("block tests at length")
    total = len(runs) + 1
    for name in failed:
        print(f"regress: FAILED: {name}")
    print(f"regress: {total - len(failed)} passed, {len(failed)} failed", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
