"""The tests by name, and what each stands for."""

from dataclasses import dataclass, field

from tb.uvm.sequences.profiles import PROFILES
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
    "mixed": Test("tb.tests.mixed", "MixedTest", "APB and sideband events at once"),
    "mixed_stamps": Test("tb.tests.mixed", "MixedStampsTest", "the same, stamped by the core"),
    "passive": Test("tb.tests.mixed", "PassiveTest", "the same, judged by monitors alone"),
    "mixed_small": Test(
        "tb.tests.mixed", "MixedTest", "the same, 16 slots, 12-bit tokens",
        {"slots": 16, "lanes": 2, "tok_w": 12},
    ),
    "coincide": Test(
        "tb.tests.coincide", "CoincideTest", "configuration writes that meet sideband events"
    ),
    "protocol": Test("tb.tests.protocol", "ProtocolTest", "a broken APB rule is caught"),
    **{
        f"random_{name}": Test("tb.tests.stress", "ProfileTest", f"random: {p.doc}")
        for name, p in PROFILES.items()
    },
    "random_all": Test("tb.tests.stress", "AllProfilesTest", "all random profiles from reset"),
    "resets": Test("tb.tests.resets", "ResetTest", "reset at any moment"),
    "cases": Test("tb.tests.stress", "CasesTest", "cases under tb/cases of as many slots"),
    "speed": Test("tb.tests.speed", "SpeedTest", "a checked event against a bare write loop"),
    "shrink": Test("tb.tests.shrink", "ShrinkTest", "a planted failure is shrunk to a case"),
    "negative": Test("tb.tests.negative", "NegativeTest", "a falsified record is caught"),
}  # fmt: skip
