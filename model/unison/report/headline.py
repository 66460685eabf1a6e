"""The top of the page: ours against LRU, and the paper's figures beside."""

from collections.abc import Sequence
from dataclasses import dataclass

from unison.report.markup import esc, table
from unison.report.picks import Table, Trace, geometric, mean, number

#: What the paper reports (contract section 7).
PAPER = {
    "hit": "+0.3 .. +23.1 pp",
    "amat": "-22 .. -51 %, mean -34.8 %",
    "br": "0.93",
    "ttft": "-58 .. -89 % on its long traces",
}
CAVEAT = (
    "Measured on calibrated synthetic traces and on our own envelopes and costs, "
    "<strong>not the paper's</strong>, which are not public. The paper's figures stand beside "
    "for orientation; neither levels nor orders need agree."
)


_QUEUE = (
    '<p class="from">lru-queue is LRU that knows which tools have returned, and nothing of the '
    "waits: set Unison beside it before crediting the ranking.</p>"
)


@dataclass(frozen=True)
class Dumbbell:
    """A line of the chart: hit rates in %."""

    label: str
    lru: float
    ours: float
    oracle: float | None


def section(heading: str, traces: Sequence[Trace]) -> str:
    """Cards, chart and table; a sentence when there is nothing to show."""
    if not traces:
        return (
            '<p class="missing">No page with a comparison by trace is there: '
            "run <code>unison exp main</code> first.</p>"
        )
    lines = [Dumbbell(t.name, t.lru, t.ours, t.oracle) for t in traces]
    return (
        f'<p class="caveat">{CAVEAT}</p>\n{_cards(traces)}\n'
        f'<p class="from">Means over the traces of: {esc(heading)}.</p>\n'
        f"{chart(lines, 'headline')}\n{_table(traces)}"
        f"{_QUEUE if any(t.queue is not None for t in traces) else ''}"
    )


def _cards(traces: Sequence[Trace]) -> str:
    gains = [t.ours - t.lru for t in traces]
    cards = [
        _card("Hit rate", f"{mean(gains):+.1f} pp", _range(gains, " pp"), PAPER["hit"]),
    ]
    amat = [t.amat for t in traces if t.amat]
    if amat:
        change = [100 * (a - 1) for a in amat]
        whole = f"{100 * (geometric(amat) - 1):+.1f} %"
        cards.append(_card("Mean access time", whole, _range(change, " %"), PAPER["amat"]))
    br = [t.br for t in traces if t.br is not None]
    if br:
        name = '<abbr title="hits over the hits of Belady">BR</abbr>'
        cards.append(_card(name, f"{mean(br):.3f}", _range(br, "", "", 3), PAPER["br"]))
    long = [t.ttft for t in traces if t.ttft and t.name.startswith("swe_")]
    where = "long traces (swe_)" if long else "all traces"
    ttft = long or [t.ttft for t in traces if t.ttft]
    if ttft:
        change = [100 * (a - 1) for a in ttft]
        whole = f"{100 * (geometric(ttft) - 1):+.1f} %"
        title = f"TTFT p50, {where}"
        cards.append(_card(title, whole, _range(change, " %"), PAPER["ttft"]))
    return f'<div class="cards">{"".join(cards)}</div>'


def _card(title: str, value: str, spread: str, paper: str) -> str:
    return (
        f'<div class="card"><h3>{title}</h3><p class="big">{value}</p>'
        f"<p>{spread}</p><p class='paper'>paper: {esc(paper)}</p></div>"
    )


def _range(values: Sequence[float], unit: str, sign: str = "+", digits: int = 1) -> str:
    low, high = min(values), max(values)
    return f"{low:{sign}.{digits}f} .. {high:{sign}.{digits}f}{unit} by trace"


