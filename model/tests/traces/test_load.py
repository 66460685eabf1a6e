"""The load rule and the table of envelopes."""

import pytest

from tests.traces.conftest import make_trace
from unison.traces import ENVELOPES, ServingLoad, derive_load, envelope
from unison.traces.load import mean_duration_us, mean_prefix

# One session: 300 tokens on average, 4 s long.
TRACE = make_trace([[(None, 1_000_000, 150, 50), (2_000_000, 1_000_000, 300, 100)]])


def test_means():
    assert mean_prefix(TRACE) == 300
    assert mean_duration_us(TRACE) == 4_000_000


@pytest.mark.parametrize(
    ("pool", "agents", "servers"),
    [
        (1, 2, 1),
        (450, 3, 1),
        (374, 2, 1),
        (375, 3, 1),
        (2_400, 16, 2),
        (7_200, 48, 6),
        (10**6, 48, 6),
    ],
)
def test_agents_and_servers(pool, agents, servers):
    load = derive_load(TRACE, pool)
    assert (load.agents, load.servers) == (agents, servers)
    assert load.linger_us == int((64 - agents) / 2 * 4_000_000 / agents)


def test_linger_is_capped_and_never_negative():
    slow = make_trace([[(None, 1_000_000_000, 150, 150)]])
    assert derive_load(slow, 300).linger_us == 600_000_000
    assert derive_load(slow, 10**6, slots=16).linger_us == 0


@pytest.mark.parametrize(("pool", "pressure", "slots"), [(0, 2.0, 64), (1, 0.0, 64), (1, 2.0, 0)])
def test_load_needs_positive_figures(pool, pressure, slots):
    with pytest.raises(ValueError, match="expected more than 0"):
        derive_load(TRACE, pool, pressure, slots)


@pytest.mark.parametrize("figures", [(0, 1, 0), (1, 0, 0), (1, 1, -1)])
def test_load_bounds(figures):
    with pytest.raises(ValueError, match="expected at least"):
        ServingLoad(*figures)


def test_envelopes():
    sizes = {name: (e.sram.tokens, e.hbm.tokens) for name, e in ENVELOPES.items()}
    assert sizes == {
        "edge-tight": (2_000, 8_000),
        "edge": (4_000, 16_000),
        "edge-plus": (6_000, 24_000),
        "cloud-tight": (8_000, 32_000),
        "cloud": (12_000, 48_000),
        "cxl": (4_000, 56_000),
        "gpu-tight": (32_000, 128_000),
        "gpu": (96_000, 384_000),
        "node": (200_000, 800_000),
    }
    for e in ENVELOPES.values():
        assert e.pool_tokens == sum(sizes[e.name])
        # Fast, slow, again from scratch: each far dearer than the one before.
        assert 0 < e.sram.read_ns < e.hbm.read_ns < 1e9 / e.prefill_rate
        assert 1 <= e.dma_bw_q8 < 1 << 16
        assert all((e.sram.source, e.hbm.source, e.prefill_source, e.dma_source))
    assert ENVELOPES["cxl"].hbm.read_ns > 10 * ENVELOPES["cloud"].hbm.read_ns
    assert ENVELOPES["edge-tight"].hbm.read_ns == pytest.approx(480)


def test_unknown_envelope_lists_the_valid_ones():
    with pytest.raises(ValueError, match=r"edge-tight, edge, .*node"):
        envelope("egde")
