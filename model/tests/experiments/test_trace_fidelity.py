"""Trace fidelity: the shared factor, and errors by hand."""

import pytest

from unison.experiments.trace_fidelity import errors, factor, measure, size
from unison.traces.quantiles import Quantiles


def test_factor_is_weighted_by_counts():
    one, two = Quantiles(1, 2, 3, 4), Quantiles(2, 4, 6, 8)
    assert factor([(5, two, one)]) == pytest.approx(2)
    assert factor([(1, two, one), (1, one, one)]) == pytest.approx(2**0.5)
    assert factor([(3, two, one), (1, one, one)]) == pytest.approx(2**0.75)


def test_errors():
    rows = [
        {"family": "a", "sample": "s", "seed": seed, "p10": value, "p50": -value}
        for seed, value in ((0, 0.1), (1, 0.3))
    ]
    assert errors(rows)["a", "s", "p50"].value == pytest.approx(-0.2)
    assert ("a", "s", "p90") not in errors(rows)
    assert size(rows) == pytest.approx(0.2)


def test_committed_family():
    rows = {r["sample"]: r for r in measure({"family": "gaia_gemma4", "seed": 0})}
    assert abs(rows["wait ms"]["p50"]) < 0.02
    assert rows["wait ms web_search"]["factor"] == rows["wait ms visit_page"]["factor"] != 1
    assert abs(rows["first prompt"]["p50"]) < 0.01
