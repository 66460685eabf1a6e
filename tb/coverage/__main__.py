"""Coverage of the environment: ``python -m tb.coverage`` (`make coverage`).

Runs the coverage regression, merges, writes `summary.json`, `index.html` and docs/coverage.md.
Exit code 0: every target is met; 1: one is not, an exclusion is wrong, or a run failed; 2: usage.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

from tb.coverage import document, exclusions, model, page, verilator
from tb.coverage.judge import Verdict, judge, summary
from tb.coverage.runs import BY_NAME, RUNS, run_all
from tb.simulators import BUILD, ROOT

OUT = BUILD / "coverage"
DOCUMENT = ROOT / "docs" / "coverage.md"


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tb.coverage", description=__doc__)
    add = parser.add_argument
    add("--runs", default="", help=f"only these, by comma: {', '.join(BY_NAME)}")
    add("--out", type=Path, default=OUT, help="where results go")
    add("--jobs", type=int, default=2, help="runs at once")
    add("--merge", action="store_true", help="no runs: judge what is in OUT/raw")
    add("--exclusions", type=Path, default=exclusions.FILE, help="another file of exclusions")
    args = parser.parse_args(argv)
    names = args.runs.split(",") if args.runs else list(BY_NAME)
    if unknown := [n for n in names if n not in BY_NAME]:
        parser.error(f"unknown run {', '.join(unknown)}; valid: {', '.join(BY_NAME)}")
    args.chosen = [r for r in RUNS if r.name in names]
    return args


def _run_name(path: Path) -> str:
    """The run of a raw file; a block test's is its top and parameters."""
    name = path.name.removesuffix(".coverage.dat")
    if not name.startswith("block."):
        return name
    return "block " + " ".join(name.split("-coverage.")[0].split("-")[1:])


def evaluate(raw: Path, excluded: Path) -> tuple[Verdict, exclusions.Sources]:
    """Merge and judge the raw files of a folder."""
    sources = exclusions.Sources()
    points = verilator.merge(sorted(raw.glob("*.dat")))
    items = model.evaluate(model.read_samples(sorted(raw.glob("*.functional.json"))))
    verdict = judge(points, items, exclusions.load(excluded), sources)
    verdict.runs = sorted({_run_name(p) for p in raw.glob("*.dat")})
    return verdict, sources


def main(argv: list[str] | None = None) -> int:
    """Run, merge, judge, write; returns the exit code."""
    args = _parse(argv)
    raw = args.out / "raw"
    wrong: list[str] = []
    if not args.merge:
        began = time.monotonic()
        shutil.rmtree(raw, ignore_errors=True)
        print(f"coverage: {len(args.chosen)} runs", flush=True)
        wrong = run_all(args.chosen, raw, args.jobs)
        print(f"coverage: {time.monotonic() - began:.0f} s", flush=True)
    try:
        verdict, sources = evaluate(raw, args.exclusions)
    except (verilator.CoverageError, exclusions.ExclusionError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 1
    verdict.problems = wrong + verdict.problems
    (args.out / "summary.json").write_text(json.dumps(summary(verdict), indent=1) + "\n")
    (args.out / "index.html").write_text(page.render(verdict, sources))
    whole = len(args.chosen) == len(RUNS) and args.out.resolve() == OUT.resolve()
    if whole and args.exclusions == exclusions.FILE and not wrong:
        DOCUMENT.write_text(document.render(verdict, sources))
    print(document.terminal(verdict))
    for problem in verdict.problems:
        print(f"coverage: {problem}")
    print(f"coverage: {'passed' if verdict.passed else 'FAILED'}; {args.out / 'index.html'}")
    return int(not verdict.passed)


if __name__ == "__main__":
    raise SystemExit(main())
