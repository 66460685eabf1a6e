"""What defines each policy, on stories made so that plain recency would decide otherwise."""

import json

import pytest

from tests.policies.story import Story
from unison.policies import PolicyError, learned, policy

#: Slot 0 is less recent than slot 1; slot 2 needs the room of one.
QUEUE_AWARE = ("infercept", "continuum", "agserve", "cachescout", "kvflow", "pbkv")
PURE_CACHE = ("gdsf", "hyperbolic", "slru", "lhd", "timeout", "lrb")


def pair(size=(50, 50)):
    return Story().turn(0, 0, size[0]).turn(1, 1, size[1])


@pytest.mark.parametrize("name", PURE_CACHE)
def test_caches_do_not_see_the_queue(name):
    story = pair().ready(2, 0).turn(3, 2, 50)
    assert story.evicted(policy(name), 100) == [0]


@pytest.mark.parametrize("name", QUEUE_AWARE)
def test_a_returned_tool_is_seen(name):
    story = pair().ready(1.5, 0).turn(1.6, 2, 50)
    assert story.evicted(policy(name), 100, prefill=1.0) == [1]


def test_gdsf_prefers_small():
    assert pair((20, 80)).turn(2, 2, 50).evicted(policy("gdsf"), 100) == [1]


def test_gdsf_ages():
    """Slot 0 was used often, but L rises with every victim until it is out too."""
    story = Story()
    for t in range(4):
        story.turn(t, 0, 50)
    for t in range(5, 16):
        story.turn(t, 1 + t % 7, 50)
    evicted = story.evicted(policy("gdsf"), 100)
    assert 0 in evicted[2:]


def test_hyperbolic_is_a_rate():
    story = Story().turn(0, 0, 50).turn(1, 0, 50).turn(2, 0, 50).turn(3, 1, 50)
    assert story.turn(10, 2, 50).evicted(policy("hyperbolic"), 100) == [1]
    # Seconds after it came in, one request is a high rate.
    story = Story().turn(0, 0, 50).turn(1, 0, 50).turn(9.8, 1, 50)
    assert story.turn(10, 2, 50).evicted(policy("hyperbolic"), 100) == [0]


def test_slru_protects_the_reused():
    story = Story().turn(0, 0, 50).turn(1, 0, 50).turn(2, 1, 50)
    assert story.turn(3, 2, 50).evicted(policy("slru"), 100) == [1]


def test_lhd_learns_the_age_of_hits():
    """All hits come after 16 s: who has waited for 12 is nearer to it than who waits for 1."""
    story, t = Story(), 0
    for _ in range(300):
        story.turn(t, 0, 10)
        t += 16
    story.turn(t, 1, 50).turn(t + 11, 2, 50).done(t + 11.5, 0).turn(t + 12, 3, 50)
    assert story.evicted(policy("lhd"), 110) == [2]


def test_timeout_drops_without_need():
    story = Story().turn(0, 0, 50).turn(4, 1, 50).turn(6, 0, 50)
    run = story.play(policy("timeout:seconds=5"), 100)
    assert (run.totals.dropped, run.totals.outcomes["MISS"]) == (1, 1)
    assert story.play(policy("timeout"), 100).totals.dropped == 0
    assert pair().turn(2, 2, 50).evicted(policy("timeout:seconds=5"), 100) == [0]
    for wrong in ("0", "soon"):
        with pytest.raises(PolicyError, match="seconds: got"):
            policy(f"timeout:seconds={wrong}")


def test_infercept_drops_what_is_cheap_to_recompute():
    """100 tokens at 100 a second: a wait beyond 1 s wastes more than to prefill again."""
    story = Story().turn(0, 0, 100).turn(5, 1, 10)
    assert story.play(policy("infercept"), 200, prefill=100.0).totals.dropped == 1
    assert story.play(policy("infercept"), 200, prefill=1.0).totals.dropped == 0
    # With room in the slow tier a swap wastes less.
    assert story.play(policy("infercept"), 200, slow=100, prefill=100.0).totals.dropped == 0


def test_infercept_evicts_the_least_waste():
    assert pair((60, 40)).turn(1.5, 2, 40).evicted(policy("infercept"), 100, prefill=1.0) == [1]


def continuum_story():
    """Waits of 1 s for `quick`, learned; slots 0 and 1 then wait for it."""
    story = Story("quick")
    for t in range(10):
        story.turn(2 * t, 7, 1, "quick").ready(2 * t + 1.1, 7)
    return story.done(20, 7).turn(21, 0, 49, "quick").turn(21.5, 1, 49, "quick")


def test_continuum_pins_the_older_program():
    assert continuum_story().turn(22, 2, 49).evicted(policy("continuum"), 100) == [1]


