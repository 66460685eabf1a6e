"""The Chrome trace against the rules of its format."""

import json

import pytest

from tests.report.runs import kept
from unison.report.perfetto import AWAY, FAST, SLOW, chrome_trace

REQUIRED = {"name": str, "ph": str, "ts": (int, float), "pid": int, "tid": int}


@pytest.fixture(scope="module", params=[("spear", "tide"), ("lru", "none")], ids="+".join)
def trace(request):
    run = kept(*request.param)[1]
    return run, json.loads(json.dumps(chrome_trace(run, {"run": "a test"}), allow_nan=False))


def test_events_have_the_fields_of_their_phase(trace):
    _, out = trace
    assert set(out) == {"traceEvents", "displayTimeUnit", "otherData"}
    assert out["displayTimeUnit"] in ("ms", "ns")
    for e in out["traceEvents"]:
        for field, kind in REQUIRED.items():
            assert isinstance(e[field], kind), (field, e)
            assert not isinstance(e[field], bool)
        assert e["ts"] >= 0
        assert e["ph"] in "XiCM"
        if e["ph"] == "X":
            assert e["dur"] >= 0
        elif e["ph"] == "i":
            assert e["s"] in ("g", "p", "t")
        elif e["ph"] == "C":
            assert all(isinstance(v, int) and v >= 0 for v in e["args"].values())
        else:
            assert e["name"] in (
                "process_name",
                "process_sort_index",
                "thread_name",
                "thread_sort_index",
            )


def test_sorted_named_and_nested(trace):
    _, out = trace
    times = [e["ts"] for e in out["traceEvents"] if e["ph"] != "M"]
    assert times == sorted(times)
    meta = [e for e in out["traceEvents"] if e["ph"] == "M"]
    assert out["traceEvents"][: len(meta)] == meta
    named = {e["pid"] for e in meta if e["name"] == "process_name"}
    assert named == {FAST, SLOW, AWAY}
    threads = {(e["pid"], e["tid"]) for e in meta if e["name"] == "thread_name"}
    ends = {}
    for e in out["traceEvents"]:
        if e["ph"] in "Xi":
            assert (e["pid"], e["tid"]) in threads
            assert e["tid"] > 0
        if e["ph"] == "X":
            # Slices of a thread follow one another.
            assert ends.get((e["pid"], e["tid"]), 0) <= e["ts"]
            ends[e["pid"], e["tid"]] = e["ts"] + e["dur"]


def test_nothing_is_lost(trace):
    run, out = trace
    events = out["traceEvents"]
    slices = [e for e in events if e.get("cat") == "resident"]
    assert len(slices) == len(run.stays)
    assert sum(e["dur"] for e in slices) == sum(s.end_us - s.start_us for s in run.stays)
    assert sum(e["ph"] == "i" for e in events) == len(run.marks)
    counters = [e for e in events if e["ph"] == "C" and e["pid"] == FAST]
    assert [(e["ts"], e["args"]["tokens"]) for e in counters] == [(u[0], u[1]) for u in run.used]
    assert max(e["args"]["tokens"] for e in counters) <= run.capacity[0]
