"""Turn tables of recordings: conversion, repairs, faults."""

import gzip

import pytest

from tests.traces.test_serving import check_rules
from unison.traces import TraceError, check_trace, derive_load, envelope, import_table, write_trace

TABLE = """session,turn,arrival_s,service_s,gap_s,prompt_tokens,output_tokens,tool
a,0,1.0,2.5,,100,10,web search
a,1,5.0,0,0.000001,120,11,x
a,2,9.0,1,601,140,12,y
b,0,0,0.0000004,,90,9,
"""


@pytest.mark.parametrize(
    ("name", "sessions", "turns", "stalls"),
    [
        ("trail_gaia", 162, 627, 3),
        ("trail_swebench_lite", 25, 365, 0),
        ("isobench_trae", 120, 4_449, 0),
    ],
)
def test_recordings(recordings, tmp_path, name, sessions, turns, stalls):
    trace, report = import_table(recordings / f"{name}.csv.gz", licence="MIT", source="test")
    assert (len(trace.sessions), trace.header.turns, report.stalls) == (sessions, turns, stalls)
    assert (trace.header.family, trace.header.licence, trace.header.seed) == (name, "MIT", None)
    assert max(trace.waits_us()) <= 600_000_000
    path = tmp_path / "t.csv.gz"
    write_trace(trace, path)
    assert check_trace(path) == []
    stats = check_rules(trace, derive_load(trace, envelope("gpu").pool_tokens), 64)
    assert stats.events == 3 * turns


def test_repairs(tmp_path):
    path = tmp_path / "rec.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    trace, report = import_table(path)
    assert [[(t.wait_us, t.service_us, t.tool) for t in s.turns] for s in trace.sessions] == [
        [(None, 2_500_000, "web_search"), (1, 1, "")],
        [(None, 1, "")],
    ]
    assert (report.zero_services, report.stalls, report.dropped_turns) == (2, 1, 1)
    assert report.renamed_tools == 1
    assert (trace.header.family, trace.header.source, trace.header.licence) == (
        "rec",
        "unknown",
        "unknown",
    )


FAULTS = {
    "columns": ("gap_s,", "", 1, "columns"),
    "no rows": (TABLE[TABLE.index("a,0") :], "", 2, "rows"),
    "cells": (",web search", "", 2, "row"),
    "turn": ("a,1,", "a,2,", 3, "turn"),
    "session apart": ("b,0", "a,0", 5, "turn"),
    "gap missing": ("0,0.000001", "0,", 3, "gap_s"),
    "gap at first": ("2.5,,", "2.5,1,", 2, "gap_s"),
    "gap negative": ("0.000001", "-1", 3, "gap_s"),
    "gap nan": ("0.000001", "nan", 3, "gap_s"),
    "gap huge": ("0.000001", "1e99", 3, "gap_s"),
    "service text": ("2.5", "fast", 2, "service_s"),
    "tokens": ("100,10", "0,10", 2, "prompt_tokens"),
    "tokens over": ("100,10", "1048575,10", 2, "output_tokens"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(tmp_path, name):
    old, new, line, field = FAULTS[name]
    path = tmp_path / "rec.csv"
    path.write_text(TABLE.replace(old, new, 1))
    with pytest.raises(TraceError) as raised:
        import_table(path)
    assert (raised.value.line, raised.value.field) == (line, field)


def test_sessions_stand_together(tmp_path):
    path = tmp_path / "rec.csv"
    path.write_text(TABLE + "a,0,0,1,,90,9,\n")
    with pytest.raises(TraceError, match=r"rec\.csv:6: session"):
        import_table(path)


def test_empty_file(tmp_path):
    path = tmp_path / "rec.csv"
    path.write_text("")
    with pytest.raises(TraceError, match="columns"):
        import_table(path)
