"""Access times, prefill and the serving model, against plain Python over a request log."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unison.sim.account import TTFT_LOAD, Ledger
from unison.sim.engine import REQUEST
from unison.traces.envelopes import envelope

WHERE = envelope("gpu")
#: Time since the request before (us), tokens, tokens before, tokens cached, outcome.
_ROWS = st.lists(
    st.tuples(
        st.integers(0, 5_000_000),
        st.integers(1, 20_000),
        st.integers(0, 20_000),
        st.integers(0, 20_000),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=60,
)


def log_of(rows):
    """A consistent log: cached is a part of before, which is a part of the prompt."""
    out, now = np.zeros(len(rows), REQUEST), 0
    for i, (pause, tokens, before, cached, outcome) in enumerate(rows):
        now += pause
        before = min(before, tokens) if outcome else 0
        cached = min(cached, before) if outcome >= 2 else 0
        out[i] = (now, 0, i, tokens, before, cached, outcome)
    return out


@given(_ROWS)
@settings(max_examples=80, deadline=None)
def test_against_plain_python(rows):
    log, ledger = log_of(rows), Ledger(WHERE)
    ledger.add(log)
    read = {2: WHERE.sram.read_ns, 3: WHERE.hbm.read_ns}
    free, waits, access = 0.0, [], 0.0
    for r in log:
        own = float(r["tokens"]) * read.get(int(r["outcome"]), 0.0)
        own += (int(r["tokens"]) - int(r["cached"])) * 1e9 / WHERE.prefill_rate
        arrival = int(r["time_us"]) * 1000 / TTFT_LOAD
        free = max(arrival, free) + own
        waits.append(free - arrival)
        access += own
    assert ledger.access_ns == pytest.approx(access)
    assert ledger.computed == int((log["tokens"] - log["cached"]).sum())
    assert ledger.again == int((log["before"] - log["cached"]).sum())
    # The histogram's bins are 0.14 % wide, and its median is the lower one.
    assert ledger.ttft_ns() == pytest.approx(statistics.median_low(waits), rel=2e-3)


def test_nothing_to_divide_by():
    assert Ledger(WHERE).ttft_ns() is None
