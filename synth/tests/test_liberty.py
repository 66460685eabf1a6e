"""Liberty functions, cells and the models made of them."""

from itertools import product
from pathlib import Path

import pytest

from synth import liberty, models
from synth.function import FunctionError, parse

LIB = Path(__file__).with_name("tiny.lib")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("!(A*B)", lambda a, b, c: not (a and b)),
        ("(!(A B))", lambda a, b, c: not (a and b)),
        ("A'+B C", lambda a, b, c: (not a) or (b and c)),
        ("A^B&C", lambda a, b, c: (a != b) and c),
        ("A|B^C", lambda a, b, c: a or (b != c)),
        ("(A+B)'*C", lambda a, b, c: not (a or b) and c),
        ("!A !B", lambda a, b, c: not a and not b),
        ("1", lambda a, b, c: True),
    ],
)
def test_function(text: str, same) -> None:
    tree = parse(text)
    for a, b, c in product((0, 1), repeat=3):
        assert tree.value({"A": a, "B": b, "C": c}) == bool(same(a, b, c)), (a, b, c)


@pytest.mark.parametrize("text", ["", "A*", "(A", "A)", "A @ B", "!"])
def test_no_function(text: str) -> None:
    with pytest.raises(FunctionError):
        parse(text)


def test_verilog_means_the_same() -> None:
    text = "!(A*(B^C))+D'"
    python = parse(text).verilog().replace("~", "1 ^ ")
    for row in product((0, 1), repeat=4):
        names = dict(zip("ABCD", row, strict=True))
        assert eval(python, {}, names) & 1 == parse(text).value(names)


def test_library() -> None:
    library = liberty.load(LIB)
    assert library.nand2.name == "ND2_1"  # the smaller one
    assert [c.name for c in library.buffers] == ["BF_1", "BF_4"]
    assert set(library.flops) == {"DFR"}
    assert set(library.dont_use) == {"TRI", "LAT", "DLY1_dly"}
    assert library.time_ps == 1000
    assert library.cap_ff == 1000
    assert library.nand2.pins["A"].cap == pytest.approx(0.003)
    assert library.cells["MX"].table == (0, 1, 0, 1, 0, 0, 1, 1)[:8]


def test_no_nand(tmp_path: Path) -> None:
    path = tmp_path / "x.lib"
    path.write_text("library(x) { cell(I) { area : 1; pin(A) { direction : input; } } }")
    with pytest.raises(liberty.LibertyError, match="NAND"):
        _ = liberty.load(path).nand2


def test_models() -> None:
    library = liberty.load(LIB)
    text = models.write(library.cells[n] for n in ("ND2_1", "DFR", "ND2_1"))
    assert text.count("module ND2_1 ") == 1
    assert "assign Y = ~(A & B);" in text
    assert "always @(posedge CK or negedge RN)" in text
    assert "if (~RN) state <= 1'b0;" in text
    assert "assign QN = ~state;" in text
    with pytest.raises(liberty.LibertyError):
        models.edge("A*B")
