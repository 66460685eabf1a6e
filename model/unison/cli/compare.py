"""``unison compare``: all policies on one trace and pool, the best first, in seconds."""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from unison.contract.widths import DEFAULT_SLOTS
from unison.traces.envelopes import Envelope, envelope
from unison.traces.load import ServingLoad
from unison.traces.model import Trace
from unison.traces.paths import open_trace

if TYPE_CHECKING:
    from unison.experiments.lineup import Entry

_RESIDENCIES = ("whole", "trim")
#: Far beyond any pool and any slot table, and safe in 64-bit sums.
_MAX_TOKENS, _MAX_SLOTS = 1 << 40, 1 << 16


def add_compare_parser(commands: Any) -> None:
    """Add ``compare`` to the command line."""
    p = commands.add_parser("compare", help="all policies on one trace and pool, ranked")
    p.add_argument("--trace", required=True, help="a family's name or a trace file")
    p.add_argument("--envelope", required=True, help="capacities and costs, e.g. edge-tight or gpu")
    p.add_argument("--pressure", type=float, default=2.0, help="load rule's P (default 2)")
    orders = p.add_mutually_exclusive_group()
    orders.add_argument("--seed", type=int, default=0, help="order of the sessions, 0 the file's")
    orders.add_argument("--seeds", type=int, help="mean over the orders 0..N-1 instead")
    p.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="ENTRY",
        help="add NAME, POLICY+PLACEMENT or FILE.py:CLASS to the line-up; may be repeated",
    )
    p.add_argument("--only", action="store_true", help="those of --policy, lru and belady alone")
    p.add_argument("--residency", default="whole", help="whole or trim (default %(default)s)")
    p.add_argument("--sram", type=int, help="capacity of the fast tier instead, tokens")
    p.add_argument("--hbm", type=int, help="capacity of the slow tier instead, tokens")
    p.add_argument("--slots", type=int, default=DEFAULT_SLOTS, help="(default %(default)s)")
    p.add_argument("--no-bound", action="store_true", help="leave out the upper bound")
    p.add_argument("--json", action="store_true", help="print one JSON object")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison compare``."""
    _check(args)
    trace, pool = open_trace(args.trace), _pool(args)
    # Imported late: compiled code takes a second to load.
    from unison.experiments.compared import compare
    from unison.sim.scenario import Scenario

    entries = _entries(args)
    seeds = range(args.seeds) if args.seeds is not None else [args.seed]
    bound = not args.no_bound and args.residency == "whole"
    rows: list[dict[str, Any]] = []
    load = None
    work = len(seeds) * (len(entries) + bound)
    with tqdm(total=work, unit="run", disable=None, leave=False, file=sys.stderr) as bar:
        for seed in seeds:
            scenario = Scenario.of(trace, pool, args.pressure, seed, args.slots)
            load = scenario.load
            try:
                found = compare(scenario, entries, args.residency, bound, bar.update)
            except RuntimeError as error:
                # The bound's solver may give up on a trace it was never tried on.
                raise ValueError(f"{error} (--no-bound leaves it out)") from None
            rows += [
                {"family": args.trace, "envelope": pool.name, "seed": seed, **r} for r in found
            ]
    report = _report(args, trace, pool, load, rows)
    print(json.dumps(report) if args.json else _text(report))
    return 0


def _check(args: argparse.Namespace) -> None:
    """ValueError for what no later part would refuse in one line."""
    if args.residency not in _RESIDENCIES:
        raise ValueError(
            f"residency: got {args.residency!r}, expected one of {', '.join(_RESIDENCIES)}"
        )
    if args.only and not args.policy:
        raise ValueError("--only: got no --policy, expected at least one")
    limits = {
        "seed": (0, None),
        "seeds": (1, None),
        "slots": (1, _MAX_SLOTS),
        "sram": (0, _MAX_TOKENS),
        "hbm": (0, _MAX_TOKENS),
    }
    for name, (low, high) in limits.items():
        value = getattr(args, name)
        if value is not None and (value < low or (high is not None and value > high)):
            expected = f"at least {low}" if high is None else f"{low}..{high}"
            raise ValueError(f"{name}: got {value}, expected {expected}")


def _pool(args: argparse.Namespace) -> Envelope:
    """The envelope, with the capacities given instead of its own; its costs stay."""
    e = envelope(args.envelope)
    sram = e.sram.tokens if args.sram is None else args.sram
    hbm = e.hbm.tokens if args.hbm is None else args.hbm
    return replace(e, sram=replace(e.sram, tokens=sram), hbm=replace(e.hbm, tokens=hbm))


def _entries(args: argparse.Namespace) -> "list[Entry]":
    """The line-up and what was added; each made once, so that a wrong one shows at once."""
    from unison.experiments.lineup import BASELINE, ORACLE, entry, lineup

    added = [entry(text) for text in args.policy]
    base = [entry(BASELINE), entry(ORACLE)] if args.only else lineup()
    entries = list({e.name: e for e in (*base, *added)}.values())
    for one in entries:
        one.make()
    return entries


def _report(
    args: argparse.Namespace,
    trace: Trace,
    pool: Envelope,
    load: ServingLoad,
    rows: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    from unison.experiments.compared import BOUND
    from unison.experiments.points import Results

    results = Results(rows)
    point = results.points[0]
    lines = [_line(results, name, point) for name in results.complete([point])]
    # Under trimming whole prefixes are the exception: what counts is the tokens.
    first = "token_hit_rate" if args.residency == "trim" else "hit_rate"
    lines.sort(key=lambda r: (-r[first], r["amat_us"]))
    bound = results.hit(BOUND, point)
    return {
        "trace": args.trace,
        "sessions": len(trace.sessions),
        "envelope": pool.name,
        "sram_tokens": pool.sram.tokens,
        "hbm_tokens": pool.hbm.tokens,
        "pressure": args.pressure,
        "agents": load.agents,
        "servers": load.servers,
        "linger_us": load.linger_us,
        "slots": args.slots,
        "residency": args.residency,
        "seeds": results.seeds,
        "bound": None if bound is None else bound.value,
        "policies": lines,
    }


def _line(results: Any, name: str, point: tuple[str, str]) -> dict[str, Any]:
    from unison.experiments.lineup import BASELINE

    s = results.summary(name, [point])
    tokens = [results.values("extra_prefill_tokens", p, point) for p in (name, BASELINE)]
    ours, base = map(sum, tokens)
    mean = {
        m: math.fsum(results.values(m, name, point)) / len(results.seeds)
        for m in ("hit_rate_sram", "partial", "token_hit_rate", "amat_us", "ttft_p50_us")
    }
    return {
        "policy": name,
        "online": name in results.online,
        "hit_rate": s.hit.value,
        "hit_rate_interval": s.hit.half,
        **mean,
        "amat_over_lru": s.amat.value,
        "extra_prefill_tokens": ours / len(results.seeds),
        "extra_prefill_over_lru": ours / base if base else None,
        "ttft_over_lru": s.ttft.value,
        "br": None if s.br is None else s.br.value,
        "below_bound": None if s.to_bound is None else s.to_bound.value,
    }


def _text(r: dict[str, Any]) -> str:
    """The load, then one line a policy."""
    orders = ", ".join(map(str, r["seeds"]))
    lines = [
        f"{r['trace']} at {r['envelope']} ({r['sram_tokens']:,} + {r['hbm_tokens']:,} tokens): "
        f"P = {r['pressure']:g}, {r['agents']} agents, {r['servers']} running at most, linger "
        f"{r['linger_us'] / 1e6:.1f} s, {r['slots']} slots, {r['residency']} residency, "
        f"order {orders}"
    ]
    wide = max(len(p["policy"]) for p in r["policies"])
    spread = r["policies"][0]["hit_rate_interval"] is not None
    hit = "hit rate %".rjust(14 if spread else 10)
    lines.append(
        f"{'policy':<{wide}}  {hit}  fast %  partial %  tokens %  AMAT/LRU  prefill/LRU  "
        "TTFT/LRU     BR  to bound pp"
    )

    def cell(value: float | None, width: int, digits: int, scale: float = 1.0) -> str:
        return ("-" if value is None else f"{scale * value:.{digits}f}").rjust(width)

    for p in r["policies"]:
        rate = cell(p["hit_rate"], 0, 2, 100)
        if spread:
            rate += f" ± {100 * p['hit_rate_interval']:.2f}"
        cells = (
            rate.rjust(len(hit)),
            cell(p["hit_rate_sram"], 6, 2, 100),
            cell(p["partial"], 9, 2, 100),
            cell(p["token_hit_rate"], 8, 2, 100),
            cell(p["amat_over_lru"], 8, 3),
            cell(p["extra_prefill_over_lru"], 11, 3),
            cell(p["ttft_over_lru"], 8, 3),
            cell(p["br"], 5, 3),
            cell(p["below_bound"], 11, 2, 100),
        )
        lines.append(f"{p['policy']:<{wide}}  {'  '.join(cells)}")
    if r["bound"] is not None:
        lines.append(f"{'bound':<{wide}}  {cell(r['bound'], len(hit), 2, 100)}")
    return "\n".join(lines)
