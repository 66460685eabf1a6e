"""``sw/unison_regs.h``: PeakRDL's masks and structure, and offsets, counts and codes."""

from enum import IntEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from peakrdl_cheader.exporter import CHeaderExporter
from systemrdl.node import AddrmapNode

from unison.contract import encodings
from unison.contract.register_types import Register

_PACKED = "__attribute__ ((__packed__))"
_ENUMS: tuple[tuple[str, type[IntEnum]], ...] = (
    ("EV", encodings.EventCode),
    ("REC", encodings.RecordKind),
    ("TIER", encodings.Tier),
    ("OUT", encodings.Outcome),
    ("CAUSE", encodings.Cause),
)
_END = "#ifdef __cplusplus\n}\n#endif\n\n#endif"


def _ours(regs: tuple[Register, ...]) -> str:
    out = ["// Byte offsets, and the entries of arrays."]
    for r in regs:
        out.append(f"#define UNISON_{r.name}_OFFSET 0x{r.address:03x}u")
        if r.count > 1:
            out.append(f"#define UNISON_{r.name}_COUNT {r.count}u")
    out += ["", "// Registers after reset, where that is a constant."]
    out += [f"#define UNISON_{r.name}_RESET 0x{r.reset:08x}u" for r in regs if r.reset is not None]
    for prefix, enum in _ENUMS:
        out += ["", f"// {enum.__doc__.splitlines()[0]}".replace("``", "")]
        out += [f"#define UNISON_{prefix}_{m.name} {m.value}u" for m in enum]
    return "\n".join([*out, "", ""])


def text(top: AddrmapNode, regs: tuple[Register, ...]) -> str:
    """Text of the header."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "unison_regs.h"
        CHeaderExporter().export(top, str(path))
        made = path.read_text()
    if made.count(_PACKED) != 1 or made.count(_END) != 1:
        raise RuntimeError("PeakRDL-cheader's output is not what this was written for")
    # A packed structure is accessed bytewise on machines that trap on misalignment, and the core
    # refuses an event that comes in bytes: all words of the map are aligned.
    made = made.replace(_PACKED, "__attribute__ ((__packed__, __aligned__(4)))")
    made = made.replace(_END, _ours(regs) + _END)
    head, _, rest = made.partition("\n")
    return f"{head}\n// from rtl/unison.rdl by `python -m tools.regs`; do not edit.\n{rest}"
