"""``unison bench``: speed of the simulator, as ratios within one run."""

import argparse
import json
from pathlib import Path
from typing import Any


def add_bench_parser(commands: Any) -> None:
    """Add ``bench`` to the command line."""
    p = commands.add_parser("bench", help="speed: events/s, memory, against libCacheSim")
    p.add_argument("--out", type=Path, help="folder for bench.md and its figure")
    p.add_argument("--json", action="store_true", help="print one JSON object")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison bench``."""
    from unison.bench.page import measure, page
    from unison.experiments.base import write_page

    found = measure()
    made = page(found)
    if args.out:
        write_page(made, "bench", args.out)
    print(json.dumps(found) if args.json else made.text)
    return 0
