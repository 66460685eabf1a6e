"""What the plan may name: tests, simulations, properties, cover items, and who runs them."""

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from formal.proofs import PROOFS
from tb import regress
from tb.catalog import TESTS
from tb.coverage import runs
from tb.coverage.model import CROSSES, POINTS
from tb.simulators import ROOT
from tb.tests import test_sim

_FORMAL = ROOT / "formal"


@cache
def functions(path: Path) -> frozenset[str]:
    """Tests of a file: `test_x`, `Class::test_x`, and cocotb tests by name."""
    out = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            out |= {f"{node.name}::{n}" for n in inner if n.startswith("test_")}
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            out.add(node.name)
        elif isinstance(node, ast.AsyncFunctionDef):
            marks = [ast.unparse(d) for d in node.decorator_list]
            out |= {node.name for m in marks if m.startswith("cocotb.test")}
    return frozenset(out)


def has_test(node: str, root: Path = ROOT) -> bool:
    """Whether a node id, without parameters, names a test."""
    file, _, name = node.partition("::")
    return bool(name) and (root / file).is_file() and name in functions(root / file)


def cover_items() -> list[str]:
    """Points and crosses of the coverage model."""
    points = [f"{group}.{name}" for group, names in POINTS.items() for name in names]
    crosses = [f"{g}.{'_x_'.join(c)}" for g, several in CROSSES.items() for c in several]
    return points + crosses


@cache
def properties() -> dict[str, list[str]]:
    """Labels of the assertions of each proof, those of its own folder included."""
    out = {}
    for proof in PROOFS:
        files = [p for p in proof.sources() if _FORMAL in p.parents]
        files += sorted((_FORMAL / proof.name).glob("*.sv*"))
        text = "\n".join(p.read_text() for p in files)
        found = re.findall(r"\b(\w+)\s*:\s*assert\b|`PROVE\(\w+,\s*(\w+),", text)
        out[proof.name] = sorted({a or b for a, b in found} - {"NAME"})
    return out


def has_property(name: str) -> bool:
    """Whether `proof` or `proof.label` exists."""
    proof, _, label = name.partition(".")
    return proof in properties() and (not label or label in properties()[proof])


def run_by(sim: str) -> list[str]:
    """The commands that run a test of the catalogue, under its own name or a collective one."""
    alike = {sim}
    if sim.startswith("random_"):
        alike.add("random_all")
    if sim.startswith("replay_") and sim != "replay_file":
        alike.add("replay_all")

    def tests(options: tuple[str, ...]) -> set[str]:
        return {b for a, b in pairwise(options) if a == "--test"}

    by = {
        "make test": {test for _, test, _ in test_sim.CASES},
        "make regress": set().union(*map(tests, regress.RUNS)),
        "make coverage": set().union(*(tests(r.options) for r in runs.RUNS)),
    }
    return [command for command, names in by.items() if names & alike]


def has_sim(name: str) -> bool:
    """Whether the catalogue has it."""
    return name in TESTS
