"""The learned ranking against every online policy: points, recordings, a change of workload."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from unison.experiments.base import SEEDS, Cell, Experiment, Row
from unison.experiments.compared import bound_row, measured
from unison.experiments.learning_page import detail, page
from unison.experiments.lineup import LEARNED, Entry, lineup
from unison.experiments.recordings import RECORDINGS, SHARES, fixed_load, pool, working_set
from unison.experiments.switching import PAIRS as SWITCHES
from unison.experiments.switching import measure_switch
from unison.sim.scenario import Scenario
from unison.sim.stream import columns
from unison.traces.envelopes import ENVELOPES
from unison.traces.importer import import_table
from unison.traces.load import ServingLoad, derive_load
from unison.traces.measure_data import shared_dir
from unison.traces.model import Session, Trace
from unison.traces.paths import ALL_FAMILIES, open_trace

#: The load rule's P, by the name that cells carry.
PRESSURES = {"4/3": 4 / 3, "2": 2.0, "4": 4.0}
USUAL = "2"
RESIDENCIES = ("whole", "trim")
#: What the other strong rules make of the same placement, and forms of the learned one.
MORE = (
    Entry("lru-queue+tide-fit", "lru-queue", "tide-fit"),
    Entry("spear+tide-fit", "spear", "tide-fit"),
    Entry("pbkv+tide-fit", "pbkv", "tide-fit"),
)
FORMS = (
    Entry("learned", "learned"),
    Entry("learned+tide", "learned", "tide"),
    Entry("learned+tide-both", "learned", "tide-both"),
    Entry("no admission", "learned-noadmit", "tide-fit"),
    Entry("one class", "learned-oneclass", "tide-fit"),
    Entry("mean life", "learned:mean=1", "tide-fit"),
    Entry("own average", "learned-relative", "tide-fit"),
    Entry("section 8", "learned-relative:mean=1", "tide-fit"),
    Entry("by turn too", "learned:turn=1", "tide-fit"),
    Entry("memory 128", "learned:memory=128", "tide-fit"),
    Entry("memory 4096", "learned:memory=4096", "tide-fit"),
    Entry("period 64", "learned:period=64", "tide-fit"),
)
SAMPLE = "trail_swebench_lite"


def entries() -> list[Entry]:
    """Everybody: the usual line-up, the learned rules, and what tells their parts apart."""
    usual = [e for e in lineup() if e not in LEARNED]
    return [*usual, *MORE, *LEARNED, *FORMS]


def cells() -> list[Cell]:
    """Families by load, recordings whole and by half, changes of workload."""
    found = [
        {"part": "families", "family": f, "envelope": e, "pressure": p, "seed": s}
        for f in ALL_FAMILIES
        for e in ENVELOPES
        for p in _distinct(f, e)
        for s in SEEDS
    ]
    folder = shared_dir() / "traces"
    missing = [n for n in RECORDINGS if not (folder / f"{n}.csv.gz").exists()]
    if missing:
        print(f"learning: no {', '.join(missing)} in {folder}", file=sys.stderr)
        return []
    found += [
        {"part": part, "family": n, "envelope": f"{share} %", "pressure": "-", "seed": s}
        for part in ("recordings", "other half")
        for n in RECORDINGS
        for share in SHARES
        for s in SEEDS
    ]
    return found + [{"part": "switch", "pair": p, "seed": s} for p in SWITCHES for s in SEEDS]


def _distinct(family: str, envelope: str) -> list[str]:
    """The pressures whose loads differ there: the rule bounds the agents."""
    loads: dict[ServingLoad, str] = {}
    for name, p in PRESSURES.items():
        load = derive_load(_trace(family), ENVELOPES[envelope].pool_tokens, p)
        # Of equal loads the usual pressure, which has the bound.
        if load not in loads or name == USUAL:
            loads[load] = name
    return list(loads.values())


@lru_cache(maxsize=len(ALL_FAMILIES))
def _trace(family: str) -> Trace:
    return open_trace(family)


@lru_cache(maxsize=2 * len(RECORDINGS))
def _recording(name: str, part: str) -> tuple[Trace, ServingLoad, int]:
    """A recording, or those of its sessions that no rule was chosen on; load, working set."""
    trace, _ = import_table(shared_dir() / "traces" / f"{name}.csv.gz", family=name)
    if part == "other half":
        trace = every_second(trace, 1)
    load = fixed_load(trace)
    return trace, load, working_set(columns(trace, load))


def every_second(trace: Trace, rest: int) -> Trace:
    """The sessions with number % 2 == rest, renumbered."""
    kept = [s for s in trace.sessions if s.id % 2 == rest]
    sessions = tuple(
        Session(n, tuple(replace(t, session=n) for t in s.turns)) for n, s in enumerate(kept)
    )
    turns = sum(len(s.turns) for s in sessions)
    return Trace(replace(trace.header, sessions=len(sessions), turns=turns), sessions)


def scenario(cell: Cell) -> Scenario:
    """The point of a cell."""
    if cell["part"] == "families":
        p = PRESSURES[cell["pressure"]]
        return Scenario.of(_trace(cell["family"]), ENVELOPES[cell["envelope"]], p, cell["seed"])
    trace, load, whole = _recording(cell["family"], cell["part"])
    share = int(cell["envelope"].split()[0])
    return Scenario.of(trace, pool(whole * share // 100), seed=cell["seed"], load=load)


def measure(cell: Cell) -> list[Row]:
    """Rows of a cell: one an entry and residency, and the bound at the usual pressure."""
    if cell["part"] == "switch":
        return measure_switch(cell)
    point = scenario(cell)
    rows = [
        {**cell, "residency": r, **measured(point, e, r)} for r in RESIDENCIES for e in entries()
    ]
    if cell["pressure"] != "4/3" and cell["pressure"] != "4":
        rows.append({**cell, "residency": "whole", **bound_row(point)})
    return rows


def sample() -> Sequence[Cell]:
    """The smallest recording, whole."""
    return [c for c in cells() if c.get("family") == SAMPLE and c["part"] == "recordings"]


EXPERIMENT = Experiment(
    name="learning",
    title="the learned ranking: regret to the best online policy everywhere, a changed workload",
    cells=cells,
    measure=measure,
    page=page,
    sample=sample,
    detail=detail,
)
