"""``unison run``: replay a trace through the golden core and print what it was worth."""

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tqdm import tqdm

from unison.cli.dump import Dump, record_row
from unison.contract import CoreEvent, Record, Tier
from unison.contract.widths import DEFAULT_SLOTS
from unison.core import EventCore
from unison.core.fidelity import FidelityProbe
from unison.core.plan import Plan, core_event, plan
from unison.core.replay import Costs, Summary, replay
from unison.scoring import DEFAULT_FORM, Form
from unison.traces.envelopes import envelope
from unison.traces.model import Trace
from unison.traces.paths import open_trace
from unison.traces.serving import events

SCORERS = (*(f.name.lower() for f in Form), "float")


def add_run_parser(commands: Any) -> None:
    """Add ``run`` to the command line."""
    p = commands.add_parser("run", help="replay a trace through the golden event core")
    p.add_argument("--trace", required=True, help="a family's name or a trace file")
    p.add_argument("--envelope", required=True, help="capacities, e.g. edge-tight or gpu")
    p.add_argument("--slots", type=int, default=DEFAULT_SLOTS, help="16..256 (default %(default)s)")
    p.add_argument(
        "--scorer",
        default=DEFAULT_FORM.name.lower(),
        help=f"{', '.join(SCORERS)} (default %(default)s)",
    )
    p.add_argument("--pressure", type=float, default=2.0, help="load rule's P (default 2)")
    p.add_argument("--no-tide", action="store_true", help="evict only, never migrate")
    p.add_argument("--decisions", type=Path, help="write every record, one JSON object a line")
    p.add_argument("--dump", type=Path, help="folder for events, tables and records, raw integers")
    p.add_argument("--json", action="store_true", help="print one JSON object")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison run``."""
    if args.scorer not in SCORERS:
        raise ValueError(f"scorer: got {args.scorer!r}, expected one of {', '.join(SCORERS)}")
    trace = open_trace(args.trace)
    exact = args.scorer == "float"
    form = Form.PRODUCT if exact else Form[args.scorer.upper()]
    setup = plan(
        trace, envelope(args.envelope), args.slots, form, args.pressure, tide=not args.no_tide
    )
    core = EventCore(setup.config, setup.float64() if exact else setup.fixed())
    probe = None if exact else FidelityProbe(core, setup.float64())
    with ExitStack() as stack:
        out = stack.enter_context(args.decisions.open("w")) if args.decisions else None
        dump = None
        if args.dump:
            if exact:
                raise ValueError("--dump: got the float scorer, expected an integer one")
            dump = stack.enter_context(Dump(args.dump, setup))

        def observe(event: CoreEvent, records: list[Record]) -> None:
            if probe:
                probe(event, records)
            if dump:
                dump.add(event, records)
            if out:
                out.writelines(json.dumps(record_row(event, r)) + "\n" for r in records)

        summary = replay(core, _stream(trace, setup), setup.dma_bw, costs(setup), observe)
    report = _report(args, setup, summary, probe)
    print(json.dumps(report) if args.json else _text(report))
    return 0


def costs(setup: Plan) -> Costs:
    """Costs of a plan's envelope."""
    e = setup.envelope
    return Costs({Tier.SRAM: e.sram.read_ns, Tier.HBM: e.hbm.read_ns}, e.prefill_rate)


def _stream(trace: Trace, setup: Plan) -> Iterator[CoreEvent]:
    stream = events(trace, setup.load, setup.config.slots)
    for event in tqdm(stream, desc=trace.header.family, unit=" events", disable=None):
        yield core_event(event)


def _report(
    args: argparse.Namespace, setup: Plan, summary: Summary, probe: FidelityProbe | None
) -> dict[str, Any]:
    fidelity = None
    if probe is not None:
        r = probe.result
        fidelity = {"snapshots": r.snapshots, "top1": r.top1, "kendall_tau": r.kendall_tau}
    return {
        "trace": args.trace,
        "envelope": args.envelope,
        "slots": args.slots,
        "scorer": args.scorer,
        "tide": not args.no_tide,
        "load": asdict(setup.load),
        **asdict(summary),
        "fidelity": fidelity,
    }


def _text(r: dict[str, Any]) -> str:
    def percent(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.2f} %"

    load, lines = r["load"], []
    lines.append(
        f"{r['trace']} at {r['envelope']}: {r['slots']} slots, {r['scorer']} score, "
        f"{load['agents']} agents, {load['servers']} running at most"
    )
    rows = [
        ("events", f"{r['events']:,} ({r['requests']:,} requests, {r['errors']} errors)"),
        ("hit rate", percent(r["hit_rate"])),
        ("  fast tier", percent(r["hit_rate_sram"])),
        ("  slow tier", percent(r["hit_rate_hbm"])),
        ("AMAT", "-" if r["amat_us"] is None else f"{r['amat_us']:,.1f} us"),
        ("extra prefill", f"{r['extra_prefill_tokens']:,} tokens"),
        ("decisions", ", ".join(f"{k} {v:,}" for k, v in r["decisions"].items())),
        ("prefetch accuracy", percent(r["prefetch_accuracy"])),
    ]
    if r["fidelity"]:
        f = r["fidelity"]
        top, tau = f["top1"], f["kendall_tau"]
        rows.append(
            (
                "against float64",
                f"top-1 {'-' if top is None else f'{top:.4f}'}, "
                f"tau {'-' if tau is None else f'{tau:.5f}'} "
                f"over {f['snapshots']:,} evictions with a choice",
            )
        )
    return "\n".join([*lines, *(f"  {name:<18} {value}" for name, value in rows)])
