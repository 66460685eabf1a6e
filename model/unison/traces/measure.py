"""Measures the public recordings and compares with the calibration files.

``python -m unison.traces.measure [--shared DIR] [--out PAGE] [--json]`` writes
docs/results/recordings.md. DIR holds ``traces/``; by default $UNISON_SHARED, else ../shared
beside the repository.

Exit code 0: done. 1: a figure disagrees with the file that uses it. 2: no recordings, or a
fault in them, told in one line on stderr.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

from unison.traces.errors import TraceError
from unison.traces.measure_data import RECORDINGS, ROOT, Figure, read_recordings, shared_dir
from unison.traces.measure_figures import figures
from unison.traces.measure_page import page

PAGE = ROOT / "docs" / "results" / "recordings.md"


def report(folder: Path) -> tuple[str, list[Figure]]:
    """The page, and its figures, of the turn tables in `folder`. TraceError: a fault in them."""
    traces = read_recordings(folder)
    found = figures(traces)
    tables = {}
    for name in RECORDINGS:
        digest = hashlib.sha256((folder / f"{name}.csv.gz").read_bytes()).hexdigest()
        header = traces[name].header
        tables[name] = (header.sessions, header.turns, digest)
    return page(tables, found), found


def main(argv: list[str] | None = None) -> int:
    """Write the page, or with ``--json`` print the figures and write nothing."""
    parser = argparse.ArgumentParser(prog="unison.traces.measure", description=__doc__)
    parser.add_argument("--shared", type=Path, help="directory that holds traces/ (../shared)")
    parser.add_argument("--out", type=Path, default=PAGE, help="page to write")
    parser.add_argument("--json", action="store_true", help="print the figures, write no page")
    args = parser.parse_args(argv)
    folder = shared_dir(args.shared) / "traces"
    if not all((folder / f"{name}.csv.gz").is_file() for name in RECORDINGS):
        print(f"{folder}: no recordings; set UNISON_SHARED or give --shared", file=sys.stderr)
        return 2
    try:
        text, found = report(folder)
        if args.json:
            print(json.dumps([asdict(f) | {"agrees": f.agrees()} for f in found], indent=1))
        else:
            args.out.write_text(text)
    except (TraceError, OSError) as error:
        print(f"unison.traces.measure: {error}", file=sys.stderr)
        return 2
    wrong = [f"{f.recording}: {f.quantity}" for f in found if f.agrees() is False]
    if wrong:
        print(f"disagree with the calibration: {'; '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
