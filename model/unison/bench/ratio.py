"""LRU against libCacheSim's own, and the golden model against the simulator."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from unison.bench.stream import scenario
from unison.contract import EventCode
from unison.core import EventCore
from unison.core.plan import core_event, plan
from unison.core.replay import Costs, replay
from unison.policies import POLICIES, placing, policy
from unison.sim.requests import one_tier, request_rows
from unison.sim.simulate import simulate
from unison.traces.serving import events

REQUESTS, CAPACITY, REPEATS = 2_000_000, 24, 5
#: Small enough to stay in the processor's caches, as a stream does.
CHUNK = 1 << 16
_ORACLE_GENERAL = np.dtype([("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def best_of(works: list[Callable[[], object]], repeats: int = REPEATS) -> list[float]:
    """Shortest time of each, seconds, the repeats interleaved: a busy machine hits all alike."""
    times = [[_seconds(work) for work in works] for _ in range(repeats)]
    return [min(column) for column in zip(*times, strict=True)]


def requests() -> np.ndarray:
    """The sessions of swe_qwen3 in the order of their requests, again and again."""
    rows = scenario().rows
    once = rows["session"][rows["code"] == EventCode.REQ].astype(np.int64)
    return np.resize(once, REQUESTS)


def lru_ratio() -> dict[str, float]:
    """Time of our LRU over that of libCacheSim's on the same requests; both hit alike."""
    import libcachesim as lcs

    objects = requests()
    point, rows = one_tier(CAPACITY, int(objects.max()) + 1), request_rows(objects)
    chunks = [rows[i : i + CHUNK] for i in range(0, len(rows), CHUNK)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "requests.oracleGeneral"
        table = np.zeros(len(objects), _ORACLE_GENERAL)
        table["time"], table["id"], table["size"] = np.arange(len(objects)), objects, 1
        table["next"] = -1
        table.tofile(path)
        misses = []

        def theirs() -> None:
            reader = lcs.TraceReader(
                str(path),
                trace_type=lcs.TraceType.ORACLE_GENERAL_TRACE,
                reader_init_params=lcs.ReaderInitParam(ignore_obj_size=True),
            )
            misses.append(lcs.LRU(cache_size=CAPACITY).process_trace(reader)[0])

        hits = simulate(point, policy("lru"), rows=chunks).totals.hit_rate
        mine, other = best_of([lambda: simulate(point, policy("lru"), rows=chunks), theirs])
    if abs(hits - (1 - misses[0])) > 1e-9:
        raise RuntimeError(f"LRU hit rates differ: ours {hits}, libCacheSim's {1 - misses[0]}")
    return {
        "requests": len(objects),
        "ours_ns_request": 1e9 * mine / len(objects),
        "libcachesim_ns_request": 1e9 * other / len(objects),
        "ratio": mine / other,
        "hit_rate": hits,
    }


def golden_ratio() -> dict[str, float]:
    """Time of the golden model over the simulator's, both with the hardware's Spear + Tide."""
    point = scenario()
    setup = plan(point.trace, point.envelope)
    stream = [core_event(e) for e in events(point.trace, point.load, point.slots)]
    where = point.envelope
    costs = Costs({1: where.sram.read_ns, 2: where.hbm.read_ns}, where.prefill_rate)

    def golden() -> None:
        replay(EventCore(setup.config, setup.fixed()), stream, setup.dma_bw, costs)

    def fast() -> None:
        simulate(point, policy("spear-hw"), placing("tide"))

    fast()
    quick, slow = best_of([fast, golden], 2)
    return {"golden_events_s": len(stream) / slow, "ratio": slow / quick}


def policy_speeds() -> list[dict[str, float | str]]:
    """Events a second of every policy on the benchmark's point, without migration."""
    point = scenario()
    n, out = len(point.rows), []
    for name, cls in POLICIES.items():
        one = policy(name)
        if cls.interpreted:
            seconds = _seconds(lambda one=one: simulate(point, one))
        else:
            simulate(point, one)
            seconds = best_of([lambda name=name: simulate(point, policy(name))], 3)[0]
        row = {"policy": name, "events_s": n / seconds, "decision_us": None}
        if times := getattr(one, "decision_times_ns", None):
            row["decision_us"] = float(np.mean(times)) / 1000
        out.append(row)
    return out
