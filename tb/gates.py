"""What a replay must reach; the one place where these numbers stand."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Gates:
    """Least top-1 (inclusive) and Kendall tau (exclusive), largest drift in pp (inclusive)."""

    top1: float
    kendall_tau: float
    drift_pp: float = 0.02


#: The quotient form must reach what the paper reports for it, the product form more. The ratio has
#: the quotient's eight-bit hazard.
BY_SCORER = {
    "quotient": Gates(top1=0.9945, kendall_tau=0.998),
    "reciprocal": Gates(top1=0.9945, kendall_tau=0.998),
    "ratio": Gates(top1=0.9945, kendall_tau=0.998),
    "compact": Gates(top1=0.99, kendall_tau=0.999, drift_pp=0.1),
    "product": Gates(top1=0.999, kendall_tau=0.9999),
}


def missed(result: dict[str, Any]) -> list[str]:
    """One line for each requirement that a replay's result misses."""
    gates = BY_SCORER[result["scorer"]]
    lines = []
    if result["events"] < result["planned"]:
        lines.append(f"events: got {result['events']}, expected {result['planned']} and more")
    for name in ("events", "records"):
        if not result[name]:
            lines.append(f"{name}: got 0, expected some")
    if result["mismatches"]:
        lines.append(f"mismatches: got {result['mismatches']}, expected 0")
    if result["snapshots_unseen"]:
        unseen = result["snapshots_unseen"]
        lines.append(f"evictions without a ranking pass: got {unseen}, expected 0")
    # A pool that never evicts has no ranking to judge.
    if result["snapshots"]:
        if not result["top1"] >= gates.top1:
            lines.append(f"top1: got {result['top1']:.6f}, expected at least {gates.top1}")
        tau = result["kendall_tau"]
        if tau is not None and not tau > gates.kendall_tau:
            lines.append(f"kendall_tau: got {tau:.6f}, expected above {gates.kendall_tau}")
    drift = result["drift_pp"]
    if drift is None or not drift <= gates.drift_pp:
        lines.append(f"drift_pp: got {drift}, expected at most {gates.drift_pp}")
    return lines


def unranked(results: list[dict[str, Any]]) -> list[str]:
    """Traces that no replay of a whole regression ranked at all: nothing judged their scores."""
    ranked: dict[str, int] = {}
    for r in results:
        if "snapshots" in r:
            ranked[r["trace"]] = ranked.get(r["trace"], 0) + r["snapshots"]
    return [f"{trace}: no eviction had a choice" for trace, n in ranked.items() if not n]
