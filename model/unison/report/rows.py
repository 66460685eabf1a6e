"""Pages of experiments that were measured but whose page is not written yet."""

import json
import tempfile
from collections.abc import Collection
from pathlib import Path

from unison.experiments.base import write_page
from unison.experiments.registry import experiment, names
from unison.report.pages import Rendered, render


def unwritten(work: Path, have: Collection[str]) -> tuple[list[Rendered], list[str]]:
    """(pages made from rows in ``work/NAME/NAME.jsonl``, names with neither page nor rows).

    have: names of the pages that are there. Rows that are broken, or not those of today's
    experiment, count as none: a page must not fail for a leftover file.
    """
    made, missing = [], []
    for name in names():
        if name in have:
            continue
        page = _page(name, work / name / f"{name}.jsonl")
        if page is None:
            missing.append(name)
        else:
            made.append(page)
    return made, missing


def _page(name: str, path: Path) -> Rendered | None:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not rows:
            return None
        page = experiment(name).page(rows)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError):
        return None
    with tempfile.TemporaryDirectory() as folder:
        return render(write_page(page, name, Path(folder))[0])
