"""``unison report``: all results on one page that needs no network."""

import argparse
from pathlib import Path
from typing import Any


def add_report_parser(commands: Any) -> None:
    """Add ``report`` to the command line."""
    p = commands.add_parser("report", help="write all results as one self-contained HTML page")
    p.add_argument(
        "--results", type=Path, default=Path("docs/results"), help="pages (default %(default)s)"
    )
    p.add_argument(
        "--work",
        type=Path,
        default=Path("build/exp"),
        help="measured rows, for pages that are not written yet (default %(default)s)",
    )
    p.add_argument("--out", type=Path, default=Path("build/report.html"), help="(%(default)s)")
    p.add_argument("--trace", default="gaia_gemma4", help="of the timeline (%(default)s)")
    p.add_argument("--envelope", default="cloud", help="of the timeline (%(default)s)")
    p.add_argument("--policy", default="spear", help="of the timeline (%(default)s)")
    p.add_argument("--placement", help="of the timeline (default: tide with spear, else none)")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison report``."""
    # Imported late: compiled code takes a second to load.
    from unison.report.chosen import Choice
    from unison.report.page import Parts, build, collect
    from unison.report.rows import unwritten

    if args.results.exists() and not args.results.is_dir():
        raise ValueError(f"--results: {args.results} is no folder")
    choice = Choice(args.trace, args.envelope, args.policy, args.placement)
    looks = choice.beside_lru(choice.scenario())
    pages = collect(args.results)
    made, missing = unwritten(args.work, {p.name for p in pages})
    text = build(Parts([*pages, *made], missing, choice, looks))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(text, encoding="utf-8")
    skipped = f"; not there: {', '.join(missing)}" if missing else ""
    print(f"wrote {args.out}: {len(pages) + len(made)} pages, {len(text) / 1e6:.1f} MB{skipped}")
    return 0
