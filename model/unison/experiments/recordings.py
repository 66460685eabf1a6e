"""The same comparison on public recordings, on pools of a part of each one's working set."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from unison.contract import EventCode
from unison.experiments.base import SEEDS, Cell, Experiment, Row
from unison.experiments.compared import compare
from unison.experiments.lineup import lineup
from unison.experiments.recordings_page import detail, page
from unison.sim.scenario import Scenario
from unison.sim.stream import columns
from unison.traces.envelopes import ENVELOPES, Envelope
from unison.traces.importer import import_table
from unison.traces.load import MAX_AGENTS, MIN_AGENTS, ServingLoad, derive_load, mean_prefix
from unison.traces.measure_data import RECORDINGS, shared_dir
from unison.traces.model import Trace

#: Pools in percent of the working set, split SRAM : HBM = 1 : 4 like most envelopes.
SHARES = (25, 50, 75)
_FAST_PART = 5
#: Costs are those of this envelope.
COSTS = "gpu"
#: One agent for so many sessions, within the load rule's bounds.
SESSIONS_PER_AGENT = 4


def cells() -> list[Cell]:
    """Recordings by pool by order; none, with a reason, where the recordings are not."""
    folder = shared_dir() / "traces"
    missing = [n for n in RECORDINGS if not (folder / f"{n}.csv.gz").exists()]
    if missing:
        print(f"recordings: no {', '.join(missing)} in {folder}", file=sys.stderr)
        return []
    return [
        {"family": name, "envelope": f"{share} %", "share": share, "seed": seed}
        for name in RECORDINGS
        for share in SHARES
        for seed in SEEDS
    ]


@lru_cache(maxsize=len(RECORDINGS))
def _recording(name: str) -> tuple[Trace, ServingLoad, int]:
    """A recording, stalls cut off by the import, its load and its working set."""
    trace, _ = import_table(shared_dir() / "traces" / f"{name}.csv.gz", family=name)
    load = fixed_load(trace)
    return trace, load, working_set(columns(trace, load))


def fixed_load(trace: Trace) -> ServingLoad:
    """The load rule's servers and linger for a number of agents that depends on no pool."""
    agents = round(len(trace.sessions) / SESSIONS_PER_AGENT)
    agents = min(max(agents, MIN_AGENTS), MAX_AGENTS)
    return derive_load(trace, mean_prefix(trace) * agents, 1.0)


def working_set(rows: np.ndarray) -> int:
    """Most tokens that the sessions' prefixes sum to at any time, from first REQ to DONE."""
    size: dict[int, int] = {}
    total = most = 0
    for code, slot, tokens in zip(
        *(rows[n].tolist() for n in ("code", "slot", "tokens")), strict=True
    ):
        if code in (EventCode.REQ, EventCode.GAP_OPEN):
            total += tokens - size.get(slot, 0)
            size[slot] = tokens
        elif code == EventCode.DONE:
            total -= size.pop(slot, 0)
        most = max(most, total)
    return most


def pool(tokens: int) -> Envelope:
    """`COSTS` with `tokens` in all."""
    e = ENVELOPES[COSTS]
    sram = tokens // _FAST_PART
    return replace(e, sram=replace(e.sram, tokens=sram), hbm=replace(e.hbm, tokens=tokens - sram))


def measure(cell: Cell) -> list[Row]:
    """Rows of a cell: one a policy, and the bound."""
    trace, load, whole = _recording(cell["family"])
    envelope = pool(whole * cell["share"] // 100)
    scenario = Scenario.of(trace, envelope, seed=cell["seed"], load=load)
    about = {
        "sessions": len(trace.sessions),
        "agents": load.agents,
        "servers": load.servers,
        "linger_us": load.linger_us,
        "working_set": whole,
        "pool": envelope.pool_tokens,
    }
    return [{**cell, **about, **row} for row in compare(scenario, lineup())]


def sample() -> Sequence[Cell]:
    """The smallest recording at all pools."""
    return [c for c in cells() if c["family"] == "trail_swebench_lite"]


EXPERIMENT = Experiment(
    name="comparison-recordings",
    title="all policies on the public recordings, pools of 25, 50 and 75 % of the working set",
    cells=cells,
    measure=measure,
    page=page,
    sample=sample,
    detail=detail,
)
