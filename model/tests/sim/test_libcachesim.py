"""Where semantics coincide, hits equal libCacheSim's: unit sizes, one tier, no waits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unison.policies import policy
from unison.sim.requests import one_tier, request_rows
from unison.sim.simulate import simulate
from unison.sim.stream import columns
from unison.traces.envelopes import envelope
from unison.traces.load import derive_load
from unison.traces.paths import FAMILIES, open_trace

lcs = pytest.importorskip("libcachesim", reason="libcachesim is not installed")

#: libCacheSim's binary format for traces with a known future.
ORACLE_GENERAL = np.dtype([("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])
PAIRS = {"lru": "LRU", "fifo": "FIFO", "belady": "Belady"}


def theirs(objects: np.ndarray, capacity: int, name: str, path) -> int:
    """Hits of libCacheSim."""
    rows = np.zeros(len(objects), ORACLE_GENERAL)
    rows["time"], rows["id"], rows["size"] = np.arange(len(objects)), objects, 1
    after: dict[int, int] = {}
    for i in range(len(objects) - 1, -1, -1):
        rows["next"][i] = after.get(int(objects[i]), -1)
        after[int(objects[i])] = i
    rows.tofile(path)
    reader = lcs.TraceReader(
        str(path),
        trace_type=lcs.TraceType.ORACLE_GENERAL_TRACE,
        reader_init_params=lcs.ReaderInitParam(ignore_obj_size=True),
    )
    miss, _bytes = getattr(lcs, PAIRS[name])(cache_size=capacity).process_trace(reader)
    return round((1 - miss) * len(objects))


def ours(objects: np.ndarray, capacity: int, name: str) -> int:
    """Hits of the simulator."""
    scenario = one_tier(capacity, int(objects.max()) + 1)
    totals = simulate(scenario, policy(name), rows=request_rows(objects)).totals
    assert totals.requests == len(objects)
    return totals.outcomes["HIT_SRAM"]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("family", FAMILIES)
def test_our_traces(name, family, tmp_path):
    """The sessions in the order of their requests, as objects of one token."""
    trace = open_trace(family)
    rows = columns(trace, derive_load(trace, envelope("gpu").pool_tokens))
    objects = rows["session"][rows["code"] == 1].astype(np.int64)
    for capacity in (4, 16, 40):
        got, want = ours(objects, capacity, name), theirs(objects, capacity, name, tmp_path / "t")
        assert got == want, f"{capacity} objects"
        assert 0 < got < len(objects)


@pytest.mark.parametrize("name", PAIRS)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=120), st.integers(1, 14))
@settings(max_examples=60, deadline=None)
def test_random_sequences(tmp_path_factory, name, objects, capacity):
    path = tmp_path_factory.getbasetemp() / "random.oracleGeneral"
    objects = np.array(objects)
    assert ours(objects, capacity, name) == theirs(objects, capacity, name, path)
