"""The functional coverage model: cover points and crosses over the sampler's tuples.

Declared with cocotb-coverage; the samples of all runs are put in once the runs are over. Bins that
cannot or need not be hit stay in and are excluded, with a reason, in `exclusions.toml`.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cocotb_coverage.coverage import CoverCross, CoverPoint, coverage_db, coverage_section

from tb.uvm.scoreboard import ports
from tb.uvm.scoreboard.decisions import APB, SIDEBAND
from tb.uvm.scoreboard.sampler import FIELDS
from unison.contract import Cause, EventCode, SlotState, Tier, mask
from unison.contract.registers import REGISTERS, Access
from unison.contract.widths import GAP_W, TURN_ENTRIES, WEIGHT_ENTRIES
from unison.core.state import TideEnd

ROOT = "unison"
_TIERS = [t.name for t in Tier]
_SEVERAL = ["0", "1", "2", "3+"]
_TIE = ["ALONE", "TIE"]

#: Bins by group and field.
POINTS: dict[str, dict[str, list]] = {
    "config": {
        "form": ["COMPACT", "PRODUCT", "QUOTIENT"],
        "slots": [16, 64, 256],
        "tok_w": [12, 20],
        "tide": ["ON", "OFF"],
        "stamps": ["EVENT", "CORE"],
    },
    "event": {
        "code": [*(c.name for c in EventCode), "UNKNOWN"],
        "state": [*(s.name for s in SlotState), "NO_SLOT"],
        "answer": ["COLD", "MISS", "HIT_SRAM", "HIT_HBM", "ACCEPTED", "ERROR"],
        "cause": [c.name for c in Cause],
        "flight": [0, 1],
        "move": [f"{a}>{b}" for a in _TIERS for b in _TIERS],
        "kinds": ["EVICT", "BYPASS", "PLACE", "PROMOTE", "DEMOTE"],
        "victims": _SEVERAL,
        "emptied": ["SRAM", "HBM", "HBM+SRAM"],
        "step": ["FIRST", "ZERO", "ONE", "ON", "WRAPS", "BACK"],
        "size": ["SAME", "GROWS", "SHRINKS"],
        "tokens": ["ZERO", "ONE", "SOME", "TOP", "OVER"],
        "turn": ["BELOW", "TOP"],
        "source": [APB, SIDEBAND],
    },
    "choice": {
        "state": ["GAP", "READY"],
        "tier": ["SRAM", "HBM"],
        "eligible": ["SRAM", "HBM", "HBM+SRAM"],
        "tie": _TIE,
        "candidates": _SEVERAL[1:],
    },
    "tide": {
        "end": [e.name for e in TideEnd],
        "own": ["P", "Q", "OTHER"],
        "spear": [0, 1],
        "tie_p": _TIE,
        "tie_q": _TIE,
    },
    "score": {
        "form": ["COMPACT", "PRODUCT", "QUOTIENT"],
        "state": ["GAP", "READY"],
        "bin": list(range(WEIGHT_ENTRIES)),
        "turn": list(range(TURN_ENTRIES)),
        "octave": list(range(GAP_W)),
        "saturated": [0, 1],
    },
    "gap": {
        "shift": list(range(8)),
        "first": ["FIRST", "LATER"],
        "octave": list(range(GAP_W + 2)),
        "moves": ["RISES", "FALLS", "STAYS"],
    },
    "levels": {
        "events": ["EMPTY", "SOME", "FULL"],
        "records": ["EMPTY", "SOME", "FULL"],
        "busy": [0, 1],
        "outstanding": [0, 1],
    },
    "refused": {
        "why": [
            "UNMAPPED", "UNALIGNED", "READ_ONLY", "WRITE_ONLY", "FULL", "STROBE", "NO_RECORD",
            "ABSENT_BITS", "LOCKED",
        ],
        "locked": [r.name for r in REGISTERS if r.access is Access.CFG],
    },
    "absent": {
        "register": [
            r.name for r in REGISTERS if r.ignores_beyond or (r.writable and r.bits != mask(32))
        ],
        "answer": ["REFUSED", "IGNORED"],
    },
    "port": {
        "apb": list(ports.APB),
        "room": list(ports.ROOM),
        "sideband": list(ports.SIDEBAND),
        "case": list(ports.CASES),
    },
}

CROSSES: dict[str, list[tuple[str, ...]]] = {
    "event": [
        ("code", "state", "answer"), ("code", "cause"), ("state", "cause"),
        ("code", "state", "flight"), ("code", "move"), ("code", "kinds"), ("code", "victims"),
        ("code", "emptied"), ("code", "step"), ("code", "size"), ("code", "tokens"),
        ("code", "flight", "move"), ("source", "code"), ("source", "cause"),
    ],
    "choice": [
        ("state", "tier", "eligible"), ("state", "tier", "tie"), ("tie", "candidates"),
    ],
    "tide": [
        ("end", "own"), ("end", "spear"), ("own", "tie_p"), ("own", "tie_q"), ("spear", "tie_p"),
    ],
    "score": [("form", "state"), ("form", "turn"), ("form", "octave"), ("form", "saturated")],
    "gap": [("shift", "first"), ("shift", "moves")],
    "levels": [
        ("events", "records"), ("events", "busy"), ("records", "busy"), ("busy", "outstanding"),
    ],
    "absent": [("register", "answer")],
    "port": [("apb", "room"), ("apb", "sideband"), ("room", "sideband")],
}  # fmt: skip
#: Fields that hold several bins at once, joined by +.
_JOINED = {("event", "kinds")}


@dataclass
class Item:
    """A cover point or cross: hits by bin; a cross' bins are joined by `/`."""

    name: str
    cross: bool
    bins: dict[str, int]


