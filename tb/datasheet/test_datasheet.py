"""The datasheet's diagrams and latencies against the core, played anew."""

import json

import pytest

from tb.datasheet.latency import ROWS
from tb.datasheet.record import play
from tb.simulators import SimulatorError, check_tools
from tools.datasheet.__main__ import RECORDING, ROOT, USED
from tools.datasheet.latency import wrong
from unison.contract.encodings import Arch
from unison.contract.widths import DEFAULT_SLOTS
from unison.scoring import DEFAULT_FORM, Form

KEPT = json.loads((ROOT / RECORDING).read_text())
#: Scorer, architecture, slots, lanes.
VARIANTS = (
    (Form.PRODUCT, Arch.ROWS, 64, 4),
    (Form.QUOTIENT, Arch.ROWS, 16, 2),
    (Form.RECIPROCAL, Arch.ROWS, 16, 2),
    (Form.PRODUCT, Arch.LINEAR, 16, 1),
    (Form.QUOTIENT, Arch.LINEAR, 64, 1),
    (Form.RATIO, Arch.LINEAR, 16, 1),
    (Form.RECIPROCAL, Arch.LINEAR, 16, 1),
)


def _need(simulator: str) -> None:
    try:
        check_tools(simulator)
    except SimulatorError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("simulator", ["verilator", pytest.param("icarus", marks=pytest.mark.long)])
def test_the_pins_still_show_what_the_page_draws(simulator: str) -> None:
    """Every lane of every scene, every latency; then the formulas."""
    _need(simulator)
    got = play(simulator, list(USED), scenes=True)
    hint = "the core has changed: run python -m tools.datasheet --record"
    assert got["latency"] == KEPT["latency"], hint
    assert set(got["waves"]) == set(KEPT["waves"]), hint
    for scene, lanes in KEPT["waves"].items():
        for lane, values in lanes.items():
            assert got["waves"][scene][lane] == values, f"{scene}, {lane}: {hint}"
    assert wrong(got["latency"], Arch.ROWS, DEFAULT_FORM, DEFAULT_SLOTS) == []
    rows = [m for m in got["latency"] if m["rows"] == max(USED)]
    assert [m["decision"] for m in rows] == [row.name for row in ROWS]


@pytest.mark.long
@pytest.mark.parametrize(("form", "arch", "slots", "lanes"), VARIANTS)
def test_formulas_of_variants(form: Form, arch: Arch, slots: int, lanes: int) -> None:
    """Other scores and architectures, with few rows and with nearly all; Icarus builds quickly."""
    _need("icarus")
    used = [4, slots // lanes] if arch is Arch.ROWS else [4, slots - 2]
    core = {"slots": slots, "lanes": lanes, "scorer": form.name.lower()}
    got = play("icarus", used, scenes=False, arch=arch.name.lower(), **core)
    assert len(got["latency"]) == 2 * len(ROWS)
    assert wrong(got["latency"], arch, form, slots) == []


def test_a_wrong_latency_is_told() -> None:
    """One cycle more in one measurement."""
    changed = [dict(m) for m in KEPT["latency"]]
    changed[0]["cycles"] += 1
    told = wrong(changed, Arch.ROWS, DEFAULT_FORM, DEFAULT_SLOTS)
    assert len(told) == 1
    assert told[0].startswith("BYPASS, 4 rows: got 14, expected 13")