def _table(traces: Sequence[Trace]) -> str:
    def show(value: float | None, text: str) -> str:
        return "-" if value is None else text.format(value)

    def percent(ratio: float | None) -> str:
        return "-" if ratio is None else f"{100 * (ratio - 1):+.1f}"

    rows = [
        (
            t.name,
            f"{t.lru:.2f}",
            show(t.queue, "{:.2f}"),
            f"{t.ours:.2f}",
            f"{t.ours - t.lru:+.2f}",
            show(t.oracle, "{:.2f}"),
            show(t.br, "{:.3f}"),
            percent(t.amat),
            percent(t.ttft),
            show(t.prefill, "{:.1f}"),
        )
        for t in traces
    ]
    header = (
        "trace",
        "LRU hit %",
        "lru-queue hit %",
        "Unison hit %",
        "gain, pp",
        "Belady hit %",
        "BR",
        "AMAT, %",
        "TTFT, %",
        "prefill saved, %",
    )
    return table(header, rows)


def chart(lines: Sequence[Dumbbell], scope: str) -> str:
    """LRU to Unison, one line each, Belady as a tick."""
    left, right, row, top = 132, 52, 26, 30
    width, height = 720, top + row * len(lines) + 24
    values = [v for d in lines for v in (d.lru, d.ours, d.oracle) if v is not None]
    high = min(100.0, 10 * (int(max(values) // 10) + 1)) or 10.0

    def x(value: float) -> float:
        return left + (width - left - right) * value / high

    out = [
        f'<svg class="chart" id="{scope}-chart" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Hit rate, LRU against Unison">'
    ]
    step = 10 if high <= 60 else 20
    for tick in range(0, int(high) + 1, step):
        out.append(
            f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{top - 6}" '
            f'y2="{height - 20}"/><text class="axis" x="{x(tick):.1f}" y="{height - 6}" '
            f'text-anchor="middle">{tick} %</text>'
        )
    out.append(_legend(left))
    for n, d in enumerate(lines):
        y = top + row * n + row / 2
        out.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{esc(d.label)}</text>')
        a, b = x(d.lru), x(d.ours)
        out.append(f'<line class="span" x1="{a:.1f}" x2="{b:.1f}" y1="{y}" y2="{y}"/>')
        if d.oracle is not None:
            at = x(d.oracle)
            out.append(
                f'<line class="oracle" x1="{at:.1f}" x2="{at:.1f}" y1="{y - 8}" y2="{y + 8}"/>'
            )
        out.append(f'<circle class="lru" cx="{a:.1f}" cy="{y}" r="5"/>')
        out.append(f'<circle class="ours" cx="{b:.1f}" cy="{y}" r="6"/>')
        end = x(max(v for v in (d.lru, d.ours, d.oracle) if v is not None))
        out.append(
            f'<text class="gain" x="{end + 12:.1f}" y="{y + 4}">{d.ours - d.lru:+.1f}</text>'
        )
    return f'<div class="scroll">{"".join(out)}</svg></div>'


def _legend(left: int) -> str:
    return (
        f'<circle class="lru" cx="{left + 6}" cy="12" r="5"/>'
        f'<text x="{left + 16}" y="16">LRU</text>'
        f'<circle class="ours" cx="{left + 66}" cy="12" r="6"/>'
        f'<text x="{left + 78}" y="16">Unison</text>'
        f'<line class="oracle" x1="{left + 150}" x2="{left + 150}" y1="4" y2="20"/>'
        f'<text x="{left + 158}" y="16">Belady (clairvoyant)</text>'
        f'<text x="{left + 300}" y="16">number: gain, pp</text>'
    )


def by_trace(found: Table) -> str:
    """One fold a trace: its points as a chart and a table."""
    names = list(dict.fromkeys(r[0] for r in found.rows))
    out = []
    for n, name in enumerate(names):
        rows = [r for r in found.rows if r[0] == name]
        lines = []
        for r in rows:
            lru, ours = (number(r[found.column(c)]) for c in ("lru", "unison"))
            oracle = number(r[found.column("belady")]) if "belady" in found.header else None
            if lru is not None and ours is not None:
                lines.append(Dumbbell(r[1], lru, ours, oracle))
        picture = chart(lines, f"trace{n}") if lines else ""
        body = table(found.header[1:], [r[1:] for r in rows])
        fold = f'<details{" open" * (n == 0)} id="trace-{n}"><summary>{esc(name)}</summary>'
        out.append(f"{fold}{picture}{body}</details>")
    return "\n".join(out)
