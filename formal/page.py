"""docs/formal.md from the summaries of the runs."""

import json
from pathlib import Path

from formal.proof import ROOT
from formal.proofs import PROOFS

PAGE = ROOT / "docs" / "formal.md"
_KINDS = {"induction": "k-induction", "complete": "complete BMC", "bounded": "BMC"}


def _read(path: Path) -> list[dict]:
    return json.loads(path.read_text()) if path.exists() else []


def _closed(proof, row: dict) -> str:
    if row["status"] != "PASS":
        return f"**{row['status']}**"
    if proof.kind == "induction":
        return f"induction closed, k = {row['k']}"
    return "complete: one transaction from any state" if proof.kind == "complete" else "bounded"


def text(build: Path) -> str:
    """The page; what was not run says so."""
    done = {(r["proof"], r["size"]): r for r in _read(build / "summary.json")}
    planted = {(r["proof"], r["bug"]): r for r in _read(build / "planted.json")}
    intro = (ROOT / "formal" / "intro.md").read_text()
    lines = [intro.rstrip(), "", "## Results", ""]
    lines += ["| proof | size | method | depth | result | covers | seconds |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for proof in PROOFS:
        for size in proof.sizes:
            name = ",".join(f"{k}={v}" for k, v in size.items())
            row = done.get((proof.name, name))
            head = f"| {proof.name} | {name.replace(',', ', ')} | {_KINDS[proof.kind]}"
            if row is None:
                lines.append(f"{head} | {proof.depth} | not run | - | - |")
                continue
            covers = f"{row['reached']}/{row['covers']}" if row["covers"] else "-"
            lines.append(f"{head} | {proof.depth} | {_closed(proof, row)} | {covers} "
                         f"| {row['seconds']} |")  # fmt: skip
    lines += ["", "## What each says", "", "| proof | modules | says | narrowed widths |"]
    lines += ["|---|---|---|---|"]
    for proof in PROOFS:
        widths = ", ".join(f"{k} = {v}" for k, v in proof.narrow) or "none"
        lines.append(f"| {proof.name} | {proof.module} | {proof.says} | {widths} |")
    lines += ["", "## Wrong lines, each refused", ""]
    lines += ["| bug | what is wrong | where | fails | seconds |", "|---|---|---|---|---|"]
    for proof in PROOFS:
        for bug in proof.bugs:
            row = planted.get((proof.name, bug.name))
            fails = "not run" if row is None else ", ".join(row["failed"]) or row["status"]
            seconds = "-" if row is None else row["seconds"]
            lines.append(f"| {bug.name} | {bug.what} | `{bug.file}` | {fails} | {seconds} |")
    return "\n".join(lines) + "\n"


def write(build: Path) -> int:
    """Write the page; 1 when something was not run or went wrong."""
    PAGE.write_text(text(build))
    rows = _read(build / "summary.json") + _read(build / "planted.json")
    missing = PAGE.read_text().count("| not run |")
    print(f"formal: {PAGE.relative_to(ROOT)}: {len(rows)} results, {missing} not run")
    return int(missing > 0 or not all(r["ok"] for r in rows))
