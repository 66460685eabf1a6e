"""What an experiment is: cells that can be measured apart, and a page made of their rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Identifies one piece of work; JSON values only. Equal cells give equal rows, on any machine.
Cell = dict[str, Any]
#: One measured line; JSON values only.
Row = dict[str, Any]

#: Orders of the sessions that every mean is taken over; 0 is the file's own.
SEEDS = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class Page:
    """What an experiment leaves under `docs/results`: Markdown text, and figures as SVG text."""

    text: str
    figures: dict[str, str]


@dataclass(frozen=True)
class Experiment:
    """A named, seeded, resumable measurement.

    name: on the command line and of the page. title: one line for the list.
    cells(): all of them, in the order of the results; ValueError or an empty list with a reason
    printed when what it needs is absent.
    measure(cell): rows of a cell; a module-level function (it is sent to other processes),
    deterministic, without times of day or durations in its rows.
    page(rows): the page made of the rows of all cells.
    sample: cells, a few, that are measured again by the test of the committed page; detail(rows)
    gives those lines of the page that rest on these cells alone.
    """

    name: str
    title: str
    cells: Callable[[], list[Cell]]
    measure: Callable[[Cell], list[Row]]
    page: Callable[[Sequence[Row]], Page]
    sample: Callable[[], list[Cell]]
    detail: Callable[[Sequence[Row]], list[str]]


def write_page(page: Page, name: str, out: Path) -> list[Path]:
    """Write `NAME.md` and `figures/*.svg` below `out`; returns the files."""
    out.mkdir(parents=True, exist_ok=True)
    files = [out / f"{name}.md"]
    files[0].write_text(page.text)
    for figure, svg in sorted(page.figures.items()):
        (out / "figures").mkdir(exist_ok=True)
        files.append(out / "figures" / f"{figure}.svg")
        files[-1].write_text(svg)
    return files


def group(rows: Iterable[Row], *keys: str) -> dict[tuple, list[Row]]:
    """Rows by the values of `keys`, in order of first appearance."""
    found: dict[tuple, list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[k] for k in keys), []).append(row)
    return found
