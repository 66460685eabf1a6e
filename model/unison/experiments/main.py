"""The comparison of all policies on the six families: the paper's Table II in our form."""

from collections.abc import Sequence
from functools import lru_cache

from unison.experiments.base import SEEDS, Cell, Experiment, Row
from unison.experiments.compared import compare
from unison.experiments.lineup import lineup
from unison.experiments.main_page import detail, page
from unison.sim.scenario import Scenario
from unison.traces.envelopes import ENVELOPES
from unison.traces.model import Trace
from unison.traces.paths import FAMILIES, open_trace

#: The load rule's P, by the name that cells carry.
PRESSURES = {"4/3": 4 / 3, "2": 2.0, "4": 4.0}
#: The pressure of the tables, and the only one with a bound.
USUAL = "2"
#: Policies that run as Python are measured here only (at `USUAL`): a small and a server pool.
SLOW_ENVELOPES, SLOW_SEEDS = ("cloud", "gpu"), SEEDS[:3]
#: The family whose lines are measured again by the test of the page.
SAMPLE = "gaia_gemma4"


def cells() -> list[Cell]:
    """Fast policies everywhere, slow ones on their subset."""

    def cell(pressure: str, family: str, envelope: str, seed: int, slow: bool) -> Cell:
        return {
            "pressure": pressure,
            "family": family,
            "envelope": envelope,
            "seed": seed,
            "slow": slow,
        }

    fast = [
        cell(p, f, e, s, False)
        for p in PRESSURES
        for f in FAMILIES
        for e in ENVELOPES
        for s in SEEDS
    ]
    if not _entries(slow=True):
        return fast
    slow = [
        cell(USUAL, f, e, s, True) for f in FAMILIES for e in SLOW_ENVELOPES for s in SLOW_SEEDS
    ]
    return [*slow, *fast]


def _entries(slow: bool) -> list:
    fast = lineup()
    return [e for e in lineup(slow=True) if e not in fast] if slow else fast


@lru_cache(maxsize=len(FAMILIES))
def _trace(family: str) -> Trace:
    """A family's trace, read once a process."""
    return open_trace(family)


def measure(cell: Cell) -> list[Row]:
    """Rows of a cell: one a policy, and the bound at the usual pressure."""
    scenario = Scenario.of(
        _trace(cell["family"]),
        ENVELOPES[cell["envelope"]],
        PRESSURES[cell["pressure"]],
        cell["seed"],
    )
    bound = cell["pressure"] == USUAL and not cell["slow"]
    rows = compare(scenario, _entries(cell["slow"]), bound=bound)
    return [{**cell, "agents": scenario.load.agents, **row} for row in rows]


def sample() -> Sequence[Cell]:
    """The cells behind the lines of `SAMPLE`."""
    return [
        c for c in cells() if c["family"] == SAMPLE and c["pressure"] == USUAL and not c["slow"]
    ]


EXPERIMENT = Experiment(
    name="main",
    title="all policies on six families and nine envelopes: hit rate, AMAT, TTFT, the bound",
    cells=cells,
    measure=measure,
    page=page,
    sample=sample,
    detail=detail,
)
