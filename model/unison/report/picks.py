"""Figures picked from the result pages: Markdown tables back to values."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SPLIT = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Table:
    """A table of a page. heading: the one above it."""

    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> int:
        """Index of a column; ValueError when there is none."""
        return self.header.index(name)


def tables(text: str) -> Iterator[Table]:
    """All pipe tables of a Markdown text, in order; lines that do not fit their header end one."""
    heading, lines = "", text.splitlines()
    n = 0
    while n < len(lines):
        line = lines[n].strip()
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
        rule = lines[n + 1].strip() if n + 1 < len(lines) else ""
        if line.startswith("|") and re.fullmatch(r"\|[\s:|-]+\|", rule):
            header, rows = _cells(line), []
            n += 2
            while n < len(lines) and lines[n].strip().startswith("|"):
                row = _cells(lines[n])
                if len(row) == len(header):
                    rows.append(row)
                n += 1
            yield Table(heading, header, tuple(rows))
        else:
            n += 1


def _cells(line: str) -> tuple[str, ...]:
    return tuple(c.strip().strip("*`") for c in _SPLIT.split(line.strip().strip("|")))


def number(text: str) -> float | None:
    """The first number of a cell, without its interval; None for a dash."""
    found = re.match(r"[-+]?\d[\d,]*\.?\d*", text.strip())
    return float(found[0].replace(",", "")) if found else None


@dataclass(frozen=True)
class Trace:
    """Ours against LRU on one trace. Hit rates in %, ratios of 1; None: not on the page.

    queue: LRU that knows which tools have returned.
    """

    name: str
    lru: float
    queue: float | None
    ours: float
    oracle: float | None
    amat: float | None
    ttft: float | None
    prefill: float | None
    br: float | None


def headline(texts: Sequence[str]) -> tuple[str, list[Trace]]:
    """(heading, traces) of the first table by trace and policy; ('', []) when no page has one."""
    for text in texts:
        for t in tables(text):
            if t.header[:2] == ("trace", "policy") and "hit rate %" in t.header:
                found = _traces(t)
                if found:
                    return t.heading, found
    return "", []


def _traces(t: Table) -> list[Trace]:
    by: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in t.rows:
        by.setdefault(row[0], {})[row[1]] = row

    def get(row: tuple[str, ...] | None, name: str) -> float | None:
        return number(row[t.column(name)]) if row and name in t.header else None

    out = []
    for name, rows in by.items():
        ours, lru = rows.get("unison"), rows.get("lru")
        a, b = get(ours, "hit rate %"), get(lru, "hit rate %")
        if a is None or b is None:
            continue
        out.append(
            Trace(
                name,
                b,
                get(rows.get("lru-queue"), "hit rate %"),
                a,
                get(rows.get("belady"), "hit rate %"),
                get(ours, "AMAT/LRU"),
                get(ours, "TTFT/LRU"),
                get(ours, "prefill saved %"),
                get(ours, "BR"),
            )
        )
    return out


def details(texts: Sequence[str]) -> Table | None:
    """The table of every point (trace, pool, hit rates by policy): the longest such of a page."""
    wanted = {"trace", "pool", "lru", "unison"}
    for text in texts:
        found = [t for t in tables(text) if t.header[0] == "trace" and wanted <= set(t.header)]
        if found:
            return max(found, key=lambda t: len(t.rows))
    return None


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean."""
    return math.fsum(values) / len(values)


def geometric(values: Sequence[float]) -> float:
    """Geometric mean of positive values."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))
