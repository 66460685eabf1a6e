"""Totals against targets, by module and by group."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from tb.coverage import verilator
from tb.coverage.exclusions import (
    Exclusion,
    Sources,
    problems,
    split_items,
    split_points,
)
from tb.coverage.model import Item
from tb.coverage.verilator import Point

#: Per cent of what is not excluded.
TARGETS = {"functional": 100.0, "line": 100.0, "branch": 98.0, "toggle": 95.0}
_CODE = {
    "line": verilator.lines,
    "branch": verilator.branches,
    "toggle": verilator.toggles,
}


@dataclass
class Tally:
    """Points or bins: covered ones, all that count, and those excluded."""

    covered: int = 0
    total: int = 0
    excluded: int = 0

    @property
    def percent(self) -> float:
        """Share covered; 100 of nothing."""
        return 100.0 * self.covered / self.total if self.total else 100.0


@dataclass
class Verdict:
    """What was measured. missed: uncovered points by kind; items: functional ones, judged.

    problems: why it fails, below-target measures among them.
    """

    totals: dict[str, Tally] = field(default_factory=dict)
    modules: dict[str, dict[str, Tally]] = field(default_factory=dict)
    missed: dict[str, list[Point]] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Every target is met and every exclusion holds."""
        return not self.problems


def judge(
    points: Counter[Point],
    items: list[Item],
    exclusions: list[Exclusion],
    sources: Sources,
) -> Verdict:
    """Apply exclusions and compare with the targets."""
    v = Verdict(exclusions=exclusions)
    v.items, excluded = split_items(items, exclusions)
    hits = [n > 0 for item in v.items for n in item.bins.values()]
    v.totals["functional"] = Tally(sum(hits), len(hits), excluded)
    for kind, select in _CODE.items():
        every = select(points)
        kept, excluded = split_points(every, kind, exclusions, sources)
        v.totals[kind] = Tally(sum(n > 0 for n in kept.values()), len(kept), excluded)
        v.missed[kind] = sorted(
            (p for p, n in kept.items() if not n),
            key=lambda p: (p.module, p.line, p.column, p.name),
        )
        for p in every:
            tally = v.modules.setdefault(p.module, {}).setdefault(kind, Tally())
            if p not in kept:
                tally.excluded += 1
                continue
            tally.total += 1
            tally.covered += kept[p] > 0
    v.problems = problems(exclusions)
    for kind, target in TARGETS.items():
        t = v.totals[kind]
        if not t.total:
            v.problems.append(f"{kind}: nothing was measured")
        elif t.percent < target:
            v.problems.append(f"{kind}: {t.percent:.2f} % is below the target of {target:g} %")
    return v


def summary(v: Verdict) -> dict[str, Any]:
    """What `summary.json` holds."""

    def plain(t: Tally) -> dict[str, Any]:
        return asdict(t) | {"percent": round(t.percent, 3)}

    return {
        "passed": v.passed,
        "problems": v.problems,
        "targets": TARGETS,
        "totals": {kind: plain(t) for kind, t in v.totals.items()},
        "modules": {
            m: {kind: plain(t) for kind, t in kinds.items()}
            for m, kinds in sorted(v.modules.items())
        },
        "functional": {i.name: i.bins for i in v.items},
        "missed": {
            kind: [[p.module, p.line, p.name] for p in points] for kind, points in v.missed.items()
        },
        "exclusions": [asdict(e) for e in v.exclusions],
        "runs": v.runs,
    }
