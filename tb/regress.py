"""The long regression: ``python -m tb.regress [PART ...]`` (`make regress`).

Parts: `runs` (all families at edge-tight and gpu under Verilator, GAIA/Gemma4 under Icarus, all
scorers and architectures), `sizes` (short random runs of slots x lanes x scorer), `recordings`
(public ones beside the repository, where they are), `blocks` (block tests at length), `formal` (all
proofs, and a sample of the wrong lines that they must refuse). Exit 1 on any failure.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tb.options import LANES
from tb.simulators import BUILD, ROOT
from tb.uvm.sequences.profiles import PROFILES
from unison.scoring import DEFAULT_FORM
from unison.traces.format import write_trace
from unison.traces.importer import import_table
from unison.traces.measure_data import shared_dir

PARTS = ("runs", "sizes", "recordings", "blocks", "formal")
#: (name, arguments of Python).
Job = tuple[str, list[str]]
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
    ("--test", "random_all", "--scorer", "product", "--seed", "6"),
    ("--test", "random_all", "--slots", "16", "--lanes", "1", "--seed", "4"),
    ("--sim", "icarus", "--test", "random_all", "--slots", "16", "--lanes", "16", "--limit", "150"),
    (*_WIDE, "--lanes", "16"),
    (*_WIDE, "--lanes", "2", "--scorer", "quotient"),
    ("--test", "cases", "--slots", "16", "--lanes", "1"),
    ("--test", "mixed", "--slots", "16", "--lanes", "1", "--seed", "5"),
    ("--test", "replay_gaia", "--scorer", "quotient"),
    ("--test", "replay_gaia", "--envelope", "gpu", "--scorer", "product"),
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


#: Slots, lanes and scorer that run under Verilator too, where a build is minutes: one that a run
#: above has built. 16 and 64 slots are in RUNS.
_BUILT = ((256, 8, DEFAULT_FORM.name.lower()),)


def _sizes() -> list[tuple[str, ...]]:
    """Short random runs: every slots x lanes under Icarus, some under Verilator.

    Each shape runs with the default score and with one of the others, which take turns.
    Each takes the next profile and another seed; under Verilator all profiles.
    """
    out = []
    others = itertools.cycle(("product", "quotient"))
    cross = [
        (*shape, scorer)
        for shape in itertools.product((16, 64, 256), LANES)
        for scorer in (DEFAULT_FORM.name.lower(), next(others))
    ]
    for n, (shape, profile) in enumerate(zip(cross, itertools.cycle(PROFILES), strict=False)):
        out.append(("--sim", "icarus", "--test", f"random_{profile}", "--limit", "150",
                    "--seed", str(n), *_shape("icarus", *shape)))  # fmt: skip
    for shape in _BUILT:
        out.append(("--test", "random_all", "--limit", "100", *_shape("verilator", *shape)))
    return out


def _shape(simulator: str, slots: int, lanes: int, scorer: str) -> tuple[str, ...]:
    label = f"sizes.{simulator}.{slots}x{lanes}.{scorer}"
    return ("--slots", str(slots), "--lanes", str(lanes), "--scorer", scorer, "--label", label)


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


def _sims(part: str) -> list[Job]:
    """The simulations of a part."""
    out = []
    for options in {"runs": lambda: RUNS, "sizes": _sizes, "recordings": _recordings}[part]():
        name = " ".join(Path(o).name if os.sep in o else o for o in options)
        out.append((name, ["-m", "tb.run", *options]))
    return out


def jobs(part: str) -> list[Job]:
    """What a part runs: (name, arguments of Python)."""
    if part == "blocks":
        # The mutation sample has not been run with the variants' stages yet (docs/next.md).
        sample = "tb/mutation/test_mutation.py::test_a_sample_reaches_the_targets"
        long_tests = ["-m", "pytest", "-m", "long", "-n", "2", "model/tests", "tb"]
        long_tests += ["--deselect", sample]
        return [("block tests at length", long_tests)]
    if part == "formal":
        # `make formal` plants every wrong line; here every second one, for the time it takes.
        return [
            ("proofs", ["-m", "formal.run"]),
            ("proofs refuse wrong lines", ["-m", "formal.run", "--planted", "--every", "2"]),
        ]
    return _sims(part)


def main(argv: list[str] | None = None) -> int:
    """Run all parts, or those named; returns 1 when a job failed."""
    parser = argparse.ArgumentParser(description="The long regression.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    args = parser.parse_args(argv)
    for part in args.parts:
        if part not in PARTS:
            parser.error(f"unknown part {part!r}; valid: {', '.join(PARTS)}")
    failed, start = [], time.monotonic()
    work = [job for part in args.parts or PARTS for job in jobs(part)]
    for n, (name, command) in enumerate(work, 1):
        print(f"\nregress {n}/{len(work)}: {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run([sys.executable, *command], cwd=ROOT, check=False)
        print(f"regress {n}/{len(work)}: {time.monotonic() - began:.0f} s", flush=True)
        if done.returncode:
            failed.append(name)
    if not args.parts:
        # What docs/verification.md quotes, so only of a whole regression.
        body = {"runs": len(work), "failed": failed, "seconds": time.monotonic() - start}
        (BUILD / "results" / "regress.json").write_text(json.dumps(body, indent=1) + "\n")
    for name in failed:
        print(f"regress: FAILED: {name}")
    print(f"regress: {len(work) - len(failed)} passed, {len(failed)} failed", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
