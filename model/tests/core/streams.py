"""Hypothesis strategies and helpers for event streams."""

from hypothesis import strategies as st

from unison.contract import CoreEvent, EventCode
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, FloatScorer, Form, Tables, elapsed_weights, fit_hazard

SLOTS = 16
TABLES = Tables(fit_hazard([2, 5, 5, 9, 40]), elapsed_weights(), elapsed_weights())


def core(sram=300, hbm=900, form=Form.PRODUCT, exact=False, tide=True, bw=64, tok_w=20):
    """A small core; capacities in tokens, bw raw Q8.8."""
    scorer = (
        FloatScorer(form, TABLES, 40.0, 2, bw)
        if exact
        else FixedScorer.from_tables(form, TABLES, 40, 2, bw)
    )
    return EventCore(CoreConfig(sram, hbm, SLOTS, tok_w, tide), scorer)


#: Raw events as (code, slot, tokens, time step); a fair share of them illegal.
RAW_EVENTS = st.lists(
    st.tuples(
        st.sampled_from([*EventCode, *EventCode, EventCode.REQ, EventCode.GAP_OPEN, 0, 9]),
        st.integers(0, 8) | st.integers(0, SLOTS + 2),
        st.sampled_from([0, 1, 50, 100, 299, 300, 301, 900, 901]) | st.integers(1, 400),
        st.sampled_from([0, 0, 1, 2, 30, 200, 5000, 2**25, -1, -(2**31)]),
    ),
    max_size=120,
)


def events(raw):
    """Core events of a raw list; a negative step is relative and not kept."""
    ts = 2**32 - 3000
    for code, slot, tokens, step in raw:
        yield CoreEvent(code, slot, tokens, ts + step)
        ts += max(step, 0)
