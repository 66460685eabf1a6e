"""Mutants that no test can tell from the original, or that no one needs to, with the argument.

`exclusions.toml` names each by module, operator, original and mutated text, as `Mutant.key` does.
An entry must match a mutant of today's RTL, and must not be one that a test kills.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tb.mutation.sites import Mutant

FILE = Path(__file__).with_name("exclusions.toml")


@dataclass(frozen=True)
class Exclusion:
    """One entry. key: the mutant's; why: the argument."""

    key: str
    why: str


class ExclusionError(Exception):
    """An entry is malformed or no longer true."""


def load(path: Path = FILE) -> list[Exclusion]:
    """The entries of the file. ExclusionError on one without an argument, or named twice."""
    out, seen = [], set()
    for entry in tomllib.loads(path.read_text()).get("equivalent", []):
        key = " | ".join(
            str(entry.get(k, 0 if k == "occurrence" else ""))
            for k in ("module", "operator", "original", "mutated", "occurrence")
        )
        why = entry.get("why", "").strip()
        if len(why) < 20:
            raise ExclusionError(f"{key}: no argument")
        if key in seen:
            raise ExclusionError(f"{key}: named twice")
        seen.add(key)
        out.append(Exclusion(key, " ".join(why.split())))
    return out


def check(entries: list[Exclusion], mutants: list[Mutant], killed: set[str]) -> None:
    """ExclusionError for entries that match none of `mutants`, or one that a test has `killed`."""
    keys = {m.key for m in mutants}
    if stale := [e.key for e in entries if e.key not in keys]:
        raise ExclusionError("no such mutant any more: " + "; ".join(stale))
    if wrong := [e.key for e in entries if e.key in killed]:
        raise ExclusionError("not equivalent, a test kills it: " + "; ".join(wrong))
