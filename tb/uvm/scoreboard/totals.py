"""The core's counters against the golden core's totals."""

from unison.contract import Cause, Outcome, RecordKind, Tier
from unison.core import EventCore


def expected(golden: EventCore, refused: int, passes: int) -> dict[str, int]:
    """What each counter register must hold.

    refused: event writes that the bus saw refused; passes: that the probe saw finish.
    """
    c = golden.counters
    want = {
        "CNT_EVENTS": c.events,
        "CNT_COLD": c.outcomes[Outcome.COLD],
        "CNT_MISS": c.outcomes[Outcome.MISS],
        "CNT_HIT_SRAM": c.outcomes[Outcome.HIT_SRAM],
        "CNT_HIT_HBM": c.outcomes[Outcome.HIT_HBM],
        "CNT_EVICT": c.records[RecordKind.EVICT],
        "CNT_BYPASS": c.records[RecordKind.BYPASS],
        "CNT_PROMOTE": c.records[RecordKind.PROMOTE],
        "CNT_DEMOTE": c.records[RecordKind.DEMOTE],
        "CNT_REFUSED": refused,
        "CNT_PASSES": passes,
        "USED_SRAM": golden.used[Tier.SRAM],
        "USED_HBM": golden.used[Tier.HBM],
        "STATUS": golden.outstanding << 17,
    }
    return want | {f"CNT_ERROR[{i}]": c.errors[cause] for i, cause in enumerate(Cause)}


def latency_expected(latencies: list[int]) -> dict[str, int]:
    """What the latency registers must hold after these, one an event with a decision."""
    return {
        "LAT_EVENTS": len(latencies),
        "LAT_SUM": sum(latencies),
        "LAT_MAX": max(latencies, default=0),
    }


def differences(got: dict[str, int], want: dict[str, int]) -> list[str]:
    """One line for each register that differs."""
    return [
        f"{name}: got {got[name]}, expected {value}"
        for name, value in want.items()
        if got[name] != value
    ]
