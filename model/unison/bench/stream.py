"""A long stream through the simulator: time an event and peak memory.

Runs in a process of its own (``python -m unison.bench.stream EVENTS``) so that the peak is its own.
"""

import json
import resource
import sys
import time
from collections.abc import Iterator

import numpy as np

from unison.policies import placing, policy
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.sim.stream import endless
from unison.traces.envelopes import envelope
from unison.traces.load import ServingLoad
from unison.traces.paths import open_trace

#: 64 sessions live at any time: as many agents as slots, and a session is gone at its end.
LIVE = 64
LOAD = ServingLoad(agents=LIVE, servers=LIVE // 8, linger_us=0)
FAMILY, ENVELOPE = "swe_qwen3", "gpu"


def scenario() -> Scenario:
    """The benchmark's point: swe_qwen3 on gpu with 64 live sessions, 2.1 times the pool."""
    return Scenario.of(open_trace(FAMILY), envelope(ENVELOPE), slots=LIVE, load=LOAD)


class Stopwatch:
    """Passes chunks on and keeps the time spent outside, in whoever takes them."""

    def __init__(self, chunks: Iterator[np.ndarray]) -> None:
        self.chunks, self.seconds = chunks, 0.0

    def __iter__(self) -> Iterator[np.ndarray]:
        for chunk in self.chunks:
            began = time.perf_counter()
            yield chunk
            self.seconds += time.perf_counter() - began


def stream_once(events: int) -> dict[str, float]:
    """Spear + Tide over `events` events of an endless run; ns an event, peak memory in MiB."""
    point = scenario()
    warm = endless(point.trace, LOAD, LIVE, 1000, 1)
    simulate(point, policy("spear"), placing("tide"), rows=warm)
    watch = Stopwatch(endless(point.trace, LOAD, LIVE, events, 1))
    began = time.perf_counter()
    totals = simulate(point, policy("spear"), placing("tide"), rows=watch).totals
    total = time.perf_counter() - began
    return {
        "events": totals.events,
        "ns_event": 1e9 * watch.seconds / totals.events,
        "ns_event_with_generation": 1e9 * total / totals.events,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "hit_rate": totals.hit_rate,
    }


if __name__ == "__main__":
    print(json.dumps(stream_once(int(sys.argv[1]))))
