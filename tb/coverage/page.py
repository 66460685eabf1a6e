"""The page a person reads: `build/coverage/index.html`."""

import re
from collections import Counter
from html import escape

from tb.coverage.exclusions import Sources
from tb.coverage.judge import TARGETS, Verdict
from tb.coverage.verilator import Point

_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .7em;border-bottom:1px solid #ddd}
th{text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}
.bad{color:#b00020}.good{color:#1b6e2d}code{background:#f4f4f4;padding:0 .2em}
details{margin:.3em 0}summary{cursor:pointer}
"""
_BIT = re.compile(r"^(.*?)((?:\[\d+\])*):(0->1|1->0)$")


def signals(points: list[Point]) -> Counter[tuple[str, str]]:
    """Uncovered toggle points by module and signal."""
    out: Counter[tuple[str, str]] = Counter()
    for p in points:
        match = _BIT.match(p.name)
        out[p.module, match.group(1) if match else p.name] += 1
    return out


def _row(cells: list, tag: str = "td") -> str:
    out = []
    for c in cells:
        numeric = isinstance(c, (int, float))
        text = f"{c:,.2f}" if isinstance(c, float) else f"{c:,}" if numeric else str(c)
        out.append(f"<{tag}{' class=n' if numeric else ''}>{text}</{tag}>")
    return "<tr>" + "".join(out) + "</tr>"


def _table(head: list[str], rows: list[list]) -> str:
    return "<table>" + _row(head, "th") + "".join(map(_row, rows)) + "</table>"


def _totals(v: Verdict) -> str:
    rows = []
    for kind, target in TARGETS.items():
        t = v.totals[kind]
        good = t.total and t.percent >= target
        word = f"<b class={'good' if good else 'bad'}>{'met' if good else 'below'}</b>"
        rows.append([kind, t.covered, t.total, t.percent, f"{target:g}", word, t.excluded])
    return _table(["", "covered", "of", "%", "target %", "", "excluded"], rows)


def _modules(v: Verdict) -> str:
    rows = []
    for name, kinds in sorted(v.modules.items()):
        row: list = [escape(name)]
        for kind in ("line", "branch", "toggle"):
            t = kinds.get(kind)
            if t is None or not t.total:
                row += ["-", ""]
            else:
                row += [f"{t.covered:,} / {t.total:,}", t.percent]
        rows.append(row)
    return _table(["module", "lines", "%", "branches", "%", "toggles", "%"], rows)


def _code(v: Verdict, sources: Sources) -> str:
    parts = []
    for kind in ("line", "branch"):
        points = v.missed[kind]
        parts.append(f"<h3>Uncovered: {kind} ({len(points)})</h3>")
        rows = [
            [escape(p.module), p.line, escape(p.name or "-"),
             f"<code>{escape(sources.text(p.module, p.line))}</code>"]
            for p in points
        ]  # fmt: skip
        parts.append(_table(["module", "line", "arm", "source"], rows) if rows else "<p>None.</p>")
    found = signals(v.missed["toggle"])
    parts.append(f"<h3>Uncovered: toggle ({len(v.missed['toggle'])}), by signal</h3>")
    rows = [[escape(m), f"<code>{escape(s)}</code>", n] for (m, s), n in found.most_common()]
    parts.append(_table(["module", "signal", "bit directions"], rows) if rows else "<p>None.</p>")
    return "".join(parts)


def _functional(v: Verdict) -> str:
    parts = []
    order = sorted(v.items, key=lambda i: (all(i.bins.values()), i.cross, i.name))
    for item in order:
        holes = [b for b, n in item.bins.items() if not n]
        hit = len(item.bins) - len(holes)
        what = "cross" if item.cross else "point"
        title = f"{escape(item.name)} <small>({what})</small> {hit} / {len(item.bins)}"
        if holes:
            listed = " ".join(f"<code>{escape(b)}</code>" for b in holes)
            parts.append(f"<p><b class=bad>{title}</b><br>never seen: {listed}</p>")
        rows = [[escape(b), n] for b, n in sorted(item.bins.items(), key=lambda x: x[1])]
        parts.append(
            f"<details><summary>{title}</summary>{_table(['bin', 'hits'], rows)}</details>"
        )
    return "".join(parts)


def _exclusions(v: Verdict) -> str:
    rows = [
        [escape("+".join(e.kinds)), escape(e.where), f"<code>{escape(e.match)}</code>",
         f"<code>{escape(e.text)}</code>", e.matched, e.hit,
         "unreachable" if e.unreachable else "waived", escape(e.reason)]
        for e in v.exclusions
    ]  # fmt: skip
    head = ["kind", "where", "name", "source text", "points", "hit anyway", "", "reason"]
    return _table(head, rows)


def render(v: Verdict, sources: Sources) -> str:
    """The whole page."""
    verdict = "<b class=good>passed</b>" if v.passed else "<b class=bad>FAILED</b>"
    wrong = "".join(f"<li class=bad>{escape(p)}</li>" for p in v.problems)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Unison: coverage</title>"
        f"<style>{_STYLE}</style><h1>Coverage: {verdict}</h1><ul>{wrong}</ul>"
        f"{_totals(v)}<p>Runs: {escape(', '.join(v.runs))}.</p>"
        f"<h2>Code, by module</h2>{_modules(v)}{_code(v, sources)}"
        f"<h2>Functional, holes first</h2>{_functional(v)}"
        f"<h2>Exclusions</h2>{_exclusions(v)}</html>\n"
    )
