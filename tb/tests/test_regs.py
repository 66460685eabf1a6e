"""The register map's generator: committed files, contradictions, and the C header by a compiler."""

import shutil
import subprocess
from pathlib import Path

import pytest
from systemrdl import RDLCompileError

from tools.regs import __main__ as regs
from tools.regs.model import RdlError
from unison.contract import Cause, EventCode, Outcome, RecordKind, Tier
from unison.contract.registers import REGISTERS

ROOT = regs.ROOT
RDL = (ROOT / regs.RDL).read_text()
OUTPUTS = regs.outputs()


@pytest.mark.parametrize("name", OUTPUTS)
def test_committed_file_is_the_generated_one(name: str) -> None:
    assert (ROOT / name).read_text() == OUTPUTS[name]


def test_check_names_a_stale_file(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert regs.main(["--root", str(tmp_path)]) == 0
    assert regs.main(["--root", str(tmp_path), "--check"]) == 0
    (tmp_path / "sw/unison_regs.h").write_text("// edited\n")
    assert regs.main(["--root", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().err == "stale: sw/unison_regs.h; run python -m tools.regs\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TOKENS[19:0] = 0;\n  } CAP_SRAM", "TOKENS[20:0] = 0;\n  } CAP_SRAM",
         r"CAP_SRAM.TOKENS: got 21 bits, but widths.TOK_W is 20"),
        ("MIG_DONE = 4'd5", "MIG_DONE = 4'd6", r"CODE: enum EventCode"),
        ("TURN[64]", "TURN[63]", r"got 63 entries, but TURN_ENTRIES has 64"),
        ("CNT_ERROR[10]", "CNT_ERROR[11]", r"got 11 entries, but Cause has 10"),
        ("SLOT_FREE, REQ_ACTIVE", "REQ_ACTIVE, SLOT_FREE", r"desc must list UNKNOWN_CODE"),
        ('parameter_of = "NumLanes"', 'parameter_of = "Lanes"', r"unison.sv lacks Lanes"),
        ('not_below = "USED_HBM"', 'not_below = "USED"', r"not_below USED: no such register"),
        ("RECORD[0:0]", "record[0:0]", r"the name is taken in pyuvm's registers"),
        ("    pop;\n    default sw = r;", "    pop;", r"a pop register is read-only"),
        ("    push;\n", "", r"push registers, and only they, are write-only"),
    ],
)  # fmt: skip
def test_a_contradiction_stops(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in RDL
    path = tmp_path / "unison.rdl"
    path.write_text(RDL.replace(old, new, 1))
    with pytest.raises(RdlError, match=message):
        regs.outputs(path)


def test_registers_that_overlap_do_not_compile(tmp_path: Path) -> None:
    path = tmp_path / "unison.rdl"
    path.write_text(RDL.replace("CTRL @ 0x00C", "CTRL @ 0x008"))
    with pytest.raises(RDLCompileError):
        regs.outputs(path)


def _constants() -> dict[str, int]:
    """What the C header must say, by C expression."""
    want = {"sizeof(unison_t)": max(r.address + 4 * r.count for r in REGISTERS)}
    for r in REGISTERS:
        want[f"UNISON_{r.name}_OFFSET"] = want[f"offsetof(unison_t, {r.name})"] = r.address
        want[f"sizeof(((unison_t *)0)->{r.name})"] = 4 * r.count
        if r.count > 1:
            want[f"UNISON_{r.name}_COUNT"] = r.count
        if r.reset is not None:
            want[f"UNISON_{r.name}_RESET"] = r.reset
        for f in r.fields:
            name = f"UNISON__{r.name}__{f.name}"
            want |= {f"{name}_bm": f.mask, f"{name}_bp": f.lsb, f"{name}_bw": f.width}
            if f.reset is not None:
                want[f"{name}_reset"] = f.reset
    for prefix, enum in (
        ("EV", EventCode), ("REC", RecordKind), ("TIER", Tier), ("OUT", Outcome), ("CAUSE", Cause),
    ):  # fmt: skip
        want |= {f"UNISON_{prefix}_{m.name}": m.value for m in enum}
    return want


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
def test_c_header_agrees_with_python(tmp_path: Path) -> None:
    want = _constants()
    prints = "\n".join(f'  printf("%llu\\n", (unsigned long long)({c}));' for c in want)
    source = tmp_path / "print.c"
    source.write_text(
        '#include <stddef.h>\n#include <stdio.h>\n#include "unison_regs.h"\n'
        f"int main(void) {{\n{prints}\n  return 0;\n}}\n"
    )
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'sw'}"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(tmp_path / "print")], check=True)
    done = subprocess.run([tmp_path / "print"], check=True, capture_output=True, text=True)
    got = dict(zip(want, map(int, done.stdout.split()), strict=True))
    assert got == want
