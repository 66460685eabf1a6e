"""``unison exp``: measure an experiment and write its page."""

import argparse
from pathlib import Path
from typing import Any


def add_exp_parser(commands: Any) -> None:
    """Add ``exp`` to the command line."""
    p = commands.add_parser("exp", help="run an experiment and write its table and figures")
    p.add_argument("name", nargs="?", help="an experiment, or all; without it: list them")
    p.add_argument("--out", type=Path, default=Path("docs/results"), help="(default %(default)s)")
    p.add_argument(
        "--work", type=Path, default=Path("build/exp"), help="measured cells (default %(default)s)"
    )
    p.add_argument("--jobs", type=int, default=-1, help="processes (default: one a core)")
    p.add_argument("--scheduler", help="address of a Dask scheduler, tcp://HOST:PORT")
    p.add_argument("--json", action="store_true", help="print all rows as JSON lines")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison exp``."""
    # Imported late: compiled code and plotting take a second to load.
    from unison.experiments.base import write_page
    from unison.experiments.registry import experiment, names
    from unison.experiments.runner import run as measure
    from unison.experiments.store import canonical

    if args.name is None:
        for name in names():
            print(f"{name:<22} {experiment(name).title}")
        return 0
    chosen = [experiment(n) for n in (names() if args.name == "all" else [args.name])]
    for one in chosen:
        rows = measure(one, args.work / one.name, args.jobs, args.scheduler)
        if not rows:
            print(f"{one.name}: skipped, nothing to measure here")
            continue
        files = write_page(one.page(rows), one.name, args.out)
        if args.json:
            print("\n".join(canonical(r) for r in rows))
        else:
            print(f"{one.name}: {len(rows)} rows; wrote {', '.join(map(str, files))}")
    return 0
