"""One scenario under every entry of a line-up, and the bound beside them: rows to aggregate."""

from collections.abc import Callable, Iterable

from unison.experiments.base import Row
from unison.experiments.lineup import Entry
from unison.sim.bound import hit_bound
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate

#: Name of the row that holds the upper bound instead of a policy.
BOUND = "bound"
#: What a row takes over from the totals of a run.
METRICS = (
    "hit_rate",
    "hit_rate_sram",
    "partial",
    "token_hit_rate",
    "amat_us",
    "ttft_p50_us",
    "extra_prefill_tokens",
    "prefetch_accuracy",
)


def measured(scenario: Scenario, entry: Entry, residency: str = "whole") -> Row:
    """The row of one entry. decisions: of all kinds together. online: reads no future."""
    policy, placement = entry.make()
    totals = simulate(scenario, policy, placement, residency).totals
    return {
        "policy": entry.name,
        "online": not (policy.oracle or placement.oracle),
        "decisions": sum(totals.decisions.values()),
        **{m: getattr(totals, m) for m in METRICS},
    }


def bound_row(scenario: Scenario) -> Row:
    """The row of the bound: a hit rate that no policy exceeds under whole residency."""
    e = scenario.envelope
    bound = hit_bound(scenario.rows, e.sram.tokens, e.hbm.tokens)
    return {"policy": BOUND, "online": False, "hit_rate": bound.rate, "method": bound.method}


def compare(
    scenario: Scenario,
    entries: Iterable[Entry],
    residency: str = "whole",
    bound: bool = True,
    step: Callable[[], object] = lambda: None,
) -> list[Row]:
    """Rows of all entries in their order, then the bound's; `step` is called after each."""
    rows = []
    for entry in entries:
        rows.append(measured(scenario, entry, residency))
        step()
    if bound:
        rows.append(bound_row(scenario))
        step()
    return rows
