"""What a proof is, and a wrong line that it must refuse."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RTL = ROOT / "rtl"
HERE = ROOT / "formal"


@dataclass(frozen=True)
class Bug:
    """One wrong line: in `file` of ``rtl/``, `good`, which stands there once, becomes `bad`."""

    name: str
    what: str
    file: str
    good: str
    bad: str

    def places(self) -> int:
        """How often the good text stands in its file."""
        return (RTL / self.file).read_text().count(self.good)


@dataclass(frozen=True)
class Proof:
    """A property file and what it is run on.

    kind: "induction" (base case to `depth`, then k-induction), "complete" (BMC from any state
    over a transaction of bounded length: complete at `depth`), "bounded" (BMC from reset).
    rtl: files of ``rtl/`` but the package. narrow: widths of the package that are reduced.
    parts: files that the harness includes.
    """

    name: str
    says: str
    module: str
    rtl: tuple[str, ...]
    sizes: tuple[dict[str, int], ...]
    kind: str
    depth: int
    cover: int
    bugs: tuple[Bug, ...]
    files: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    narrow: tuple[tuple[str, int], ...] = ()
    #: Size and depth of the runs with a wrong line; None: the last size, from reset.
    plant: tuple[dict[str, int], int] | None = None
    #: Sizes and depths that the covers run on, once for all sizes; none: each size.
    covers: tuple[tuple[dict[str, int], int], ...] = ()

    @property
    def top(self) -> str:
        """The harness."""
        return f"formal_{self.name}"

    def sources(self) -> list[Path]:
        """RTL files, package first, and the harness."""
        own = [HERE / f for f in (*self.files, f"{self.name}.sv")]
        return [RTL / "unison_pkg.sv", *(RTL / f for f in self.rtl), *own]

    def included(self) -> list[Path]:
        """Files that the harness includes by their bare names."""
        return [HERE / self.name / f for f in self.parts]

    def covers_in(self) -> int:
        """How many cover statements harness and included files have."""
        own = [self.sources()[-1], *self.included()]
        return sum(path.read_text().count(": cover (") for path in own)


def narrowed(text: str, widths: tuple[tuple[str, int], ...]) -> str:
    """The package with some of its integer constants replaced."""
    for name, value in widths:
        text, n = re.subn(rf"(localparam int {name} =) \d+;", rf"\1 {value};", text)
        if n != 1:
            raise ValueError(f"unison_pkg: {name}: got {n} places, expected 1")
    return text
