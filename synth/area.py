"""Generic area of the core by number of lanes: flip-flops, cells, multipliers.

Run `python synth/area.py [--slots N] [--lanes 1 2 4 8] [--scorer 0|1] [--out PAGE]`. Yosys reads
the RTL with its slang front end and synthesises to its generic gates; the figures compare shapes,
they are no technology's.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_SCRIPT = """
read_slang --top unison -D SYNTHESIS {parameters} {sources}
hierarchy -check -top unison
proc; flatten; opt -full; memory; opt -full
tee -q -o {coarse} stat -json
techmap; opt
simplemap; opt -fast
abc -g gates
opt_clean
tee -q -o {fine} stat -json
"""

_RUN = "import sys; from pyosys import libyosys as ys; ys.run_pass(sys.argv[1], ys.Design())"


def _cells(path: Path) -> dict[str, int]:
    module = json.loads(path.read_text())["design"]
    return {name: int(n) for name, n in module["num_cells_by_type"].items()}


def measure(slots: int, lanes: int, scorer: int) -> dict[str, int]:
    """Synthesise one shape; flip-flops, combinational gates, multipliers."""
    with tempfile.TemporaryDirectory() as folder:
        coarse, fine = Path(folder, "coarse.json"), Path(folder, "fine.json")
        sources = sorted(ROOT.glob("rtl/*.sv"), key=lambda p: (p.name != "unison_pkg.sv", p.name))
        text = _SCRIPT.format(
            parameters=f"-G NumSlots={slots} -G NumLanes={lanes} -G Scorer={scorer}",
            sources=" ".join(map(str, sources)),
            coarse=coarse,
            fine=fine,
        )
        script = Path(folder, "area.ys")
        script.write_text(text)
        # A process of its own: Yosys talks much and ends the process on an error.
        run = subprocess.run(
            [sys.executable, "-c", _RUN, f"script {script}"], capture_output=True, text=True
        )
        if not fine.exists():
            raise SystemExit(f"Yosys failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
        at_words, at_gates = _cells(coarse), _cells(fine)
    flops = sum(n for name, n in at_gates.items() if "DFF" in name)
    return {
        "lanes": lanes,
        "flip-flops": flops,
        "gates": sum(at_gates.values()) - flops,
        "multipliers": at_words.get("$mul", 0) + at_words.get("$macc", 0),
    }


def main() -> None:
    """Print one row a shape."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, default=64)
    parser.add_argument("--lanes", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--scorer", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write the table as Markdown")
    args = parser.parse_args()
    lines = ["| lanes | flip-flops | gates | multipliers |", "|---|---|---|---|"]
    print("\n".join(lines))
    for lanes in args.lanes:
        row = measure(args.slots, lanes, args.scorer)
        lines.append("| " + " | ".join(f"{n:,}" for n in row.values()) + " |")
        print(lines[-1], flush=True)
    if args.out:
        args.out.write_text(
            "# Generic area by lanes\n\nWritten by `make area`: Yosys, generic gates, "
            f"{args.slots} slots, {'quotient' if args.scorer else 'product'} score. Good for "
            "comparing shapes; no technology's figures.\n\n" + "\n".join(lines) + "\n"
        )


if __name__ == "__main__":
    main()
