"""The clauses: read from `tb/plan/clauses/*.toml`, one file a section of the contract."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).with_name("clauses")


class PlanError(Exception):
    """A file of the plan is wrong; the message says which and where."""


@dataclass(frozen=True)
class Clause:
    """One rule of the contract, and what shows that it is kept.

    id: within its section. quotes: phrases of the section's text that it stands for; each lies
    in one statement. tests: pytest node ids, or a cocotb test by its file and name. sims: tests
    of tb/catalog.py. properties: proofs of formal/proofs.py, as a whole or `proof.label`. cover:
    items of tb/coverage/model.py. informative: why nothing can show it; then nothing is named.
    """

    section: str
    id: str
    quotes: list[str]
    tests: list[str] = field(default_factory=list)
    sims: list[str] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    cover: list[str] = field(default_factory=list)
    informative: str = ""

    @property
    def name(self) -> str:
        """Its id in the whole plan."""
        return f"{self.section}.{self.id}"

    @property
    def shown(self) -> bool:
        """Whether a test or a proof is named; a cover point alone shows nothing."""
        return bool(self.tests or self.sims or self.properties)


@dataclass(frozen=True)
class Part:
    """The clauses of one section. informative: why the whole section rules nothing."""

    section: str
    clauses: tuple[Clause, ...]
    informative: str = ""


def load(folder: Path = FOLDER) -> list[Part]:
    """All parts, by section; PlanError when a file cannot be understood."""
    parts = []
    for path in sorted(folder.glob("*.toml")):
        try:
            body = tomllib.loads(path.read_text())
            section = body.pop("section")
            clauses = tuple(Clause(section, **c) for c in body.pop("clause", []))
            part = Part(section, clauses, **body)
        except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            raise PlanError(f"{path.name}: {error}") from None
        parts.append(part)
    return sorted(parts, key=lambda p: int(p.section))
