"""Writes RTL that holds many mutants at once; a selector takes one, and 0 the original.

One build serves all mutants: an expression becomes ``(sel == 7 ? mutated : original)``, a removed
statement ``if (sel != 7)``. The selector is a variable of a package of its own, set by
``+mutant=7`` or while the simulation runs.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tb.mutation.sites import Mutant

SELECTOR = "unison_mut_pkg::sel"
PACKAGE = """\
// Chooses the mutant: 0 is the original.
package unison_mut_pkg;
  function automatic int from_plusargs();
    int number;
    if (!$value$plusargs("mutant=%d", number)) number = 0;
    from_plusargs = number;
  endfunction

  int sel /*verilator public_flat_rw*/ = from_plusargs();
endpackage
"""


def render(source: bytes, mutants: Iterable[Mutant]) -> bytes:
    """`source` with these mutants of it behind the selector."""
    sites: dict[tuple[int, int], list[Mutant]] = defaultdict(list)
    for m in mutants:
        sites[m.start, m.end].append(m)
    # Outer sites first; of two in one place none is the other's outer.
    order = sorted(sites, key=lambda r: (r[0], -r[1]))

    def between(start: int, end: int, inner: list[tuple[int, int]]) -> str:
        out, at = "", start
        while inner:
            begin, stop = inner.pop(0)
            nested = []
            while inner and inner[0][1] <= stop:
                nested.append(inner.pop(0))
            out += source[at:begin].decode() + site((begin, stop), nested)
            at = stop
        return out + source[at:end].decode()

    def site(place: tuple[int, int], nested: list[tuple[int, int]]) -> str:
        text = between(*place, nested)
        for m in sites[place]:
            if m.text:
                text = f"({SELECTOR} == {m.number} ? ({m.text}) : ({text}))"
            else:
                text = f"begin if ({SELECTOR} != {m.number}) {text} end"
        return text

    return between(0, len(source), order).encode()


def write(folder: Path, mutants: list[Mutant]) -> None:
    """Put the mutants into the modules in `folder`, which is a copy of ``rtl/``."""
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for m in mutants:
        by_file[m.file].append(m)
    for name, group in by_file.items():
        path = folder / name
        path.write_bytes(render(path.read_bytes(), group))
    package = folder / "unison_pkg.sv"
    # In one file, since the builds put the file of this name first.
    package.write_text(PACKAGE + "\n" + package.read_text())