def test_continuum_evicts_the_expired_first():
    story = continuum_story().turn(24, 2, 1, "quick").turn(24.5, 3, 49)
    assert story.evicted(policy("continuum"), 100) == [0]


def tool_story(quick=1.0, slow=30.0):
    """Waits of two tools, learned on slot 7."""
    story, t = Story("quick", "slow"), 0.0
    for _ in range(10):
        for tool, wait in (("quick", quick), ("slow", slow)):
            story.turn(t, 7, 1, tool).ready(t + 0.1 + wait, 7)
            t += wait + 1
    return story.turn(t, 7, 1).done(t + 1, 7), t + 2


def test_agserve_knows_the_tools():
    story, t = tool_story()
    story.turn(t, 0, 50, "quick").turn(t + 0.5, 1, 50, "slow").turn(t + 1, 2, 50)
    assert story.evicted(policy("agserve"), 100) == [1]


def test_agserve_overdue_is_imminent():
    story, t = tool_story()
    story.turn(t, 0, 50, "quick").turn(t + 20, 1, 50, "quick").turn(t + 20.2, 2, 50)
    assert story.evicted(policy("agserve"), 100) == [1]


def test_cachescout_looks_two_tools_back():
    """`b` takes long after `a`, not after `c`; by itself it tells nothing."""
    story, t = Story("a", "b", "c"), 0.0
    for _ in range(10):
        for first, wait in (("a", 60.0), ("c", 2.0)):
            story.turn(t, 7, 1, first).turn(t + 1, 7, 1, "b")
            t += 1.1 + wait
    story.turn(t, 7, 1).done(t + 1, 7)
    story.turn(t + 2, 0, 50, "c").turn(t + 3, 0, 50, "b")
    story.turn(t + 2.2, 1, 50, "a").turn(t + 3.2, 1, 50, "b").turn(t + 4, 2, 50)
    assert story.evicted(policy("cachescout"), 100) == [1]


def test_kvflow_follows_the_graph(tmp_path):
    graph = tmp_path / "graph.json"
    graph.write_text(json.dumps({"near": 1, "far": 4}))
    story = Story("near", "far").turn(0, 0, 50, "near").turn(1, 1, 50, "far").turn(2, 2, 50)
    assert story.evicted(policy(f"kvflow:graph={graph}"), 100) == [1]
    assert story.evicted(policy("kvflow"), 100) == [0]


@pytest.mark.parametrize("text", ["{", "[1]", '{"near": "one"}', '{"near": -1}'])
def test_kvflow_names_a_bad_graph(tmp_path, text):
    graph = tmp_path / "graph.json"
    graph.write_text(text)
    with pytest.raises(PolicyError, match=r"graph\.json"):
        policy(f"kvflow:graph={graph}")
    with pytest.raises(PolicyError, match=r"none\.json"):
        policy("kvflow:graph=none.json")


def test_pbkv_is_recency_until_it_knows():
    story = Story("quick", "slow").turn(0, 0, 50, "quick").turn(1, 1, 50, "slow").turn(2, 2, 50)
    assert story.evicted(policy("pbkv"), 100) == [0]


def test_pbkv_lets_the_far_go_first():
    story, t = tool_story()
    story.turn(t, 0, 50, "quick").turn(t + 1, 1, 50, "slow").turn(t + 2, 2, 50)
    assert story.evicted(policy("pbkv"), 100) == [1]


def test_pbkv_does_not_trust_the_near():
    """Far by 7 s at most after shrinking: not enough against 20 s of age."""
    story, t = tool_story()
    story.turn(t, 0, 50, "quick").turn(t + 20, 1, 50, "slow").turn(t + 21, 2, 50)
    assert story.evicted(policy("pbkv"), 100) == [0]


def test_lrb_learns_who_returns_late(monkeypatch):
    monkeypatch.setattr(learned, "BATCH", 200)
    story = Story()
    for t in range(0, 1000, 2):
        story.turn(t, 0, 49)
    for t in range(39, 1000, 60):
        story.turn(t, 1, 49)
    story.turn(999.5, 2, 49)
    lrb = policy("lrb")
    assert story.evicted(lrb, 100) == [1]
    assert lrb.decision_times_ns
    assert min(lrb.decision_times_ns) > 0
    # Before the first model: recency, and no prediction.
    assert pair().turn(2, 2, 50).evicted(lrb, 100) == [0]
    assert lrb.decision_times_ns == []


def test_lrb_without_lightgbm(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "lightgbm", None)
    with pytest.raises(PolicyError, match=r"unison\[lrb\]"):
        policy("lrb")
