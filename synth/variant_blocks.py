"""Area of the blocks that tell the variants of the ranking apart, in a given library.

Run `python synth/variant_blocks.py --lib FILE.lib[.gz] [--out PAGE]`. Yosys maps each block by
itself and ABC sizes it for 150 MHz; the delay is ABC's of the longest path, without wires.
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Delay that ABC sizes for, ps: a cycle of 150 MHz less what a flip-flop takes.
TARGET = 6000

_SCRIPT = """
read_slang --top {top} -D SYNTHESIS {parameters} {sources}
hierarchy -check -top {top}
proc; flatten; opt -full; memory; opt -full; alumacc; opt -full
techmap; opt -fast; opt -full
dfflibmap -liberty {lib}
abc -liberty {lib} -constr {constr} -script {abc}
opt_clean
tee -q -o {out} stat -json -liberty {lib}
"""
_ABC = (
    "+strash;ifraig;dch,-f;map,-B,0.9,-D,{t};topo;buffer,-c,-N,12;upsize,-D,{t};dnsize,-D,{t};stime"
)
_RUN = "import sys; from pyosys import libyosys as ys; ys.run_pass(sys.argv[1], ys.Design())"


@dataclass(frozen=True)
class Block:
    """What a row is called, the module and its parameters."""

    name: str
    top: str
    parameters: str = ""


#: A stored key of the tournament tree: {valid, key, slot}.
_TREE = 1 + 33 + 6
BLOCKS = (
    Block("score: divider, 6 bits a stage (a)", "unison_score_quotient", "-G Steps=6"),
    Block("score: divider, 3 bits a stage", "unison_score_quotient", "-G Steps=3"),
    Block("score: reciprocals (b)", "unison_score_reciprocal"),
    Block("score: ratio (d)", "unison_score_ratio"),
    Block("score: product, one lane (c)", "unison_score_product"),
    Block("comparison of ratios (d)", "unison_compare", "-G Ratio=1 -G Width=34"),
    Block("comparison of quotients (a, b)", "unison_compare", "-G Width=33"),
    Block("Tide's divider (a, b)", "unison_tide_divide", "-G Steps=4"),
    Block("linear scan with divider (a)", "unison_rank_linear", "-G Scorer=1"),
    Block("linear scan with reciprocals (b)", "unison_rank_linear", "-G Scorer=3"),
    Block("linear scan of ratios (d)", "unison_rank_linear", "-G Scorer=2"),
    Block("sparse scan of ratios (d)", "unison_rank_linear", "-G Scorer=2 -G Sparse=1"),
    Block("rows of one lane, product (c)", "unison_rank", "-G NumLanes=1"),
    Block("rows of four lanes, product (c)", "unison_rank", "-G NumLanes=4"),
    Block("tournament tree over 64 stored keys (e)", "unison_best", f"-G Num=64 -G Width={_TREE}"),
)


def _cells(lib: str, part: str) -> list[tuple[float, str]]:
    """(area, name) of the cells whose name contains `part`, from the smallest."""
    cell = rf'cell\s*\("?([^")]*{part}[^")]*)"?\)\s*\{{.*?\barea\s*:\s*([\d.]+)'
    found = sorted((float(area), name) for name, area in re.findall(cell, lib, re.S))
    if not found:
        raise SystemExit(f"blocks: the library has no cell named {part}")
    return found


def nand2_area(lib: str) -> float:
    """Area of the library's smallest two-input NAND: the gate equivalent."""
    return _cells(lib, "nand2")[0][0]


def _driver(lib: str) -> str:
    """A buffer to drive inputs with: the second smallest, where there are several."""
    found = _cells(lib, "buf")
    return found[min(1, len(found) - 1)][1]


def measure(block: Block, lib: Path, folder: Path, driver: str) -> dict[str, float]:
    """Flip-flops, area and delay of a block."""
    out, script, constr = folder / "stat.json", folder / "block.ys", folder / "constr"
    out.unlink(missing_ok=True)
    constr.write_text(f"set_driving_cell {driver}\nset_load 20.0\n")
    sources = sorted(ROOT.glob("rtl/*.sv"), key=lambda p: (p.name != "unison_pkg.sv", p.name))
    script.write_text(
        _SCRIPT.format(
            top=block.top, parameters=block.parameters, sources=" ".join(map(str, sources)),
            lib=lib, constr=constr, abc=_ABC.format(t=TARGET), out=out,
        )
    )  # fmt: skip
    # A process of its own: Yosys talks much and ends the process on an error.
    run = subprocess.run(
        [sys.executable, "-c", _RUN, f"script {script}"], capture_output=True, text=True
    )
    if not out.exists():
        raise SystemExit(f"Yosys failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    design = json.loads(out.read_text())["design"]
    cells = design["num_cells_by_type"]
    flops = sum(int(n) for name, n in cells.items() if "df" in name.lower())
    delays = re.findall(r"Delay = *([\d.]+) ps", run.stdout)
    return {"flops": flops, "area": float(design["area"]), "delay": float(delays[-1]) / 1000}


def main() -> None:
    """Print one row a block."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", type=Path, required=True, help="Liberty file, may be .gz")
    parser.add_argument("--out", type=Path, help="write the table as Markdown")
    args = parser.parse_args()
    opened = gzip.open if args.lib.suffix == ".gz" else open
    with opened(args.lib, "rt") as file:
        text = file.read()
    unit, driver = nand2_area(text), _driver(text)
    head = ("block", "flip-flops", "area", "gate equivalents", "delay, ns")
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = folder / "cells.lib"
        plain.write_text(text)
        print("\n".join(lines))
        for block in BLOCKS:
            m = measure(block, plain, folder, driver)
            lines.append(
                f"| {block.name} | {m['flops']:,} | {m['area']:,.0f} | {m['area'] / unit:,.0f} | "
                f"{m['delay']:.2f} |"
            )
            print(lines[-1], flush=True)
    if args.out:
        args.out.write_text(
            "# Blocks of the variants\n\n"
            "Written by `python synth/variant_blocks.py`: each block mapped by "
            f"itself, 64 slots, {args.lib.name.split('.lib')[0]}; areas in the library's unit. "
            "The delay is ABC's without wires, sized for 6 ns, flip-flops not counted.\n\n"
            + "\n".join(lines)
            + "\n"
        )


if __name__ == "__main__":
    main()
