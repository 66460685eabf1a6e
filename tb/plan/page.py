"""`docs/testplan.md` from the plan."""

from tb.coverage.document import table
from tb.plan import names
from tb.plan.clauses import Clause, Part
from tb.plan.contract import Section

_INTRO = """# Testplan

Written by `make testplan` from `tb/plan/clauses/*.toml`; do not edit. Each clause stands for the
quoted phrases of [the contract](contract.md). `tb/plan/test_plan.py` fails when a clause has no
test and no property, when something named does not exist or is run by no command, when a quote is
not in its section any more, when a section has no clause, or when a statement of a section that
rules something is quoted by none.

Tests are pytest node ids (a name in a file of `tb/block` may be a cocotb test, which the pytest
test of that file runs). A sim is a test of `tb/catalog.py` (`make TEST=`); the golden model checks
every record of it. Properties are labels in `formal/` ([proofs](formal.md)), cover items those
of `tb/coverage/model.py` ([results](coverage.md)).
"""


def totals(parts: list[Part], contract: list[Section]) -> str:
    """The plan in one line."""
    clauses = [c for p in parts for c in p.clauses if not c.informative]
    ruling = {p.section for p in parts if not p.informative}
    statements = sum(len(s.statements) for s in contract if s.number in ruling)
    proved = sum(bool(c.properties) for c in clauses)
    covered = sum(bool(c.cover) for c in clauses)
    return (
        f"{len(clauses)} clauses for {statements} statements; {proved} of them with a property, "
        f"{covered} with a cover item"
    )


def _code(values: list[str]) -> str:
    return "<br>".join(f"`{v}`" for v in values)


def _row(c: Clause) -> list[str]:
    quotes = "<br>".join(q.strip("| ").replace("*", "\\*") for q in c.quotes)
    if c.informative:
        return [f"**{c.name}**", quotes, f"nothing: {c.informative}", "-", "-"]
    tests = [_code(c.tests)] if c.tests else []
    if c.sims:
        tests.append("sim: " + ", ".join(f"`{s}`" for s in c.sims))
    return [
        f"**{c.name}**", quotes, "<br>".join(tests) or "-", _code(c.properties) or "-",
        _code(c.cover) or "-",
    ]  # fmt: skip


def _sims(parts: list[Part]) -> str:
    used = sorted({s for p in parts for c in p.clauses for s in c.sims})
    return table(["sim", "run by"], [[f"`{s}`", ", ".join(names.run_by(s))] for s in used])


def _unnamed(parts: list[Part]) -> str:
    named = {n for p in parts for c in p.clauses for n in c.cover}
    left = [n for n in names.cover_items() if n not in named]
    return ", ".join(f"`{n}`" for n in left) or "none"


def render(parts: list[Part], contract: list[Section]) -> str:
    """The page."""
    titles = {s.number: s.title for s in contract}
    out = [_INTRO, f"{totals(parts, contract)}.\n"]
    for part in parts:
        out.append(f"## {part.section}. {titles[part.section]}\n")
        if part.informative:
            out.append(f"No clause: {part.informative}.\n")
        if part.clauses:
            head = ["clause", "contract", "tests", "properties", "cover"]
            out.append(table(head, [_row(c) for c in part.clauses]))
    out += [
        "## What runs the simulations\n",
        "The pytest tests run in `make test` or, marked long, in `make regress`; properties in\n"
        "`make formal`; `make coverage` measures the cover items.\n",
        _sims(parts),
        "## Cover items that no clause names\n",
        f"They measure the stimulus: {_unnamed(parts)}.\n",
    ]
    return "\n".join(out)
