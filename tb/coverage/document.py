"""`docs/coverage.md`, and the short table of the terminal."""

from tb.coverage.exclusions import Sources
from tb.coverage.judge import TARGETS, Verdict
from tb.coverage.page import signals

_INTRO = """# Coverage

Written by `make coverage`; do not edit. The same with every bin and uncovered line:
`build/coverage/index.html`.

- **Functional**: points and crosses of `tb/coverage/model.py` (cocotb-coverage) over what the
  scoreboard has: the golden model's choices, records, ranking keys, bus transfers.
- **Line**: an RTL line is covered when any statement on it ran.
- **Branch**: every arm of an `if`, a `case`, a conditional, missing `else`s included.
- **Toggle**: every bit of every signal, up and down, each counted.

Code coverage is by module: instances and parameterisations of a module count together, so a point
that only one size can reach is covered by that size. Only the core counts (`rtl/`).
"""


def _pipe(text: str) -> str:
    return text.replace("|", "\\|")


def table(head: list[str], rows: list[list]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(_pipe(str(c)) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _totals(v: Verdict) -> str:
    rows = []
    for kind, target in TARGETS.items():
        t = v.totals[kind]
        word = "met" if t.total and t.percent >= target else "**below**"
        rows.append(
            [kind, f"{t.covered:,}", f"{t.total:,}", f"{t.percent:.2f}", f"{target:g}", word,
             f"{t.excluded:,}"]
        )  # fmt: skip
    return table(["measure", "covered", "of", "%", "target %", "", "excluded"], rows)


def _modules(v: Verdict) -> str:
    rows = []
    for name, kinds in sorted(v.modules.items()):
        tallies = [kinds.get(kind) for kind in ("line", "branch", "toggle")]
        if any(t is not None and t.total for t in tallies):
            cells = [
                f"{t.covered:,} / {t.total:,}" if t is not None and t.total else "-"
                for t in tallies
            ]
            rows.append([f"`{name}`", *cells])
    return table(["module", "lines", "branches", "toggles"], rows)


def _groups(v: Verdict) -> str:
    rows = []
    for item in v.items:
        holes = [b for b, n in item.bins.items() if not n]
        missing = ", ".join(f"`{b}`" for b in holes[:8]) + (" ..." if len(holes) > 8 else "")
        what = "cross" if item.cross else "point"
        done = f"{len(item.bins) - len(holes)} / {len(item.bins)}"
        rows.append([f"`{item.name}`", what, done, missing or "-"])
    return table(["item", "", "bins hit", "never seen"], rows)


def _left(v: Verdict, sources: Sources) -> str:
    parts = []
    for kind in ("line", "branch"):
        rows = [
            [f"`{p.module}`", p.line, p.name or "-", f"`{sources.text(p.module, p.line)}`"]
            for p in v.missed[kind]
        ]
        if rows:
            parts.append(table([f"{kind}: module", "line", "arm", "source"], rows))
    rows = [[f"`{m}`", f"`{s}`", n] for (m, s), n in signals(v.missed["toggle"]).most_common(40)]
    if rows:
        parts.append(table(["toggle: module", "signal", "bit directions"], rows))
    return "\n".join(parts) or "Nothing.\n"


def _exclusions(v: Verdict) -> str:
    rows = []
    for e in v.exclusions:
        point = f"`{e.match}`" if e.match != ".*" else "all"
        if e.text:
            point += f" at `{e.text}`"
        verdict = "unreachable" if e.unreachable else f"waived, {e.hit:,} hit"
        rows.append(["+".join(e.kinds), f"`{e.where}`", point, f"{e.matched:,}", verdict, e.reason])
    return table(["measure", "where", "what", "points", "", "reason"], rows)


def render(v: Verdict, sources: Sources) -> str:
    """The document."""
    return "\n".join(
        [
            _INTRO,
            _totals(v),
            f"Runs: {', '.join(v.runs)}.\n",
            "## Code, by module\n",
            _modules(v),
            "## What is not covered\n",
            _left(v, sources),
            "## Functional groups\n",
            "A cross' bins are joined by `/`. Excluded bins are not counted here.\n",
            _groups(v),
            "## Exclusions\n",
            "Kept in `tb/coverage/exclusions.toml`. One that matches nothing fails the command,\n"
            "and so does a hit of one called unreachable; a waived point may be hit. Patterns are\n"
            "regular expressions.\n",
            _exclusions(v),
        ]
    )


def terminal(v: Verdict) -> str:
    """A few lines for people who wait."""
    lines = [f"{'':12}{'covered':>10}{'of':>10}{'%':>9}{'target':>8}{'excluded':>10}"]
    for kind, target in TARGETS.items():
        t = v.totals[kind]
        mark = "" if t.total and t.percent >= target else "  below"
        lines.append(
            f"{kind:12}{t.covered:>10,}{t.total:>10,}{t.percent:>9.2f}{target:>8g}"
            f"{t.excluded:>10,}{mark}"
        )
    return "\n".join(lines)
