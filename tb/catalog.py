"""The tests by name, and what each stands for."""

from dataclasses import dataclass, field

from unison.traces.paths import FAMILIES


@dataclass(frozen=True)
class Test:
    """One test: its module and class, what it fixes, and whether it replays a trace.

    fixed: settings that the test decides itself.
    """

    module: str
    name: str
    doc: str
    fixed: dict = field(default_factory=dict)
    replay: bool = False

    __test__ = False


DEFAULT_ENVELOPE = "edge-tight"
#: Envelopes of replay_all.
ALL_ENVELOPES = ("edge-tight", "gpu")

_REPLAY = ("tb.tests.replay", "ReplayTest")


def _families() -> dict[str, Test]:
    return {
        f"replay_{f}": Test(*_REPLAY, f"trace {f}", {"trace": f}, replay=True) for f in FAMILIES
    }


TESTS: dict[str, Test] = {
    "replay_gaia": Test(*_REPLAY, "trace gaia_gemma4", {"trace": "gaia_gemma4"}, replay=True),
    **_families(),
    "replay_all": Test(*_REPLAY, "six families at edge-tight and gpu", replay=True),
    "replay_file": Test(*_REPLAY, "the trace file of TRACE", replay=True),
    "smoke": Test("tb.tests.smoke", "SmokeTest", "random events, 64 slots"),
    "smoke_small": Test(
        "tb.tests.smoke", "SmokeTest", "the same, 16 slots, 12-bit tokens",
        {"slots": 16, "lanes": 2, "tok_w": 12},
    ),
    "registers": Test("tb.tests.registers", "RegistersTest", "every register and access rule"),
    "back_pressure": Test(
        "tb.tests.back_pressure", "BackPressureTest", "full FIFOs, a slow reader, a slow DMA"
    ),
    "stamps": Test("tb.tests.stamps", "StampsTest", "the core's own timestamps"),
    "coverage_corners": Test(
        "tb.tests.coverage_corners", "CornersTest", "directed events for coverage's corners"
    ),
    "coverage_counters": Test(
        "tb.tests.coverage_counters", "CountersTest", "counters and times near saturation"
    ),
    "coverage_slots": Test(
        "tb.tests.coverage_slots", "SlotsTest", "every slot live, sizes and waits of every octave"
    ),
    "negative": Test("tb.tests.negative", "NegativeTest", "a falsified record is caught"),
}  # fmt: skip
