"""What a run leaves behind: its figures, and signs of life while it goes."""

import json
import os
import time
from pathlib import Path
from typing import Any

from tb.settings import Settings
from tb.uvm.agents.apb_bus import cycle_now
from tb.uvm.env import Env
from unison.contract import DECISIONS, Outcome


def write_atomically(path: Path, text: str) -> None:
    """Write so that a reader sees the old or the new text, never a part."""
    part = path.with_suffix(".part")
    part.write_text(text)
    os.replace(part, path)


class Progress:
    """Writes `progress.json` at most every `period` seconds."""

    def __init__(self, settings: Settings, total: int, period: float = 0.5) -> None:
        self._path = settings.file("progress.json")
        self._total, self._period = total, period
        self._done = 0
        self._next = 0.0

    def step(self, _event: Any) -> None:
        """One more event has entered the core."""
        self._done += 1
        if self._done % 32 == 0 and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._period
            write_atomically(self._path, json.dumps({"events": self._done, "total": self._total}))


def percentile(values: list[int], share: float) -> int | None:
    """Smallest value that at least `share` of the values do not exceed; None of none."""
    if not values:
        return None
    ordered = sorted(values)
    rank = -(-len(ordered) * share // 1)
    return ordered[max(0, int(rank) - 1)]


def figures(settings: Settings, env: Env, seconds: float) -> dict[str, Any]:
    """The run's figures, as far as the environment knows them."""
    board = env.scoreboard
    out: dict[str, Any] = {
        "run_id": settings.run_id,
        "test": settings.test,
        "trace": settings.trace,
        "envelope": settings.envelope,
        "slots": settings.slots,
        "lanes": settings.lanes,
        "scorer": settings.scorer,
        "arch": settings.arch,
        "seed": settings.seed,
        "limit": settings.limit,
        "events": board.events,
        "records": board.records,
        "mismatches": int(board.failure is not None),
        "sim_cycles": cycle_now(),
        "seconds": round(seconds, 3),
        "coverage": board.coverage.as_dict(),
        "coverage_missed": [" x ".join(b) for b in board.coverage.missed()],
    }
    if not hasattr(board, "golden"):
        return out
    counters, fidelity = board.golden.counters, board.snapshots.fidelity
    requests = sum(counters.outcomes.values())
    hits = counters.outcomes[Outcome.HIT_SRAM] + counters.outcomes[Outcome.HIT_HBM]
    lat = env.latencies
    return out | {
        "decisions": sum(counters.records[k] for k in DECISIONS),
        "key_checks": board.snapshots.key_checks,
        "snapshots": fidelity.snapshots,
        "snapshots_unseen": board.snapshots.unseen,
        "top1": fidelity.top1,
        "kendall_tau": fidelity.kendall_tau,
        "hit_rate": hits / requests if requests else None,
        "latency_cycles": {
            "mean": sum(lat) / len(lat) if lat else None,
            "p99": percentile(lat, 0.99),
            "max": max(lat, default=None),
            "events": len(lat),
        },
    }


def save(settings: Settings, result: dict[str, Any]) -> None:
    """Write `result.json`; only a run that reached its end does."""
    write_atomically(settings.file("result.json"), json.dumps(result, indent=1) + "\n")
