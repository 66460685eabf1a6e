"""The human-paced families: people's waits beside tools', and the person at the end."""

import itertools
import json

import pytest

from unison.traces import TraceError, check_trace, generate, open_trace
from unison.traces.calibration import load_calibration
from unison.traces.format import dumps, read_text
from unison.traces.paths import ALL_FAMILIES, FAMILIES, HUMAN_FAMILIES, calibration_path, data_path
from unison.traces.quantiles import measure
from unison.traces.summary import samples, targets


def test_they_stand_beside_the_six():
    assert (*FAMILIES, *HUMAN_FAMILIES) == ALL_FAMILIES
    assert len(set(ALL_FAMILIES)) == 9


@pytest.mark.parametrize("family", HUMAN_FAMILIES)
def test_committed_data_is_a_regeneration(family):
    assert read_text(data_path(family)) == dumps(generate(family))
    assert check_trace(data_path(family)) == []
    assert data_path(family).stat().st_size < 1 << 20


@pytest.mark.parametrize("family", HUMAN_FAMILIES)
def test_waits_and_tokens_are_the_calibrations(family):
    trace, cal = open_trace(family), load_calibration(family)
    found = samples(trace)
    for name, target in targets(cal).items():
        if name == "turns a session":
            continue
        got = measure(found[name])
        for level in ("p10", "p50", "p90"):
            assert getattr(got, level) == pytest.approx(getattr(target, level), rel=0.33)


@pytest.mark.parametrize("family", HUMAN_FAMILIES)
def test_people_and_tools_are_mixed_in_one_session(family):
    """No session is all the one or all the other, or few are; and a person comes last."""
    cal = load_calibration(family)
    share = next(t.share for t in cal.tools if t.name == "human")
    mixed = calls = people = 0
    for session in open_trace(family).sessions:
        names = [a.tool for a, _ in itertools.pairwise(session.turns)]
        mixed += len({n == "human" for n in names}) == 2
        calls += len(names)
        people += names.count("human")
        assert session.turns[-1].tool == "human"
    assert people / calls == pytest.approx(share, rel=0.1)
    assert mixed > len(open_trace(family).sessions) / 2


@pytest.mark.parametrize("family", HUMAN_FAMILIES)
def test_every_number_has_a_source(family):
    data = json.loads(calibration_path(family).read_text())
    tools = data.pop("tools")
    data.pop("family")
    assert all(entry["source"] for entry in data.values())
    assert all(tool["source"] and tool["share_source"] for tool in tools.values())


@pytest.mark.parametrize(
    ("entry", "field"),
    [(None, "last_tool"), ({"value": "nobody", "source": "s"}, "last_tool.value")],
)
def test_a_last_tool_that_is_none_of_the_familys(tmp_path, entry, field):
    data = json.loads(calibration_path("human_chat").read_text()) | {"last_tool": entry}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(data))
    with pytest.raises(TraceError) as raised:
        load_calibration("human_chat", path)
    assert raised.value.field == field
