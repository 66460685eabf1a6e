"""Parsers of OpenSTA's, Yosys' and nextpnr's reports and of the activity file."""

from pathlib import Path

import pytest

from synth import fpga, power, sta
from synth.mapping import FlowError
from synth.tests.circuit import N0, Q0, Q1, Y, circuit

_PATHS = """Startpoint: r_a (rising edge-triggered flip-flop clocked by clk)
Endpoint: r_b
          (rising edge-triggered flip-flop clocked by clk)
Path Group: clk
Path Type: max

  Delay    Time   Description
---------------------------------------------------------
 0.0000  0.0000   clock clk (rise edge)
 0.0000  0.0000   clock network delay (ideal)
 0.0000  0.0000 ^ r_a/CLK (DFR)
 0.2500  0.2500 v r_a/Q (DFR)
 0.1000  0.3500 ^ c1/Y (ND2_1)
 0.0010  0.3510 ^ r_b/D (DFR)
         0.3510   data arrival time

 6.6667  6.6667   clock clk (rise edge)
-0.1000  6.5667   library setup time
         6.5667   data required time
---------------------------------------------------------
         6.5667   data required time
        -0.3510   data arrival time
---------------------------------------------------------
         6.2157   slack (MET)
"""


def test_paths() -> None:
    (path,) = sta.parse_paths(_PATHS)
    assert (path.start, path.end) == ("r_a", "r_b")
    assert path.slack == 6.2157
    assert path.arrival == 0.351
    assert [s.instance for s in path.stages] == ["r_a", "r_a", "c1", "r_b"]
    assert path.stages[2].delay == pytest.approx(0.1)
    assert sta.parse_paths("No paths found.") == []


def test_power() -> None:
    text = """Group                  Internal  Switching    Leakage      Total
----------------------------------------------------------------
Sequential             2.13e-01   3.40e-03   7.16e-06   2.16e-01  64.4%
Total                  3.09e-01   2.59e-02   1.92e-05   3.35e-01 100.0%
"""
    found = sta.parse_power(text)
    assert found["Sequential"].internal == 0.213
    assert found["Total"].total == pytest.approx(0.3349192)
    with pytest.raises(FlowError):
        sta.parse_power("")


def test_cells() -> None:
    text = """     Internal    Switching      Leakage        Total
        Power        Power        Power        Power
----------------------------------------------------
 1.234608e-05 0.000000e+00 5.385420e-10 1.234662e-05 r_a
 7.467743e-07 4.193609e-07 8.122161e-11 1.166216e-06 c1
"""
    found = sta.parse_cells(text)
    assert list(found) == ["r_a", "c1"]
    assert found["c1"].switching == 4.193609e-07


def test_activity(tmp_path: Path) -> None:
    made = circuit()
    nets = ["0", "1", *range(2, 9)]
    path = tmp_path / "activity.txt"
    rows = ["0 0", "0 100", *(f"{n} {2 * n}" for n in range(2, 9))]
    path.write_text("100\n" + "\n".join(rows) + "\n")
    counts = power.read_activity(path, len(nets))
    found = power.by_cell(made, nets, counts)
    assert found == {"r_a": Q0 / 100, "r_b": Q1 / 100, "c1": N0 / 100, "c2": Y / 100}
    still = {name: sta.Power(1.0, 0.0, 0.5) for name in found}
    busy = {name: sta.Power(3.0, 100.0, 0.5) for name in found}
    total = power.scaled(still, busy, found)
    assert total.switching == pytest.approx(Q0 + Q1 + N0 + Y)
    assert total.internal == pytest.approx(4 + 2 * (Q0 + Q1 + N0 + Y) / 100)
    assert total.leakage == 2
    with pytest.raises(ValueError, match="expected 8"):
        power.read_activity(path, 8)


def test_xc7_cells() -> None:
    cells = {"LUT6": 5, "LUT2": 1, "INV": 2, "FDRE": 3, "FDCE_1": 4, "DSP48E1": 2, "RAMB36E1": 1,
             "RAM32M": 6, "CARRY4": 7, "MUXF7": 8, "MUXF8": 1}  # fmt: skip
    assert fpga.classify(cells) == {
        "lut": 8 + 24, "lut_memory": 24, "ff": 7, "dsp": 2, "bram": 1, "carry": 7, "mux": 9
    }  # fmt: skip


def test_unknown_memory() -> None:
    with pytest.raises(FlowError, match="RAM512X1S9"):
        fpga.classify({"RAM512X1S9": 1})


def test_nextpnr_report() -> None:
    report = {
        "fmax": {"clk": {"achieved": 61.26, "constraint": 50}},
        "utilization": {"TRELLIS_FF": {"used": 5, "available": 9}, "DCCA": {"used": 0}},
    }
    assert fpga.parse_nextpnr(report) == {"fmax_mhz": 61.3, "used": {"TRELLIS_FF": 5}}
    with pytest.raises(FlowError):
        fpga.parse_nextpnr({})
