"""Evidence out of `build/`, kept in `docs/results/evidence.json`, and which RTL it is of."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tb.simulators import BUILD, ROOT

EVIDENCE = ROOT / "docs" / "results" / "evidence.json"


#: Counts of mutants that are shown.
MUTANTS = ("found", "chosen", "killed", "survived", "equivalent")


def _rtl_files(root: Path) -> list[Path]:
    return sorted(root.glob("rtl/*.sv"))


def fingerprint(root: Path = ROOT) -> str:
    """Eight digits for the RTL, its comments and white space left out."""
    digest = hashlib.sha256()
    for path in _rtl_files(root):
        code = re.sub(r"//.*", "", path.read_text())
        digest.update(f"{path.name} {' '.join(code.split())}\n".encode())
    return digest.hexdigest()[:8]


def coverage(path: Path) -> dict[str, Any]:
    """Totals of build/coverage/summary.json."""
    body = json.loads(path.read_text())
    reasons = [bool(e["unreachable"]) for e in body["exclusions"]]
    return {
        "passed": body["passed"], "targets": body["targets"], "totals": body["totals"],
        "runs": len(body["runs"]), "items": len(body["functional"]),
        "unreachable": sum(reasons), "waived": len(reasons) - sum(reasons),
    }  # fmt: skip


def formal(path: Path) -> dict[str, Any]:
    """Proofs of build/formal/summary.json and wrong lines of planted.json beside it."""
    rows = json.loads(path.read_text())
    other = path.with_name("planted.json")
    planted = json.loads(other.read_text()) if other.exists() else []
    return {
        "runs": len(rows), "ok": sum(r["ok"] for r in rows),
        "covers": sum(r["covers"] for r in rows), "reached": sum(r["reached"] for r in rows),
        "planted": len(planted), "refused": sum(r["ok"] for r in planted),
        "seconds": round(sum(r["seconds"] for r in rows + planted)),
    }  # fmt: skip


def soak(path: Path) -> dict[str, Any]:
    """The figures of the last soak."""
    body = json.loads(path.read_text())
    keep = ("events", "records", "mismatches", "legs", "refused", "cycles_per_event",
            "speed_against_bare_writes")  # fmt: skip
    return {k: body[k] for k in keep}


def regress(path: Path) -> dict[str, Any]:
    """Runs of the last regression, and what failed."""
    body = json.loads(path.read_text())
    return {"runs": body["runs"], "failed": body["failed"], "seconds": round(body["seconds"])}


def tests(path: Path) -> dict[str, Any]:
    """Counts of pytest's JUnit file."""
    suites = list(ElementTree.parse(path).getroot().iter("testsuite"))
    total = {k: sum(int(s.get(k, 0)) for s in suites) for k in
             ("tests", "failures", "errors", "skipped")}  # fmt: skip
    return total | {"seconds": round(sum(float(s.get("time", 0)) for s in suites))}


def mutate(path: Path) -> dict[str, Any]:
    """The counts of the mutation summary, by part ("rtl", "model"); a flat one is one part."""
    body = json.loads(path.read_text())
    groups = {k: v for k, v in body.items() if isinstance(v, dict) and "killed" in v}
    groups = groups or {"all": body}
    plain = {k: {n: g[n] for n in MUTANTS if n in g} for k, g in groups.items()}
    return {"groups": plain}


#: Each kind of evidence: its file under `build/` and what reads it.
KINDS: dict[str, tuple[str, Callable[[Path], dict[str, Any]]]] = {
    "tests": ("results/tests.xml", tests),
    "regress": ("results/regress.json", regress),
    "coverage": ("coverage/summary.json", coverage),
    "formal": ("formal/summary.json", formal),
    "mutate": ("mutate/summary.json", mutate),
    "soak": ("results/soak.json", soak),
}


def collect(old: dict[str, Any], build: Path = BUILD, root: Path = ROOT) -> dict[str, Any]:
    """`old` with what `build` has put in place of it.

    rtl of an entry: the fingerprint, or None when the RTL has changed since it was measured.
    """
    newest = max(p.stat().st_mtime for p in _rtl_files(root))
    out = dict(old)
    for name, (file, read) in KINDS.items():
        path = build / file
        if path.exists():
            fresh = path.stat().st_mtime > newest
            out[name] = {"rtl": fingerprint(root) if fresh else None} | read(path)
    return out


def load(path: Path = EVIDENCE) -> dict[str, Any]:
    """The evidence kept so far; empty when there is none."""
    return json.loads(path.read_text()) if path.exists() else {}


def save(evidence: dict[str, Any], path: Path = EVIDENCE) -> None:
    """Keep it, in its order: the page follows it."""
    path.write_text(json.dumps(evidence, indent=1) + "\n")
