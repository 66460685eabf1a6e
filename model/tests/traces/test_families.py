"""The synthetic families: totals, published figures, reproducibility."""

import itertools
import json
from statistics import median

import pytest

from unison.traces import FAMILIES, TraceError, check_trace, generate, open_trace
from unison.traces.calibration import load_calibration
from unison.traces.format import dumps, read_text
from unison.traces.generate import draw
from unison.traces.paths import calibration_path, data_path
from unison.traces.quantiles import measure
from unison.traces.summary import samples, targets


@pytest.mark.parametrize("family", FAMILIES)
def test_committed_data_is_a_regeneration(family):
    assert read_text(data_path(family)) == dumps(generate(family))
    assert check_trace(data_path(family)) == []
    assert data_path(family).stat().st_size < 1 << 20


def test_totals():
    traces = [open_trace(family) for family in FAMILIES]
    assert sum(len(t.sessions) for t in traces) == 1_415
    assert sum(1 for t in traces for _ in t.turns()) == 33_596
    assert len(open_trace("gaia_gemma4").sessions) == 128


@pytest.mark.parametrize(
    ("family", "seconds"), [("gaia_qwen3", 3.7), ("gaia_devstral", 4.4), ("gaia_gemma4", 7.2)]
)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_gaia_median_wait(family, seconds, seed):
    trace = open_trace(family) if seed is None else generate(family, seed)
    assert median(trace.waits_us()) / 1e6 == pytest.approx(seconds, rel=0.02)


@pytest.mark.parametrize("family", FAMILIES)
def test_turns_are_plausible(family):
    trace, cal = open_trace(family), load_calibration(family)
    assert min(trace.waits_us()) >= 1_000
    assert all(t.service_us % 1000 == 0 for t in trace.turns())
    assert max(t.kv_tokens for t in trace.turns()) <= cal.context_limit
    shrunk = 0
    for session in trace.sessions:
        assert session.turns[-1].tool == ""
        for before, turn in itertools.pairwise(session.turns):
            assert turn.wait_us % 1000 == 0
            # A prompt holds everything before it, but for a context that was compacted.
            if turn.prompt_tokens <= before.kv_tokens:
                shrunk += 1
                assert turn.prompt_tokens == round(cal.context_limit * cal.compacted_share)
    assert shrunk <= 5


@pytest.mark.parametrize("family", FAMILIES)
def test_quantiles_are_the_calibrations(family):
    trace, cal = open_trace(family), load_calibration(family)
    found = samples(trace)
    levelled = {f"wait ms {t.name}" for t in cal.tools if t.levelled}
    for name, target in targets(cal).items():
        if name in levelled or name == "turns a session":
            continue
        # A few hundred draws at least: p10, p50 and p90 within a third. (swe_devstral's bash
        # has its p10 and p50 five per cent apart; a tool with 60 calls scatters more.)
        tolerance = 0.33 if len(found[name]) > 200 else 1.0
        got = measure(found[name])
        for level in ("p10", "p50", "p90"):
            assert getattr(got, level) == pytest.approx(getattr(target, level), rel=tolerance)


def test_a_session_has_a_pace():
    trace = open_trace("swe_qwen3")
    means = []
    for session in trace.sessions:
        shell = [b.wait_us for a, b in itertools.pairwise(session.turns) if a.tool == "shell"]
        if len(shell) >= 10:
            means.append(median(shell))
    got = measure(means)
    assert got.p90 / got.p10 > 2.5


def test_seed_changes_the_trace_and_nothing_else_does():
    assert generate("gaia_gemma4", 7) == generate("gaia_gemma4", 7)
    assert generate("gaia_gemma4", 7).sessions != generate("gaia_gemma4", 8).sessions


def test_unknown_family_lists_the_valid_ones():
    with pytest.raises(ValueError, match="swe_qwen3, swe_devstral"):
        generate("gaia")
    with pytest.raises(TraceError, match="swe_qwen3, swe_devstral"):
        open_trace("gaia")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_number_has_a_source(family):
    data = json.loads(calibration_path(family).read_text())
    tools = data.pop("tools")
    assert data.pop("family") == family
    assert all(entry["source"] for entry in data.values())
    assert all(tool["source"] and tool["share_source"] for tool in tools.values())


def test_compaction_at_the_context_limit(tmp_path):
    data = json.loads(calibration_path("gaia_gemma4").read_text())
    data["context_limit"]["value"] = 4_000
    path = tmp_path / "c.json"
    path.write_text(json.dumps(data))
    trace = draw(load_calibration("gaia_gemma4", path))
    assert max(t.kv_tokens for t in trace.turns()) <= 4_000
    assert any(t.prompt_tokens == 1_000 for t in trace.turns())


@pytest.mark.parametrize(
    ("key", "entry", "field"),
    [
        ("turns", None, "turns"),
        ("turns", {"value": 9000}, "turns.source"),
        ("turns", {"value": 3, "source": "s"}, "turns.value"),
        ("turns", {"value": True, "source": "s"}, "turns.value"),
        ("turns", {"value": 900.5, "source": "s"}, "turns.value"),
        ("growth", {"quantiles": [3, 2, 4, 5], "source": "s"}, "growth.quantiles"),
        ("growth", {"quantiles": [0, 2, 4, 5], "source": "s"}, "growth.quantiles"),
        ("median_wait_ms", {"value": "x", "source": "s"}, "median_wait_ms.value"),
        ("tools", {}, "tools"),
        ("tools", {"a": {"share": 0.5, "wait_ms": [1, 2, 3, 4], "source": "s"}}, "tools.share"),
    ],
)
def test_calibration_faults(tmp_path, key, entry, field):
    data = json.loads(calibration_path("gaia_gemma4").read_text()) | {key: entry}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(data))
    with pytest.raises(TraceError) as raised:
        load_calibration("gaia_gemma4", path)
    assert raised.value.field == field


def test_calibration_that_is_no_json(tmp_path):
    path = tmp_path / "c.json"
    for data in (b"{\n,", b"\xff"):
        path.write_bytes(data)
        with pytest.raises(TraceError, match="json"):
            load_calibration("gaia_gemma4", path)
