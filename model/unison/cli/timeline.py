"""``unison timeline``: who was resident where over time, as numbers, a picture or a trace."""

import argparse
import json
from pathlib import Path
from typing import Any

_SUFFIXES = (".json", ".svg", ".html")


def add_timeline_parser(commands: Any) -> None:
    """Add ``timeline`` to the command line."""
    p = commands.add_parser("timeline", help="residency of every session over time")
    p.add_argument("--trace", required=True, help="a family's name or a trace file")
    p.add_argument("--envelope", required=True, help="capacities, e.g. cloud or gpu")
    p.add_argument("--policy", default="spear", help="eviction policy (default %(default)s)")
    p.add_argument("--placement", help="(default: tide with spear and its forms, else none)")
    p.add_argument("--pressure", type=float, default=2.0, help="load rule's P (default 2)")
    p.add_argument("--seed", type=int, default=0, help="order of the sessions, 0 the file's")
    p.add_argument("--from", dest="start", type=float, metavar="S", help="seconds")
    p.add_argument("--to", dest="end", type=float, metavar="S", help="seconds")
    p.add_argument(
        "--out",
        type=Path,
        help="FILE.json: Chrome trace for ui.perfetto.dev; FILE.svg: a figure; "
        "FILE.html: a page, LRU on the same events beside",
    )
    p.add_argument("--json", action="store_true", help="print one JSON object")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison timeline``."""
    # Imported late: compiled code takes a second to load.
    from unison.report.chosen import Choice, window_us

    if args.out is not None and args.out.suffix not in _SUFFIXES:
        raise ValueError(f"--out: got {str(args.out)!r}, expected .json, .svg or .html at its end")
    choice = Choice(
        args.trace, args.envelope, args.policy, args.placement, args.pressure, args.seed
    )
    scenario = choice.scenario()
    look = choice.look(scenario)
    whole = look.timeline
    window = window_us(whole, args.start, args.end)
    part = whole.clipped(*window)
    if args.out is not None:
        text = _file(args.out.suffix, choice, scenario, look, part)
        args.out.write_text(text, encoding="utf-8")
    report = _numbers(choice, look, part)
    print(json.dumps(report) if args.json else _text(report, args.out))
    return 0


def _file(suffix: str, choice: Any, scenario: Any, look: Any, part: Any) -> str:
    title = f"{look.name}: {choice.text()}"
    if suffix == ".json":
        from unison.report.perfetto import chrome_trace

        return json.dumps(chrome_trace(part, {"run": title}), separators=(",", ":"))
    if suffix == ".svg":
        from unison.report.picture import picture

        return picture(part, title)
    from unison.report import viewer
    from unison.report.markup import document, esc

    whole = (part.start_us, part.end_us) == (look.timeline.start_us, look.timeline.end_us)
    window = None if whole else (part.start_us, part.end_us)
    body = viewer.section(choice.beside_lru(scenario), choice.text(), window)
    head = f"<header><h1>The pool over time</h1><p>{esc(title)}</p></header>"
    return document(title, f"{head}<main>{body}</main>", viewer.SCRIPTS)


def _numbers(choice: Any, look: Any, part: Any) -> dict[str, Any]:
    return {
        "trace": choice.trace,
        "envelope": choice.envelope,
        "policy": choice.policy,
        "placement": choice.placed,
        "from_s": part.start_us / 1e6,
        "to_s": part.end_us / 1e6,
        "sessions": len({p.session for p in part.phases}),
        "intervals": len(part.stays),
        "evictions": part.count("evict"),
        "evictions_returning": len(part.thrown_away()),
        "bypasses": part.count("bypass"),
        "promotions": part.count("promote"),
        "demotions": part.count("demote"),
        "misses": part.count("miss"),
        "hit_rate_whole_run": look.totals.hit_rate,
    }


def _text(r: dict[str, Any], out: Path | None) -> str:
    hit = r["hit_rate_whole_run"]
    lines = [
        f"{r['trace']} at {r['envelope']}, {r['policy']} + {r['placement']}, "
        f"{r['from_s']:,.0f}..{r['to_s']:,.0f} s: {r['sessions']} sessions, "
        f"{r['intervals']:,} intervals in a tier",
        f"  evictions         {r['evictions']:,}, {r['evictions_returning']:,} of them of sessions "
        "that came back",
        f"  misses            {r['misses']:,}",
        f"  moved             {r['promotions']:,} up, {r['demotions']:,} down",
        f"  bypasses          {r['bypasses']:,}",
        f"  hit rate          {'-' if hit is None else f'{100 * hit:.2f} %'} (whole run)",
    ]
    return "\n".join([*lines, *([f"  wrote {out}"] if out else [])])
