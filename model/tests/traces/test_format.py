"""Reading gives back what was written, and the writer's bytes repeat."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.conftest import make_trace
from unison.traces import TraceError, read_trace, write_trace
from unison.traces.fields import ms_text
from unison.traces.format import dumps, loads
from unison.traces.model import MAX_TIME_US, MAX_TOKENS

_TIME = st.one_of(st.integers(1, 5_000_000), st.just(MAX_TIME_US))
_TOKENS = st.one_of(st.integers(1, 9_000), st.just(MAX_TOKENS // 2))
_ROW = st.tuples(st.one_of(st.just(0), _TIME), _TIME, _TOKENS, _TOKENS)


@st.composite
def traces(draw):
    rows = draw(st.lists(st.lists(_ROW, min_size=1, max_size=5), min_size=1, max_size=5))
    return make_trace([[(None, *turns[0][1:]), *turns[1:]] for turns in rows])


@given(traces())
def test_round_trip(trace):
    text = dumps(trace)
    assert loads(text) == trace
    assert dumps(loads(text)) == text


@given(st.integers(0, MAX_TIME_US))
def test_milliseconds_are_exact(time_us):
    text = ms_text(time_us)
    whole, _, decimals = text.partition(".")
    assert int(whole) * 1000 + int(decimals.ljust(3, "0")) == time_us


def test_reads_text(good_text):
    trace = loads(good_text)
    assert [t.service_us for t in trace.turns()] == [10_000, 20_001, 5_000]
    assert trace.waits_us() == [1_500]
    assert [t.tool for t in trace.turns()] == ["shell", "", ""]
    assert dumps(trace) == good_text
    assert loads(good_text.replace("\n", "\r\n")) == trace


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_files(tmp_path, good_text, name):
    trace = loads(good_text)
    write_trace(trace, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    write_trace(trace, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
    assert read_trace(tmp_path / name) == trace
    if name.endswith(".gz"):
        assert gzip.decompress(first).decode() == good_text
        assert first[3:8] == bytes(5)  # no name, no time


def test_refuses_to_write_what_it_would_not_read(tmp_path):
    trace = make_trace([[(None, 0, 1, 1)]])
    with pytest.raises(TraceError, match="service_ms"):
        write_trace(trace, tmp_path / "t.csv")
    assert not (tmp_path / "t.csv").exists()
