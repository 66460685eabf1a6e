"""The latency tables: formulas beside what the recording measured."""

from typing import Any

from tb.datasheet.latency import BY_NAME, DIVIDED, DIVIDER, PASS, ROWS, Core
from tools.datasheet.tables import table
from unison.contract.encodings import Arch
from unison.scoring import Form


def formulas(recording: dict[str, Any]) -> str:
    """A row a decision: formulas, and cycles measured with few and with all rows."""
    measured = recording["latency"]
    used = sorted({m["rows"] for m in measured})
    found = {(m["decision"], m["rows"]): m["cycles"] for m in measured}
    return table(
        ("decision", "rows (`Arch` 0)", "linear (`Arch` 1)", *(f"R = {n}" for n in used)),
        (
            (row.name, row.rows, row.linear, *(found.get((row.name, n), "") for n in used))
            for row in ROWS
        ),
    )


def passes() -> str:
    """P by score and architecture."""
    forms = [f for f in Form if any(f in by_form for by_form in PASS.values())]
    rows = []
    for f in forms:
        cells = [
            f"{letter} + {PASS[a][f]}" if f in PASS[a] else ""
            for a, letter in ((Arch.ROWS, "R"), (Arch.LINEAR, "N"))
        ]
        rows.append((f"{int(f)} {f.name.lower()}", *cells))
    return table(("`Scorer`", "rows: P", "linear: P"), rows)


def divider() -> str:
    """What D is."""
    which = ", ".join(str(int(f)) for f in DIVIDED)
    return f"D = {DIVIDER}, the stages of the linear architecture's divider (scores {which})"


def wrong(latencies: list[dict[str, Any]], arch: Arch, form: Form, slots: int) -> list[str]:
    """Measurements that the formulas do not give, a line each."""
    out = []
    for m in latencies:
        core = Core(arch, form, slots if arch is Arch.LINEAR else m["rows"])
        want = BY_NAME[m["decision"]].cycles(core)
        if m["cycles"] != want:
            out.append(f"{m['decision']}, {m['rows']} rows: got {m['cycles']}, expected {want}")
    return out
