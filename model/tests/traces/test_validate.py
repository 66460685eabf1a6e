"""Each kind of fault is found, on its line, in its field."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.conftest import GOOD
from unison.traces import TraceError, check_trace, read_trace
from unison.traces.parse import Parser

ROW = "0,1,1.5,20.001,130,10,"
HEAD = "session,turn,wait_ms,service_ms,prompt_tokens,output_tokens,tool"

# name: (replace, by, line, field, part of "got", part of "expected")
FAULTS = {
    "magic": ("# unison-trace 1", "# other-trace 1", 1, "magic", "other", "unison-trace 1"),
    "version": ("# unison-trace 1", "# unison-trace 2", 1, "version", "2", "unison-trace 1"),
    "unknown key": ("# family: demo", "# colour: red", 2, "header", "colour", "family"),
    "missing key": ("# licence: Apache-2.0\n", "", 9, "licence", "nothing", "# licence"),
    "empty key": ("# source: a test", "# source:", 6, "source", "nothing", "# source"),
    "double key": ("# licence: Apache-2.0", "# source: b", 7, "source", "second", "one value"),
    "seed": ("# seed: none", "# seed: x", 3, "seed", "'x'", "integer"),
    "session count": ("# sessions: 2", "# sessions: 3", 8, "sessions", "3", "2, as counted"),
    "turn count": ("# turns: 3", "# turns: 2", 9, "turns", "2", "3, as counted"),
    "missing column": (HEAD, HEAD.replace(",tool", ""), 10, "columns", "no tool", "tool"),
    "wrong columns": (HEAD, HEAD + ",extra", 10, "columns", "extra", "tool"),
    "too many cells": (ROW, ROW + ",", 12, "row", "8 columns", "7 columns"),
    "too few cells": (ROW, "0,1,1.5", 12, "row", "3 columns", "7 columns"),
    "blank line": (ROW, "", 12, "row", "1 columns", "7 columns"),
    "wait text": (ROW, "0,1,soon,20,130,10,", 12, "wait_ms", "'soon'", "milliseconds"),
    "wait negative": (ROW, "0,1,-2,20,130,10,", 12, "wait_ms", "-2 ms", "0.."),
    "wait nan": (ROW, "0,1,nan,20,130,10,", 12, "wait_ms", "'nan'", "finite"),
    "wait inf": (ROW, "0,1,-inf,20,130,10,", 12, "wait_ms", "'-inf'", "finite"),
    "wait too fine": (ROW, "0,1,1.0001,20,130,10,", 12, "wait_ms", "1.0001", "3 decimals"),
    "wait too long": (ROW, "0,1,200000000,20,130,10,", 12, "wait_ms", "200000000", "134217727"),
    "wait missing": (ROW, "0,1,,20,130,10,", 12, "wait_ms", "nothing", "tool wait"),
    "wait at first": ("1,0,,5", "1,0,3,5", 13, "wait_ms", "'3'", "nothing"),
    "service zero": (ROW, "0,1,1,0,130,10,", 12, "service_ms", "0 ms", "0.001.."),
    "service text": (ROW, "0,1,1,x,130,10,", 12, "service_ms", "'x'", "milliseconds"),
    "prompt zero": (ROW, "0,1,1,2,0,10,", 12, "prompt_tokens", "'0'", "1..1048575"),
    "output negative": (ROW, "0,1,1,2,130,-1,", 12, "output_tokens", "'-1'", "1..1048575"),
    "tokens over": (ROW, "0,1,1,2,1048570,6,", 12, "output_tokens", "1048576", "1048575"),
    "tokens fraction": (ROW, "0,1,1,2,1.5,6,", 12, "prompt_tokens", "'1.5'", "integer"),
    "tool": (ROW, "0,1,1,2,130,10,a b", 12, "tool", "'a b'", "A-Z"),
    "turn skipped": (ROW, "0,2,1,2,130,10,", 12, "turn", "2", "1, turns run"),
    "turn text": (ROW, "0,one,1,2,130,10,", 12, "turn", "'one'", "integer"),
    "session skipped": ("1,0,,5", "2,0,,5", 13, "session", "session 2", "turn 0 of session 1"),
    "session again": ("1,0,,5", "0,0,,5", 13, "turn", "0", "2"),
    "session late start": ("1,0,,5,", "1,1,3,5,", 13, "session", "turn 1", "turn 0 of session 1"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(tmp_path, name):
    old, new, line, field, got, expected = FAULTS[name]
    assert GOOD.count(old) == 1
    path = tmp_path / "t.csv"
    path.write_text(GOOD.replace(old, new))
    first = check_trace(path)[0]
    assert (first.line, first.field) == (line, field)
    assert got in first.got
    assert expected in first.expected
    assert str(first).startswith(f"{path}:{line}: {field}: got ")
    with pytest.raises(TraceError) as raised:
        read_trace(path)
    assert str(raised.value) == str(first)


@pytest.mark.parametrize(
    ("row", "field"),
    [("0,1,0,20,130,10,", "wait_ms"), ("0,1,1.5,20,130,10,", "wait_ms"), (ROW, "wait_ms")],
)
def test_synthetic_traces_are_held_to_whole_milliseconds(tmp_path, row, field):
    path = tmp_path / "t.csv"
    path.write_text(GOOD.replace("seed: none", "seed: 1").replace(ROW, row))
    assert (check_trace(path)[0].line, check_trace(path)[0].field) == (12, field)


def test_recordings_may_have_no_wait_at_all(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(GOOD.replace(ROW, "0,1,0,0.001,130,10,"))
    assert check_trace(path) == []


def test_collects_up_to_the_limit(tmp_path):
    path = tmp_path / "t.csv"
    text = GOOD.replace("0,0,,10,100", "0,0,7,x,0").replace(ROW, "0,1,-1,20,130,10,")
    path.write_text(text)
    found = [(e.line, e.field) for e in check_trace(path)]
    assert found == [
        (11, "wait_ms"),
        (11, "service_ms"),
        (11, "prompt_tokens"),
        (12, "wait_ms"),
    ]
    assert len(check_trace(path, limit=2)) == 2


@pytest.mark.parametrize(
    ("data", "name", "field"),
    [
        (b"", "t.csv", "file"),
        (b"", "t.csv.gz", "gzip"),
        (GOOD.encode(), "t.csv.gz", "gzip"),
        (gzip.compress(b"", mtime=0), "t.csv.gz", "file"),
        (GOOD.encode()[: GOOD.index("session,turn")], "t.csv", "columns"),
        (GOOD.encode()[: GOOD.index("0,0,,10")], "t.csv", "sessions"),
    ],
)
def test_broken_files(tmp_path, data, name, field):
    path = tmp_path / name
    path.write_bytes(data)
    assert check_trace(path)[0].field == field


@pytest.mark.parametrize("keep", [5, 30, 100, -1])
def test_truncated_gzip(tmp_path, keep):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(GOOD.encode() * 20)[:keep])
    error = check_trace(path)[0]
    assert error.field == "gzip"
    assert "truncated" in error.got


def test_not_utf8(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(GOOD.encode().replace(b"shell", b"sh\xffll"))
    error = check_trace(path)[0]
    assert (error.line, error.field, error.got) == (11, "text", "byte 0xff")


def test_missing_file(tmp_path):
    assert check_trace(tmp_path / "none.csv")[0].expected == "a readable file"
    assert check_trace(tmp_path)[0].expected == "a readable file"


@given(st.data())
def test_any_damage_is_told_not_thrown(data):
    lines = GOOD.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(st.one_of(st.text(max_size=30), st.sampled_from(lines)))
    parser = Parser("t", 20)
    trace = parser.parse(lines)
    assert (trace is None) == bool(parser.errors)
    assert all(e.got and e.expected and e.line <= len(lines) + 1 for e in parser.errors)
