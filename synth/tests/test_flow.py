"""One small real synthesis, from RTL to figures and a gate-level replay."""

import shutil
from pathlib import Path

import pytest

from synth import flow, gatesim, library, power
from synth.mapping import Options
from synth.variants import Point

IHP = Path(__file__).resolve().parents[3] / "shared/lib/sg13g2_stdcell_typ_1p20V_25C.lib.gz"


@pytest.mark.long
@pytest.mark.parametrize("lib", [library.DEFAULT, IHP], ids=["osu018", "ihp"])
def test_small_core(lib: Path) -> None:
    if not lib.is_file():
        pytest.skip(f"no {lib.name}")
    if not shutil.which("sta"):
        pytest.skip("no OpenSTA")
    pytest.importorskip("pyosys")
    chosen, point = library.choose(str(lib)), Point("product-1", 16)
    figures = flow.synthesise(point, chosen, Options())
    assert figures["flops"] > figures["blocks"]["slot table"]["flops"] >= 16 * 50
    assert sum(b["flops"] for b in figures["blocks"].values()) == figures["flops"]
    assert sum(b["area"] for b in figures["blocks"].values()) == pytest.approx(figures["area"])
    assert 0 < figures["fmax_mhz"] < 2000
    made = flow.load(flow.folder(point, chosen, Options()), chosen)
    assert made.area() == pytest.approx(figures["area"])
    run = gatesim.replay(point, chosen, Options(), "replay_gaia", "gpu", limit=200)
    assert run.result["mismatches"] == 0
    assert run.result["events"] >= 200
    counts = power.read_activity(run.activity, len(run.nets))
    assert counts.cycles > 1000
    found = power.by_cell(made, run.nets, counts)
    path = flow.folder(point, chosen, Options())
    watts = power.with_activity(chosen, made, path / "netlist.v", found, flow.PERIOD_NS)
    still = dict.fromkeys(found, 0.0)
    floor = power.with_activity(chosen, made, path / "netlist.v", still, flow.PERIOD_NS)
    assert watts.switching > floor.switching
    assert watts.total > floor.total > 0  # the clock never stops
