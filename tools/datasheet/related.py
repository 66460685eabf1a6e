"""KV hardware that the core complements: what the paper's prose and reference list say of it.

The paper compares them in a table whose cells are lost. Its text gives no area, power or clock of
any of them, so none is shown; what each does is told here in our words, from its section II-C.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """name; where it was published, as the paper's reference list has it; what it acts on."""

    name: str
    published: str
    acts_on: str
    does: str


WORKS = (
    Work("Token-Picker", "DAC 2024", "tokens of one request",
         "spares transfers by an estimate of the probability before softmax"),
    Work("UniCAIM", "DAC 2025", "tokens of one request", "prunes by a content-addressed search"),
    Work("KV-MMU (Moradifirouzabadi and Kang)", "IEEE JETCAS 15(2), 2025",
         "tokens of one request", "replaces the least relevant ones at run time"),
    Work("HiKV", "IEEE TCAS-I, 2026", "tokens of one request",
         "evicts, then loads what matters through a configurable sorter"),
    Work("Kelle", "MICRO 2025", "tokens of one request",
         "evicts by attention score, in embedded DRAM"),
    Work("MATA", "IEEE Trans. Computers 75(8), 2026", "tokens of one request",
         "prunes by looking back"),
    Work("VEDA", "DAC 2025", "tokens of one request", "evicts by vote"),
    Work("CXL-SpecKV", "FPGA 2026", "the store", "puts KV into FPGA memory, fetches ahead on "
         "speculation"),
    Work("V-Rex", "HPCA 2026", "the store", "retrieves clustered subsets of video tokens"),
)  # fmt: skip

#: The paper's own core, from its abstract, sections VI-C and VI-E.
PAPER = (
    "Unison (the paper)",
    "",
    "sessions of a pool",
    "ranks who stays and who sits in the fast tier, by gaps and turns",
    "28 nm, 64 sessions",
    "0.169",
    "13.6",
    "150",
)


def rows() -> list[tuple[str, ...]]:
    """Cells of the table: the paper's core first."""
    empty = ("", "", "", "")
    return [PAPER, *((w.name, w.published, w.acts_on, w.does, *empty) for w in WORKS)]