def bin_name(value: object) -> str:
    """A bin as reports and exclusions write it."""
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _declare(group: str):
    """The decorated sampling function of a group; declares its items in cocotb-coverage."""
    where = {field: i for i, field in enumerate(FIELDS[group])}
    items = []
    for field, bins in POINTS[group].items():
        joined = (group, field) in _JOINED
        items.append(
            CoverPoint(
                f"{ROOT}.{group}.{field}",
                xf=lambda sample, i=where[field]: sample[i],
                rel=(lambda value, b: b in value.split("+")) if joined else None,
                bins=bins,
                inj=not joined,
            )
        )
    for fields in CROSSES.get(group, []):
        name = f"{ROOT}.{group}.{'_x_'.join(fields)}"
        items.append(CoverCross(name, items=[f"{ROOT}.{group}.{f}" for f in fields]))

    @coverage_section(*items)
    def sample(values: tuple) -> None:
        """Nothing: the decorators look at the argument."""

    return sample, items


def evaluate(samples: Counter[tuple]) -> list[Item]:
    """Hits of every bin, from samples as `Sampler` counts them; ValueError on unknown groups."""
    coverage_db.clear()
    groups = {group: _declare(group) for group in POINTS}
    hits: Counter[tuple[str, str]] = Counter()
    for (group, *values), count in samples.items():
        if group not in groups or len(values) != len(FIELDS[group]):
            raise ValueError(f"sample of group {group!r} with {len(values)} fields: unknown")
        sample, items = groups[group]
        sample(tuple(values))
        for item in items:
            for b in item.new_hits:
                hits[item._name, bin_name(b)] += count
    out = []
    for _, items in groups.values():
        for item in items:
            names = [bin_name(b) for b in item.detailed_coverage]
            found = {name: hits[item._name, name] for name in names}
            short = item._name.removeprefix(ROOT + ".")
            out.append(Item(short, isinstance(item, CoverCross), found))
    return out


def read_samples(paths: Iterable[Path]) -> Counter[tuple]:
    """The samples of several runs, added up."""
    total: Counter[tuple] = Counter()
    for path in paths:
        for *key, count in json.loads(path.read_text()):
            total[tuple(key)] += count
    return total
