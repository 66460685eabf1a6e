"""Scripts with rewrites: their steps, and what of them can be played."""

from dataclasses import replace

import pytest

from tb.settings import Settings
from tb.uvm import cases
from tb.uvm.script import Rewrite, Script
from tb.uvm.sequences.profiles import PROFILES, script
from unison.contract import CoreEvent, EventCode, Tier
from unison.core import EventCore


@pytest.fixture(params=["product", "quotient"])
def made(request) -> Script:
    settings = Settings("random_rewrites", "", "", slots=16, scorer=request.param)
    return script(PROFILES["rewrites"], settings, 200, 1)


def test_steps_make_the_script_again(made) -> None:
    assert len(made.steps) == 200 + len(made.rewrites)
    assert made.of(made.steps) == made
    assert made.steps[made.step_of(199)] == made.workload.events[199]
    assert made.step_of(40) == 41  # behind the rewrite after 40 events
    assert made.step_of(1000) == made.step_of(199)
    assert made.playable()


def test_case_keeps_rewrites(made, tmp_path) -> None:
    cases.save(tmp_path / "case.json", made, "why")
    loaded, found_with = cases.load(tmp_path / "case.json")
    assert found_with == made.workload.fixed.form
    assert loaded.workload.events == made.workload.events
    assert loaded.workload.fixed == made.workload.fixed
    assert loaded.rewrites.keys() == made.rewrites.keys()
    for n, rewrite in made.rewrites.items():
        for name in ("cap_sram", "cap_hbm", "fixed"):
            assert getattr(loaded.rewrites[n], name) == getattr(rewrite, name)


def test_capacity_below_what_is_used_cannot_be_played(made) -> None:
    """A shrinker that took such a refusal for the failure would end with it."""
    w = made.workload
    size = 5
    first = CoreEvent(EventCode.REQ, 0, size, 0)
    core = EventCore(w.config, w.fixed)
    core.step(first)
    tier = core.slots[0].tier
    caps = [w.config.cap_sram, w.config.cap_hbm]
    for cap, good in ((size, True), (size - 1, False)):
        caps[tier - Tier.SRAM] = cap
        new = Rewrite(*caps, w.fixed, w.float64)
        assert made.of([first, new]).playable() == good
        assert made.of([new, replace(first, tokens=cap)]).playable()
    assert not made.of([new]).playable()
