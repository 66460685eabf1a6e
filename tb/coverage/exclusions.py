"""What need not be covered, and why: `exclusions.toml`, checked.

An exclusion that matches nothing is an error, and so is one that calls something unreachable that
a run has reached.
"""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tb.coverage.model import Item
from tb.coverage.verilator import Point
from tb.simulators import ROOT

FILE = Path(__file__).with_name("exclusions.toml")
KINDS = ("line", "branch", "toggle", "functional")


class ExclusionError(Exception):
    """The file of exclusions is wrong; the message says where."""


@dataclass
class Exclusion:
    """One entry. `where`, `match`, `text` are regular expressions.

    kinds: which measures it concerns. where: module, or functional item. match: the point's name
    (signal and direction, arm of a branch) or the functional bin, as a whole. text: found in the
    source line of a line or branch. unreachable: a hit contradicts it.
    matched, hit: points that it took out, and how many of them were covered all the same.
    """

    kinds: tuple[str, ...]
    where: str
    reason: str
    match: str = ".*"
    text: str = ""
    unreachable: bool = False
    matched: int = 0
    hit: int = 0
    wrongly: list[str] = field(default_factory=list)

    def take(self, what: str, count: int) -> None:
        """Note a point that it excludes."""
        self.matched += 1
        self.hit += count > 0
        if self.unreachable and count:
            self.wrongly.append(what)

    def __str__(self) -> str:
        parts = [f"{'+'.join(self.kinds)} {self.where}"]
        parts += [self.match] if self.match != ".*" else []
        parts += [f"at {self.text!r}"] if self.text else []
        return " ".join(parts)


def load(path: Path = FILE) -> list[Exclusion]:
    """Read and check the file."""
    out = []
    for n, entry in enumerate(tomllib.loads(path.read_text()).get("exclude", []), 1):
        where = f"{path.name}, entry {n}"
        kinds = entry.pop("kind", None)
        kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds or ())
        if not kinds or set(kinds) - set(KINDS):
            raise ExclusionError(f"{where}: kind {kinds}, expected some of {', '.join(KINDS)}")
        try:
            made = Exclusion(kinds, **entry)
            for pattern in (made.where, made.match, made.text):
                re.compile(pattern)
        except (TypeError, re.error) as error:
            raise ExclusionError(f"{where}: {error}") from None
        if len(made.reason) < 10:
            raise ExclusionError(f"{where}: no reason given")
        out.append(made)
    return out


class Sources:
    """Text of RTL lines, by module (one a file) and number."""

    def __init__(self, root: Path = ROOT) -> None:
        paths = [*root.glob("rtl/*.sv"), *root.glob("tb/hdl/*.sv")]
        self._lines = {p.stem: p.read_text().splitlines() for p in paths}

    def text(self, module: str, line: int) -> str:
        """The line, stripped; empty when it is not there."""
        lines = self._lines.get(module, [])
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def split_points(
    points: Counter[Point], kind: str, exclusions: list[Exclusion], sources: Sources
) -> tuple[Counter[Point], int]:
    """Points that count, and how many were excluded."""
    mine = [e for e in exclusions if kind in e.kinds]
    by_module: dict[str, list[Exclusion]] = {}
    kept: Counter[Point] = Counter()
    excluded = 0
    for p, count in points.items():
        if p.module not in by_module:
            by_module[p.module] = [e for e in mine if re.fullmatch(e.where, p.module)]
        hit = False
        for e in by_module[p.module]:
            if not re.fullmatch(e.match, p.name):
                continue
            if e.text and not re.search(e.text, sources.text(p.module, p.line)):
                continue
            e.take(f"{p.module}:{p.line} {p.name}", count)
            hit = True
        if hit:
            excluded += 1
        else:
            kept[p] = count
    return kept, excluded


def split_items(items: list[Item], exclusions: list[Exclusion]) -> tuple[list[Item], int]:
    """Functional items with the bins that count, and how many bins were excluded."""
    kept, excluded = [], 0
    mine = [e for e in exclusions if "functional" in e.kinds]
    for item in items:
        here = [e for e in mine if re.fullmatch(e.where, item.name)]
        bins = {}
        for name, count in item.bins.items():
            takers = [e for e in here if re.fullmatch(e.match, name)]
            for e in takers:
                e.take(f"{item.name} {name}", count)
            if takers:
                excluded += 1
            else:
                bins[name] = count
        kept.append(Item(item.name, item.cross, bins))
    return kept, excluded


def problems(exclusions: list[Exclusion]) -> list[str]:
    """What is wrong with the exclusions, after all were applied."""
    out = [f"exclusion matches nothing: {e}" for e in exclusions if not e.matched]
    for e in exclusions:
        if e.wrongly:
            out.append(f"excluded as unreachable, but hit: {e}: {', '.join(e.wrongly[:5])}")
    return out
