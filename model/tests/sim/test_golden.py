"""The compiled simulator decides as the golden model does, record for record."""

import numpy as np
import pytest

from unison.contract import RecordKind
from unison.contract.records import Record
from unison.core import EventCore
from unison.core.plan import core_event, plan
from unison.core.replay import Costs, replay
from unison.policies import placing, policy
from unison.scoring import Form
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.traces.envelopes import ENVELOPES, envelope
from unison.traces.importer import import_table
from unison.traces.measure_data import shared_dir
from unison.traces.paths import FAMILIES, open_trace
from unison.traces.serving import events

#: Policy of the simulator, form of the golden score, and whether the golden one is exact.
PAIRS = (
    ("spear-hw", Form.PRODUCT, False),
    ("spear-hwq", Form.QUOTIENT, False),
    ("spear-hwc", Form.COMPACT, False),
    ("spear-hwr", Form.RATIO, False),
    ("spear", Form.PRODUCT, True),
    ("spear2", Form.QUOTIENT, True),
)


def golden(trace, where, form, exact, tide, slots=64):
    """Records of a golden replay, all but ERROR, and its summary."""
    setup = plan(trace, where, slots, form, tide=tide)
    core = EventCore(setup.config, setup.float64() if exact else setup.fixed())
    records: list[tuple] = []
    costs = Costs({1: where.sram.read_ns, 2: where.hbm.read_ns}, where.prefill_rate)
    stream = (core_event(e) for e in events(trace, setup.load, slots))
    seq = 0

    def observe(_event, got: list[Record]) -> None:
        nonlocal seq
        records.extend((seq, r.kind, r.slot, r.tier, r.tokens, r.info) for r in got)
        seq += 1

    return records, replay(core, stream, setup.dma_bw, costs, observe)


def simulated(trace, where, name, tide, slots=64):
    """The same of the simulator."""
    scenario = Scenario.of(trace, where, slots=slots)
    run = simulate(scenario, policy(name), placing("tide" if tide else "none"), keep=True)
    r = run.records
    columns = (r[c].tolist() for c in ("seq", "kind", "slot", "tier", "tokens", "info"))
    return list(zip(*columns, strict=True)), run.totals


def compare(trace, where, pair, tide, slots=64):
    """Assert equality of records and metrics at one point; returns the number of decisions."""
    name, form, exact = pair
    want, summary = golden(trace, where, form, exact, tide, slots)
    got, totals = simulated(trace, where, name, tide, slots)
    for i, (a, b) in enumerate(zip(want, got, strict=False)):
        assert a == b, f"record {i}: golden {a}, simulator {b}"
    assert len(want) == len(got)
    assert totals.decisions == summary.decisions
    assert totals.outcomes == summary.outcomes
    assert totals.extra_prefill_tokens == summary.extra_prefill_tokens
    assert totals.prefetch_accuracy == summary.prefetch_accuracy
    assert totals.hit_rate == summary.hit_rate
    assert totals.amat_us == pytest.approx(summary.amat_us, rel=1e-12)
    assert totals.illegal == 0
    return sum(kind in (RecordKind.EVICT, RecordKind.PROMOTE) for _, kind, *_ in got)


@pytest.mark.parametrize("pair", PAIRS, ids=[p[0] for p in PAIRS])
@pytest.mark.parametrize("tide", [True, False], ids=["tide", "spear"])
def test_gaia_everywhere(pair, tide):
    trace = open_trace("gaia_gemma4")
    decided = [compare(trace, e, pair, tide) for e in ENVELOPES.values()]
    assert sum(d > 0 for d in decided) >= 6


def test_few_and_many_slots():
    trace = open_trace("gaia_qwen3")
    for slots in (16, 256):
        assert compare(trace, envelope("gpu-tight"), PAIRS[0], True, slots)


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("where", ENVELOPES)
def test_all_families(family, where):
    trace = open_trace(family)
    for pair in PAIRS:
        compare(trace, envelope(where), pair, True)


@pytest.mark.long
@pytest.mark.parametrize("where", ENVELOPES)
@pytest.mark.parametrize("name", ["trail_gaia", "trail_swebench_lite", "isobench_trae"])
def test_recordings(name, where):
    table = shared_dir() / "traces" / f"{name}.csv.gz"
    if not table.exists():
        pytest.skip(f"no {table.name}: the shared recordings are not beside the repository")
    trace, _ = import_table(table)
    for pair in PAIRS:
        compare(trace, envelope(where), pair, True)


def test_log_is_complete():
    """The request log and the counters tell the same story."""
    scenario = Scenario.of(open_trace("gaia_gemma4"), envelope("cloud"))
    run = simulate(scenario, policy("spear"), placing("tide"), keep=True)
    assert len(run.requests) == run.totals.requests == scenario.trace.header.turns
    names = ("COLD", "MISS", "HIT_SRAM", "HIT_HBM")
    counts = np.bincount(run.requests["outcome"], minlength=4)
    assert dict(zip(names, counts.tolist(), strict=True)) == run.totals.outcomes
