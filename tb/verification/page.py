"""`docs/verification.md` from evidence, committed pages and the two text files beside this one."""

import re
from pathlib import Path
from typing import Any

from tb.coverage.document import table
from tb.planted import BUGS
from tb.simulators import ROOT
from tb.verification.collect import fingerprint
from tb.verification.rows import Row, rows

_HERE = Path(__file__).parent


def _met(row: Row) -> str:
    if not row.judged:
        return "-"
    return {True: "yes", False: "**no**", None: "**open**"}[row.met]


def _rtl(row: Row, now: str) -> str:
    if row.committed:
        return "see its page"
    if row.measured == "not run":
        return "-"
    return "this one" if row.rtl == now else "**another**"


def _verdict(every: list[Row], now: str) -> str:
    every = [r for r in every if r.judged]
    met = sum(r.met is True for r in every)
    no = [r.what for r in every if r.met is False]
    open_ = [r.what for r in every if r.met is None]
    old = sorted({r.what for r in every if not r.committed and r.met is not None and r.rtl != now})
    lines = [f"**{met} of {len(every)} targets are met.**"]
    lines += [f"Not met: {', '.join(no)}."] if no else []
    lines += [f"Not run: {', '.join(open_)}."] if open_ else []
    lines += [f"Measured on another RTL than this one: {', '.join(old)}."] if old else []
    return " ".join(lines) + "\n"


def _ci(root: Path) -> str:
    script = root / ".ci" / "run"
    steps = re.findall(r"^step (.+)$", script.read_text(), re.M) if script.exists() else []
    return ", ".join(f"`{s}`" for s in steps) or "nothing"


def _left(evidence: dict[str, Any]) -> list[str]:
    """What the figures themselves leave open."""
    out = []
    if c := evidence.get("coverage"):
        for kind, t in c["totals"].items():
            if missed := t["total"] - t["covered"]:
                what = f"{missed:,} {kind} points"
                out.append(f"- Coverage: {what} never seen ([which](coverage.md)).")
        out.append(
            f"- Coverage: {c['unreachable']} exclusions say that points cannot be reached (a hit "
            f"fails the command), {c['waived']} that points need not be."
        )
    for name, group in evidence.get("mutate", {}).get("groups", {}).items():
        if group.get("survived"):
            out.append(f"- Mutation, {name}: {group['survived']:,} mutants survived.")
    return out


def render(evidence: dict[str, Any], plan: str, root: Path = ROOT) -> str:
    """The page; plan: what the testplan says of itself."""
    now = fingerprint(root)
    every = rows(evidence, plan, root)
    head = ["evidence", "measured", "target", "met", "command", "RTL"]
    body = [
        [r.what, r.measured, r.target, _met(r), f"`{r.command}`", _rtl(r, now)] for r in every
    ]
    guide = (_HERE / "guide.md").read_text()
    parts = [
        (_HERE / "head.md").read_text(),
        f"RTL of this commit: `{now}` (comments and white space left out).\n",
        _verdict(every, now),
        table(head, body),
        guide.replace("{ci}", _ci(root)).replace("{bugs}", str(len(BUGS))),
        *_left(evidence),
        "",
    ]
    return "\n".join(parts).rstrip("\n") + "\n"
