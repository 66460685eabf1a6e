"""What is wrong with the plan: against the contract, and against what it names."""

from collections import Counter
from collections.abc import Iterator

from tb.plan import names
from tb.plan.clauses import Clause, Part
from tb.plan.contract import Section


def problems(parts: list[Part], sections: list[Section]) -> list[str]:
    """One line each; none: the plan is whole."""
    by_number = {s.number: s for s in sections}
    out = []
    planned = Counter(p.section for p in parts)
    for number, section in by_number.items():
        if planned[number] != 1:
            out.append(f"section {number} ({section.title}): {planned[number]} files, expected 1")
    for part in parts:
        if part.section not in by_number:
            out.append(f"section {part.section}: not in the contract")
            continue
        out += _part(part, by_number[part.section])
    return out


def _part(part: Part, section: Section) -> Iterator[str]:
    if not part.clauses and not part.informative:
        yield f"section {part.section}: no clause, and no reason why it needs none"
    for name, n in Counter(c.name for c in part.clauses).items():
        if n > 1:
            yield f"{name}: {n} clauses of this name"
    said: set[int] = set()
    for clause in part.clauses:
        if not clause.quotes:
            yield f"{clause.name}: no quote"
        for quote in clause.quotes:
            found = section.find(quote)
            if len(found) != 1:
                where = f"in {len(found)} statements of section {part.section}, expected 1"
                yield f"{clause.name}: quote {quote!r} is {where}"
            said.update(found)
        yield from _evidence(clause)
    if not part.informative:
        for i, statement in enumerate(section.statements):
            if i not in said:
                yield f"section {part.section}: no clause quotes: {statement[:90]!r}"


def _evidence(clause: Clause) -> Iterator[str]:
    if clause.informative:
        if clause.shown or clause.cover:
            yield f"{clause.name}: informative, but something is named that shows it"
        return
    if not clause.shown:
        yield f"{clause.name}: no test and no property"
    for what, named, known in (
        ("test", clause.tests, names.has_test),
        ("simulation", clause.sims, names.has_sim),
        ("property", clause.properties, names.has_property),
        ("cover item", clause.cover, lambda c: c in names.cover_items()),
    ):
        for name in named:
            if not known(name):
                yield f"{clause.name}: no such {what}: {name}"
            elif what == "simulation" and not names.run_by(name):
                yield f"{clause.name}: no command runs the simulation {name}"
