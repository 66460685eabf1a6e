"""The list of proofs, and of wrong lines that each of them must refuse."""

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
    narrow: tuple[tuple[str, int], ...] = ()
    long: bool = False

    @property
    def top(self) -> str:
        """The harness."""
        return f"formal_{self.name}"

    def sources(self) -> list[Path]:
        """RTL files, package first, and the harness."""
        own = [HERE / f for f in (*self.files, f"{self.name}.sv")]
        return [RTL / "unison_pkg.sv", *(RTL / f for f in self.rtl), *own]


def narrowed(text: str, widths: tuple[tuple[str, int], ...]) -> str:
    """The package with some of its integer constants replaced."""
    for name, value in widths:
        text, n = re.subn(rf"(localparam int {name} =) \d+;", rf"\1 {value};", text)
        if n != 1:
            raise ValueError(f"unison_pkg: {name}: got {n} places, expected 1")
    return text


FIFO = Proof(
    "fifo",
    "a word that was taken in leaves once, unchanged and in its turn; level, full and empty are "
    "right; a push when full and a pop when empty change nothing",
    "unison_fifo",
    ("unison_fifo.sv",),
    (
        {"Width": 64, "Depth": 8},
        {"Width": 49, "Depth": 16},
        {"Width": 30, "Depth": 2},
        {"Width": 4, "Depth": 5},
    ),
    "induction",
    8,
    20,
    (
        Bug("fifo_full", "full one word too late", "unison_fifo.sv",
            "level_q == LevelW'(Depth);", "level_q == LevelW'(Depth + 1);"),
        Bug("fifo_wrap", "the write pointer wraps one word too early", "unison_fifo.sv",
            "wr_q <= (wr_q == LastPtr)", "wr_q <= (wr_q == LastPtr - 1'b1)"),
        Bug("fifo_empty", "a pop of an empty FIFO moves the head", "unison_fifo.sv",
            "pop_i & ~empty_o;", "pop_i;"),
        Bug("fifo_level", "push and pop in one cycle count as a push", "unison_fifo.sv",
            "if (push && !pop)", "if (push)"),
    ),
)  # fmt: skip

PROOFS = (FIFO,)
