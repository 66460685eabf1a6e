"""Verilator's coverage.dat: read, merged over runs, parameters and instances, by source point.

A line of the file is `C '<fields>' <count>`, each field \\x01 name \\x02 value. Counts of all
instances and of all parameterisations of a module are added up: a point is covered when any
instance hit it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_RECORD = re.compile(r"C '(.*)' (\d+)")
#: Comments of points that are alternatives; Verilator files some of them under "line".
_ARMS = {"if", "elsif", "else", "case", "cond_then", "cond_else"}


class CoverageError(Exception):
    """A coverage file that cannot be read; the message says which line."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that can be covered. kind: line, branch or toggle.

    line, column: where it stands; name: what it is (`if`, `else`, `sig[3]:0->1`); lines: the
    source lines that it makes run, as Verilator writes them.
    """

    kind: str
    module: str
    line: int
    column: int
    name: str
    lines: str = ""


def _fields(text: str) -> dict[str, str]:
    return dict(part.split("\x02", 1) for part in text.split("\x01") if part)


def read(path: Path) -> Counter[Point]:
    """Counts by point; points of several instances come together."""
    found: Counter[Point] = Counter()
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        match = _RECORD.fullmatch(line)
        try:
            f = _fields(match.group(1))
            kind = f["t"]
            place = (Path(f["f"]).stem, int(f["l"]), int(f["n"]), f["o"])
            count = int(match.group(2))
        except (AttributeError, KeyError, ValueError):
            raise CoverageError(f"{path}:{number}: not a coverage point: {line[:80]!r}") from None
        found[Point(kind, *place, f.get("S", ""))] += count
    if not found:
        raise CoverageError(f"{path}: no coverage point")
    return found


def merge(paths: Iterable[Path]) -> Counter[Point]:
    """Counts of several files added up; a point that no run hit stays, with 0."""
    total: Counter[Point] = Counter()
    for path in paths:
        for point, count in read(path).items():
            total[point] += count
    return total


def spans(text: str) -> list[int]:
    """Source lines of `101-103,105`."""
    out: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        out.extend(range(int(first), int(last or first) + 1))
    return out


def lines(points: Counter[Point]) -> Counter[Point]:
    """Points of kind `line`, one a source line: covered when anything on it ran."""
    out: Counter[Point] = Counter()
    for p, count in points.items():
        if p.kind in ("line", "branch"):
            for n in spans(p.lines):
                out[Point("line", p.module, n, 0, "")] += count
    return out


def branches(points: Counter[Point]) -> Counter[Point]:
    """Points of kind `branch`: every arm of an if, a case, a conditional."""
    out: Counter[Point] = Counter()
    for p, count in points.items():
        if p.kind == "branch" or (p.kind == "line" and p.name in _ARMS):
            out[Point("branch", p.module, p.line, p.column, p.name)] += count
    return out


def toggles(points: Counter[Point]) -> Counter[Point]:
    """Points of kind `toggle`: each bit of each signal, each direction."""
    return Counter({p: n for p, n in points.items() if p.kind == "toggle"})
