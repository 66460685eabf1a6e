"""Puts the results of the regression into the documents: ``python -m tb.report [--check]``.

Reads `build/results/*.json` as `make regress` leaves them and fills the parts of `README.md` and
`docs/results/replay.md` that stand between ``<!-- NAME -->`` and ``<!-- /NAME -->``. Wall-clock
times are left out, so the same design gives the same text.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from tb.catalog import ALL_ENVELOPES
from tb.run import RESULTS
from tb.simulators import ROOT
from unison.contract.widths import DEFAULT_LANES, DEFAULT_SLOTS
from unison.scoring import DEFAULT_FORM
from unison.traces.paths import FAMILIES

REGRESSION = "replay_all.verilator"
DOCUMENTS = ("README.md", "docs/results/replay.md")
_HEAD = (
    "trace", "envelope", "events", "decisions", "mismatches", "evictions ranked", "top-1", "tau",
    "hit rate", "drift (pp)", "latency mean / p99 / max (cycles)",
)  # fmt: skip


class ReportError(Exception):
    """A result or a document is missing or is not what it should be; the message says which."""


def _load(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    if not path.exists():
        raise ReportError(f"{path}: missing; run make regress")
    return json.loads(path.read_text())


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _row(r: dict[str, Any]) -> str:
    lat = r["latency_cycles"]
    cells = (
        Path(r["trace"]).name.split(".")[0],
        r["envelope"],
        f"{r['events']:,}",
        f"{r['decisions']:,}",
        str(r["mismatches"]),
        f"{r['snapshots']:,}",
        _number(r["top1"], ".4f"),
        _number(r["kendall_tau"], ".6f"),
        _number(None if r["hit_rate"] is None else 100 * r["hit_rate"], ".2f") + " %",
        _number(r["drift_pp"], ".3f"),
        f"{_number(lat['mean'], '.1f')} / {lat['p99'] or '-'} / {lat['max'] or '-'}",
    )
    return "| " + " | ".join(cells) + " |"


def _table(rows: list[dict[str, Any]]) -> str:
    head = ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
    return "\n".join(head + [_row(r) for r in rows])


def _total(rows: list[dict[str, Any]]) -> str:
    """One sentence over all replays of the regression."""
    lat = [r["latency_cycles"] for r in rows]
    decided = sum(x["events"] for x in lat)
    mean = sum(x["mean"] * x["events"] for x in lat if x["events"]) / decided
    return (
        f"{len(rows)} replays, {sum(r['events'] for r in rows):,} events, "
        f"{sum(r['decisions'] for r in rows):,} decisions, "
        f"{sum(r['mismatches'] for r in rows)} mismatches; {decided:,} events with a decision took "
        f"{mean:.1f} cycles on average and {max(x['max'] or 0 for x in lat)} at most "
        f"(the paper's 2.00 and 3.14 us at 150 MHz: 300 and 471)."
    )


def parts() -> dict[str, str]:
    """Text of each part, by name. ReportError when a result is missing or failed."""
    summary = _load(REGRESSION)
    if not summary["passed"]:
        raise ReportError(f"{REGRESSION}: failed; mend it before reporting")
    rows = summary["runs"]
    points = {(r["trace"], r["envelope"]) for r in rows}
    if points != {(f, e) for f in FAMILIES for e in ALL_ENVELOPES}:
        raise ReportError(f"{REGRESSION}: got {len(points)} points, expected every family's")
    _check(REGRESSION, rows)
    out = {"REPLAY-TABLE": _table(rows), "REPLAY-TOTAL": _total(rows)}
    recordings = [_load(p.stem) for p in sorted(RESULTS.glob("recording.*.verilator.json"))]
    if recordings:
        _check("recordings", recordings)
        out["RECORDINGS-TABLE"] = _table(recordings)
    return out


def _check(name: str, rows: list[dict[str, Any]]) -> None:
    """ReportError unless all passed, whole, at the sizes that the documents state."""
    for r in rows:
        stated = {
            "passed": True, "limit": 0, "slots": DEFAULT_SLOTS, "lanes": DEFAULT_LANES,
            "scorer": DEFAULT_FORM.name.lower(),
        }  # fmt: skip
        stated["arch"] = "rows"
        for key, want in stated.items():
            if r.get(key) != want:
                raise ReportError(f"{name}: {key}: got {r.get(key)}, expected {want}")


def filled(text: str, texts: dict[str, str]) -> str:
    """A document with its parts replaced; a part without a text stays as it is."""
    for name, body in texts.items():
        pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text = pattern.sub(lambda m, body=body: f"{m[1]}{body}\n{m[2]}", text)
    return text


def main(argv: list[str] | None = None) -> int:
    """Fill the documents, or with ``--check`` say which differ (exit 1)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    args = parser.parse_args(argv)
    try:
        texts = parts()
    except ReportError as error:
        print(f"tb.report: {error}", file=sys.stderr)
        return 2
    stale = []
    for name in DOCUMENTS:
        path = ROOT / name
        old = path.read_text()
        new = filled(old, texts)
        if new != old:
            stale.append(name)
            if not args.check:
                path.write_text(new)
    if args.check and stale:
        print(f"stale: {', '.join(stale)}; run python -m tb.report", file=sys.stderr)
        return 1
    print(f"tb.report: {', '.join(stale) or 'nothing'} {'changed' if stale else 'to change'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
