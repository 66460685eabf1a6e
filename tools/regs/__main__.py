"""Writes all that follows from ``rtl/unison.rdl``: ``python -m tools.regs [--check]``.

``--html FOLDER`` writes pages to browse instead. Exit 1 when a file is stale (``--check``), or
the RDL is wrong or contradicts the contract.
"""

import argparse
import sys
from pathlib import Path

from systemrdl import RDLCompileError

from tools.regs import c_header, model, page, python_map, ral
from unison.contract import emit

ROOT = Path(__file__).resolve().parents[2]
RDL = "rtl/unison.rdl"


def outputs(rdl: Path = ROOT / RDL) -> dict[str, str]:
    """Text by file name. RDLCompileError, RdlError."""
    top = model.compile_rdl(rdl)
    regs = model.registers(top, ROOT / "rtl/unison.sv")
    python = python_map.text(regs, model.counters(top))
    return {
        "model/unison/contract/registers.py": python,
        "rtl/unison_pkg.sv": emit.sv_package(python_map.load(python)),
        "sw/unison_regs.h": c_header.text(top, regs),
        "docs/registers.md": page.text(regs),
        "tb/uvm/ral/unison_ral.py": ral.text(top),
    }


def _html(folder: Path) -> None:
    from peakrdl_html import HTMLExporter

    shown = ["refused_while_busy", "not_below", "push", "pop", "ignores_beyond"]
    shown += ["entries_of", "width_of", "parameter_of", "live"]
    top = model.compile_rdl(ROOT / RDL)
    HTMLExporter(extra_doc_properties=shown).export(top, str(folder), title="Unison registers")
    print(f"{folder}/index.html")


def main(argv: list[str] | None = None) -> int:
    """Write, check, or make pages; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="where the files are")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--html", type=Path, metavar="FOLDER", help="write HTML pages only")
    args = parser.parse_args(argv)
    stale = []
    try:
        if args.html:
            _html(args.html)
            return 0
        made = outputs()
    except (RDLCompileError, model.RdlError) as error:
        print(f"{RDL}: {error}", file=sys.stderr)
        return 1
    for name, text in made.items():
        path = args.root / name
        if args.check:
            if not path.exists() or path.read_text() != text:
                stale.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale:
        print(f"stale: {', '.join(stale)}; run python -m tools.regs", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
