"""The design points: a variant is a set of parameters of `unison`; one table for every tool."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Variant:
    """A form of the core. parameters: of the RTL; bench: options of tb.run beyond slots, lanes."""

    name: str
    doc: str
    parameters: dict[str, int] = field(default_factory=dict)
    bench: dict[str, str] = field(default_factory=dict)

    @property
    def lanes(self) -> int:
        """Lanes of the ranking unit."""
        return self.parameters.get("NumLanes", 4)


def _product(lanes: int) -> Variant:
    return Variant(
        f"product-{lanes}", f"product score, {lanes} lane{'s' * (lanes > 1)}",
        {"NumLanes": lanes, "Scorer": 0}, {"lanes": str(lanes), "scorer": "product"},
    )  # fmt: skip


def _quotient(lanes: int) -> Variant:
    return Variant(
        f"quotient-{lanes}", f"quotient score, {lanes} lane{'s' * (lanes > 1)}",
        {"NumLanes": lanes, "Scorer": 1}, {"lanes": str(lanes), "scorer": "quotient"},
    )  # fmt: skip


#: Add a variant here and every target knows it.
VARIANTS: dict[str, Variant] = {
    v.name: v for v in [*map(_product, (1, 2, 4, 8, 16)), *map(_quotient, (1, 4))]
}
DEFAULT = "product-4"
#: The architecture the paper describes, once the table has it; the tables compare with it.
PAPER = "paper"
SLOTS = (16, 32, 64, 128, 256)
#: Field widths that are parameters of the core, swept at the default variant and 64 slots.
WIDTHS = {"TokW": (12, 16)}


@dataclass(frozen=True)
class Point:
    """A design point: a variant with a number of slots and changed field widths."""

    variant: str = DEFAULT
    slots: int = 64
    widths: tuple[tuple[str, int], ...] = ()

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of `unison`."""
        return {"NumSlots": self.slots} | VARIANTS[self.variant].parameters | dict(self.widths)

    @property
    def name(self) -> str:
        """A word for folders and tables."""
        more = "".join(f"-{k}{v}" for k, v in self.widths)
        return f"{self.variant}-n{self.slots}{more}"


def space() -> list[Point]:
    """All points of `make dse`, the most telling first."""
    points = [Point(v) for v in VARIANTS]
    points += [Point(slots=n) for n in SLOTS if n != 64]
    points += [Point(widths=((k, w),)) for k, widths in WIDTHS.items() for w in widths]
    return points
