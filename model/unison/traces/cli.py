"""``unison trace gen|check|info|import``. Handlers return the exit code.

0: done. 1: a check found a difference. 2: a fault, told in one line on stderr.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from unison.traces import importer, paths
from unison.traces.calibration import load_calibration
from unison.traces.errors import TraceError
from unison.traces.format import check_trace, dumps, read_text, read_trace, write_trace
from unison.traces.generate import generate
from unison.traces.summary import summary, table


def add_trace_parser(subparsers: "argparse._SubParsersAction") -> None:
    """Add ``trace`` and its commands; each sets ``handler``, a function of the arguments."""
    parser = subparsers.add_parser("trace", help="make, check, describe and import traces")
    commands = parser.add_subparsers(dest="trace_command", required=True, metavar="COMMAND")

    gen = commands.add_parser("gen", help="regenerate a synthetic family")
    gen.add_argument("family", help=f"{', '.join(paths.ALL_FAMILIES)}, or all")
    gen.add_argument("--seed", type=int, help="default: the calibration's, as committed")
    gen.add_argument("--out", type=Path, help="directory; default: traces/data")
    gen.add_argument("--check", action="store_true", help="write nothing; compare with the files")
    gen.set_defaults(handler=guarded(run_gen))

    check = commands.add_parser("check", help="validate trace files")
    check.add_argument("trace", nargs="+", help="family or file")
    check.add_argument("--limit", type=int, default=20, help="errors a file (20)")
    check.add_argument("--json", action="store_true")
    check.set_defaults(handler=guarded(run_check))

    info = commands.add_parser("info", help="figures of a trace beside its calibration's")
    info.add_argument("trace", help="family or file")
    info.add_argument("--json", action="store_true")
    info.set_defaults(handler=guarded(run_info))

    imp = commands.add_parser("import", help="convert a recording's turn table")
    imp.add_argument("table", type=Path, help="CSV or CSV.gz")
    imp.add_argument("out", type=Path, help="trace file to write, .csv or .csv.gz")
    imp.add_argument("--family", help="name of the trace; default: the table's")
    imp.add_argument("--source", default="unknown", help="where the recording is from")
    imp.add_argument("--licence", default="unknown")
    imp.add_argument(
        "--max-wait", type=float, default=600.0, help="seconds; longer is a stall (600)"
    )
    imp.set_defaults(handler=guarded(run_import))


def guarded(handler: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """`handler` with faults of files and arguments told in one line, exit code 2."""

    def run(args: argparse.Namespace) -> int:
        try:
            return handler(args)
        except (TraceError, ValueError) as error:
            message = str(error)
        except BrokenPipeError:
            # A closed reader (`| head`) is no fault of the trace; the caller decides.
            raise
        except OSError as error:
            message = f"{error.filename}: {error.strerror}"
        print(f"unison trace: {message}", file=sys.stderr)
        return 2

    return run


def run_gen(args: argparse.Namespace) -> int:
    """Write, or with ``--check`` compare, the traces of one family or all."""
    families = paths.ALL_FAMILIES if args.family == "all" else (paths.known(args.family),)
    if args.seed is not None and not 0 <= args.seed <= 2**31:
        raise ValueError(f"--seed: got {args.seed}, expected 0..{2**31}")
    out = args.out or paths.traces_dir() / "data"
    if not args.check:
        out.mkdir(parents=True, exist_ok=True)
    different = []
    for family in tqdm(families, desc="trace gen", unit="family", file=sys.stderr, disable=None):
        path = out / f"{family}.csv.gz"
        trace = generate(family, args.seed)
        if not args.check:
            write_trace(trace, path)
        elif read_text(path) != dumps(trace):
            different.append(str(path))
    if different:
        print(f"differ from a regeneration: {', '.join(different)}", file=sys.stderr)
        return 1
    print(f"{'same' if args.check else 'written'}: {len(families)} in {out}")
    return 0


def run_check(args: argparse.Namespace) -> int:
    """List the faults of each file; exit code 2 when there are any."""
    if args.limit < 1:
        raise ValueError(f"--limit: got {args.limit}, expected at least 1")
    report = []
    for name in args.trace:
        path = paths.data_path(name) if name in paths.ALL_FAMILIES else Path(name)
        report.append((path, check_trace(path, args.limit)))
    if args.json:
        rows = [
            {"file": str(path), "errors": [_fault(error) for error in errors]}
            for path, errors in report
        ]
        print(json.dumps(rows, indent=1))
    for path, errors in report:
        for error in errors:
            print(error, file=sys.stderr)
        if not errors and not args.json:
            print(f"{path}: good")
    return 2 if any(errors for _, errors in report) else 0


def _fault(error: TraceError) -> dict:
    keys = ("line", "field", "got", "expected")
    return {key: getattr(error, key) for key in keys}


def run_info(args: argparse.Namespace) -> int:
    """Print quantiles against their targets, and the load on each envelope."""
    trace = paths.open_trace(args.trace)
    synthetic = trace.header.seed is not None and trace.header.family in paths.ALL_FAMILIES
    result = summary(trace, load_calibration(trace.header.family) if synthetic else None)
    print(json.dumps(result, indent=1) if args.json else table(result))
    return 0


def run_import(args: argparse.Namespace) -> int:
    """Convert a turn table, say what was repaired, and read the result back."""
    if not 0 < args.max_wait < 100_000:
        raise ValueError(f"--max-wait: got {args.max_wait:g}, expected seconds in 0..100000")
    trace, report = importer.import_table(
        args.table, args.family, args.source, args.licence, int(args.max_wait * 1e6)
    )
    write_trace(trace, args.out)
    read_trace(args.out)
    print(
        f"{args.out}: {trace.header.sessions} sessions, {trace.header.turns} turns; "
        f"{report.stalls} sessions cut at a stall ({report.dropped_turns} turns dropped), "
        f"{report.zero_services} zero services raised to 1 us, {report.renamed_tools} tools renamed"
    )
    return 0
