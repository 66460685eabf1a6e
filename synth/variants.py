"""The design points: a variant is a set of parameters of `unison`; one table for every tool."""

from dataclasses import dataclass, field

from unison.contract.encodings import Arch
from unison.contract.widths import DEFAULT_LANES
from unison.scoring import DEFAULT_FORM, Form


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


def _rows(form: Form, lanes: int) -> Variant:
    """Our architecture: rows of `lanes` slots, those in use."""
    name = form.name.lower()
    return Variant(
        f"{name}-{lanes}", f"{name} score, {lanes} lane{'s' * (lanes > 1)}",
        {"NumLanes": lanes, "Scorer": int(form), "Arch": int(Arch.ROWS)},
        {"lanes": str(lanes), "scorer": name, "arch": "rows"},
    )  # fmt: skip


def _one(name: str, doc: str, arch: Arch, form: Form) -> Variant:
    """One slot a cycle."""
    return Variant(
        name, doc, {"NumLanes": 1, "Scorer": int(form), "Arch": int(arch)},
        {"lanes": "1", "scorer": form.name.lower(), "arch": arch.name.lower()},
    )  # fmt: skip


#: The architecture the paper describes, as we reconstruct it; the tables compare with it.
PAPER = "paper"
#: Add a variant here and every target knows it.
VARIANTS: dict[str, Variant] = {
    v.name: v
    for v in [
        *(_rows(Form.COMPACT, lanes) for lanes in (4, 2, 1, 8, 16)),
        _one(PAPER, "the paper's: linear scan, dividers", Arch.LINEAR, Form.QUOTIENT),
        _rows(Form.PRODUCT, 4),
        _one("ratio-sparse", "exact ratios, candidates alone", Arch.SPARSE, Form.RATIO),
        _one("ratio-linear", "exact ratios, linear scan", Arch.LINEAR, Form.RATIO),
        _one("reciprocal", "linear scan, reciprocals", Arch.LINEAR, Form.RECIPROCAL),
        _rows(Form.PRODUCT, 1),
        _rows(Form.QUOTIENT, 4),
    ]
}
DEFAULT = f"{DEFAULT_FORM.name.lower()}-{DEFAULT_LANES}"
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
