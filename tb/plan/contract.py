"""The contract's text cut into statements: sentences, list items, formulas and table rows."""

import re
from dataclasses import dataclass
from pathlib import Path

from tb.simulators import ROOT

CONTRACT = ROOT / "docs" / "contract.md"
_HEADING = re.compile(r"^## (\d+)\. (.*)$", re.M)
#: End of a sentence: a full stop or a semicolon before a word, not after "e.g" and the like.
_END = re.compile(r"(?<=[.;])\s+(?=[A-Z`*(\"])")


@dataclass(frozen=True)
class Section:
    """One numbered section. statements: in their order, white space folded."""

    number: str
    title: str
    statements: tuple[str, ...]

    def find(self, quote: str) -> list[int]:
        """Statements that contain a quote, by index."""
        wanted = fold(quote)
        return [i for i, s in enumerate(self.statements) if wanted in s]


def fold(text: str) -> str:
    """White space folded, as quotes are compared."""
    return " ".join(text.split())


def _blocks(text: str) -> list[str]:
    """Table rows, list items, indented formulas, paragraphs."""
    out: list[str] = []
    fresh = True
    for line in text.splitlines():
        bare = line.strip()
        if not bare or re.fullmatch(r"\|[-|]+\|", bare):
            fresh = True
            continue
        item = re.match(r"[-|]|\d{1,2}\. ", bare) or line.startswith("    ")
        if fresh or item:
            out.append(bare)
        else:
            out[-1] += " " + bare
        fresh = line.startswith(("    ", "|"))
    return out


def _statements(text: str) -> tuple[str, ...]:
    rows = _blocks(text)
    # The head of a table says nothing.
    heads = {i for i, row in enumerate(rows) if row.startswith("|")
             and not (i and rows[i - 1].startswith("|"))}  # fmt: skip
    out = []
    for i, block in enumerate(rows):
        if i not in heads:
            whole = block.startswith("|")
            out += [block] if whole else _END.split(block)
    return tuple(fold(s) for s in out)


def sections(path: Path = CONTRACT) -> list[Section]:
    """All numbered sections; ValueError when there is none."""
    parts = _HEADING.split(path.read_text())[1:]
    if not parts:
        raise ValueError(f"{path}: no section `## 1. ...`")
    triples = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return [Section(n, re.sub(r"\s*\*\*\[.\]\*\*", "", t), _statements(x)) for n, t, x in triples]
