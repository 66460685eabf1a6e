"""Writes the tables of ``docs/traces.md``, between its ``begin`` and ``end`` comments.

Run ``python -m unison.traces.pages [--check]`` from the repository root.
"""

import argparse
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from unison.traces.calibration import load_calibration
from unison.traces.envelopes import ENVELOPES
from unison.traces.load import derive_load, mean_prefix
from unison.traces.model import Trace
from unison.traces.paths import FAMILIES, HUMAN_FAMILIES, open_trace
from unison.traces.quantiles import Quantiles, measure
from unison.traces.serving import ServingStats, events
from unison.traces.summary import samples, targets

_trace = cache(open_trace)


def families_table(families: tuple[str, ...] = FAMILIES) -> str:
    """Size and scale of each committed family."""
    rows = [
        "| family | sessions | turns | a session | mean prefix | median wait | median service |"
    ]
    rows.append("|---|---|---|---|---|---|---|")
    total = [0, 0]
    for family in families:
        trace = _trace(family)
        header, found = trace.header, samples(trace)
        total = [total[0] + header.sessions, total[1] + header.turns]
        rows.append(
            f"| {family} | {header.sessions:,} | {header.turns:,} "
            f"| {header.turns / header.sessions:.1f} | {mean_prefix(trace):,.0f} "
            f"| {measure(found['wait ms']).p50 / 1000:.3g} s "
            f"| {measure(found['service ms']).p50 / 1000:.3g} s |"
        )
    rows.append(f"| all | {total[0]:,} | {total[1]:,} | | | | |")
    return "\n".join(rows)


def human_table() -> str:
    """The same of the human-paced families, and their waits."""
    sizes = families_table(HUMAN_FAMILIES)
    return f"{sizes}\n\n{quantiles_table(HUMAN_FAMILIES)}"


def quantiles_table(families: tuple[str, ...] = FAMILIES) -> str:
    """Measured against drawn from, p10 / p50 / p90 / p99."""
    rows = ["| family | quantity | measured | calibration |", "|---|---|---|---|"]
    for family in families:
        found = samples(_trace(family))
        for name, target in targets(load_calibration(family)).items():
            rows.append(f"| {family} | {name} | {_q(measure(found[name]))} | {_q(target)} |")
    return "\n".join(rows)


def envelopes_table() -> str:
    """Capacities and costs of each envelope."""
    rows = [
        "| envelope | SRAM | HBM | SRAM ns/token | HBM ns/token | prefill tokens/s "
        "| DMA tokens/tick |",
        "|---|---|---|---|---|---|---|",
    ]
    for e in ENVELOPES.values():
        rows.append(
            f"| {e.name} | {e.sram.tokens:,} | {e.hbm.tokens:,} | {e.sram.read_ns:.3g} "
            f"| {e.hbm.read_ns:,.3g} | {e.prefill_rate:,.0f} | {e.dma_bw_q8 / 256:.2f} |"
        )
    return "\n".join(rows)


def sources_table() -> str:
    """Where the envelopes' rates come from, envelopes with the same ones together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for e in ENVELOPES.values():
        key = (e.sram.source, e.hbm.source, e.prefill_source, e.dma_source)
        groups.setdefault(key, []).append(e.name)
    rows = ["| envelopes | SRAM | HBM | prefill | DMA |", "|---|---|---|---|---|"]
    rows += [f"| {', '.join(names)} | {' | '.join(key)} |" for key, names in groups.items()]
    return "\n".join(rows)


def load_table() -> str:
    """The derived load and what the closed loop makes of it, at 64 slots."""
    rows = [
        "| family | envelope | C | B | linger s | events | waited | most live | hours |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    rows += [_load_row(family, name) for family in FAMILIES for name in ENVELOPES]
    return "\n".join(rows)


def _load_row(family: str, name: str) -> str:
    trace: Trace = _trace(family)
    load, stats = derive_load(trace, ENVELOPES[name].pool_tokens), ServingStats()
    for _ in events(trace, load, stats=stats):
        pass
    return (
        f"| {family} | {name} | {load.agents} | {load.servers} | {load.linger_us / 1e6:.1f} "
        f"| {stats.events:,} | {stats.waited} | {stats.max_live} | {stats.end_us / 3.6e9:.2f} |"
    )


def _q(q: Quantiles) -> str:
    return " / ".join(f"{v:,.0f}" if v >= 10 else f"{v:.3g}" for v in (q.p10, q.p50, q.p90, q.p99))


TABLES: dict[str, Callable[[], str]] = {
    "families": families_table,
    "quantiles": quantiles_table,
    "human": human_table,
    "envelopes": envelopes_table,
    "sources": sources_table,
    "load": load_table,
}


def filled(text: str) -> str:
    """`text` with every table regenerated. ValueError when a table has no place in it."""
    for name, table in TABLES.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        head, found, rest = text.partition(begin)
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{name}: got no '{begin.strip()}' .. '{end}', expected one")
        text = f"{head}{begin}{table()}\n{end}{tail}"
    return text


def main(argv: list[str] | None = None) -> int:
    """Fill the page, or with ``--check`` say that it differs (exit 1)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="repository root")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    args = parser.parse_args(argv)
    page = args.root / "docs" / "traces.md"
    text = page.read_text()
    if filled(text) == text:
        return 0
    if args.check:
        print("docs/traces.md is stale; run python -m unison.traces.pages", file=sys.stderr)
        return 1
    page.write_text(filled(text))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
