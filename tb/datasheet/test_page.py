"""The datasheet's generator: what it reads, what it refuses, and that the page is current."""

import json
from pathlib import Path

import pytest

from tools.datasheet import __main__ as sheet
from tools.datasheet import blocks, header, tables, waves, words
from unison.contract.registers import BY_NAME
from unison.contract.widths import DEFAULT_SCORER, MAX_SLOTS, MIN_SLOTS

RTL = {p.stem: p.read_text() for p in (sheet.ROOT / "rtl").glob("*.sv")}
TOP, PACKAGE = RTL["unison"], RTL["unison_pkg"]
RECORDING = json.loads((sheet.ROOT / sheet.RECORDING).read_text())


def _edited(tmp_path: Path) -> Path:
    """A copy of what the generator reads and writes."""
    for name in ("rtl", "docs/datasheet"):
        (tmp_path / name).mkdir(parents=True)
        for path in (sheet.ROOT / name).iterdir():
            (tmp_path / name / path.name).write_text(path.read_text())
    assert sheet.main(["--root", str(tmp_path)]) == 0
    return tmp_path


def test_the_page_is_current() -> None:
    assert sheet.main(["--check"]) == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("docs/datasheet.md", "Unison", "Union", "docs/datasheet.md"),
        ("rtl/unison.sv", "/// Its tokens.", "/// Its size.", "docs/datasheet.md"),
        ("rtl/unison.sv", "expected 2..63\", EvDepth", "expected 2..31\", EvDepth",
         "docs/datasheet.md"),
        ("docs/datasheet/recording.json", "\"irq_o\": [0", "\"irq_o\": [1",
         "docs/datasheet/wave-event-write.svg"),
    ],
)  # fmt: skip
def test_check_tells_what_is_stale(
    tmp_path: Path, capsys: pytest.CaptureFixture, file: str, old: str, new: str, stale: str
) -> None:
    root = _edited(tmp_path)
    text = (root / file).read_text()
    assert old in text
    (root / file).write_text(text.replace(old, new, 1))
    assert sheet.main(["--root", str(root), "--check"]) == 1
    assert capsys.readouterr().err == f"stale: {stale}; run python -m tools.datasheet\n"


def test_a_figure_that_is_not_made_any_more_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    root = _edited(tmp_path)
    (root / "docs/datasheet/old.svg").write_text("<svg/>")
    assert sheet.main(["--root", str(root), "--check"]) == 1
    assert "docs/datasheet/old.svg: not made any more" in capsys.readouterr().err


def test_header_of_the_core() -> None:
    top = header.parse(TOP, PACKAGE)
    by_name = {p.name: p for p in top.parameters}
    assert by_name["NumSlots"].legal[0] == f"{MIN_SLOTS}..{MAX_SLOTS}"
    assert by_name["Scorer"].default == DEFAULT_SCORER
    ports = {p.name: p for p in top.ports}
    assert (ports["paddr_i"].width, ports["paddr_i"].output) == (12, False)
    assert (ports["irq_o"].width, ports["irq_o"].output) == (1, True)
    assert TOP.count("\n  input ") + TOP.count("\n  output ") == len(ports)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  /// Clock.\n", "", r"clk_i,' has no /// comment"),
        ("input  logic        clk_i", "input  wire        clk_i", r"neither a param"),
        ("parameter int TokW", "parameter int Width", r"nothing checks the parameter Width"),
        ('expected %0d..%0d", TokW, unison_pkg::MinTokW,', 'expected %0d..%0d", TokW,',
         r"an argument too few"),
    ],
)  # fmt: skip
def test_header_refuses_what_it_does_not_understand(old: str, new: str, message: str) -> None:
    assert old in TOP
    with pytest.raises(header.HeaderError, match=message):
        header.parse(TOP.replace(old, new, 1), PACKAGE)


def test_a_port_of_no_group_stops() -> None:
    top = header.parse(TOP.replace("irq_o", "alarm_o"), PACKAGE)
    with pytest.raises(ValueError, match="alarm_o"):
        tables.ports(top)


def test_a_module_that_is_not_drawn_stops() -> None:
    with pytest.raises(ValueError, match=r"no box stands for \['unison_extra'\]"):
        blocks.check(RTL | {"unison_extra": "", "unison": TOP + "\n  unison_extra u_extra ();\n"})


def test_a_module_that_is_gone_stops() -> None:
    with pytest.raises(ValueError, match=r"nothing instantiates \['unison_timebase'\]"):
        blocks.check(RTL | {"unison": TOP.replace("unison_timebase", "other")})


def test_bit_fields_fill_the_word() -> None:
    for name in words.WORDS.values():
        fields = words.fields(BY_NAME[name])
        assert sum(f["bits"] for f in fields) == 32
        assert [f["name"] for f in fields if "name" in f] == [
            f.name for f in sorted(BY_NAME[name].fields, key=lambda f: f.lsb)
        ]


def test_lane() -> None:
    assert waves.lane([0, 0, 1, None, None, 1], None) == {"wave": "0.1x.1"}
    got = waves.lane([None, 5, 5, 6], str)
    assert got == {"wave": "x=.=", "data": ["5", "6"]}


def test_the_silicon_table_is_taken_over(tmp_path: Path) -> None:
    assert "make synth" in sheet.silicon(tmp_path)
    page = tmp_path / sheet.SILICON
    page.parent.mkdir(parents=True)
    page.write_text("# x\n<!-- datasheet -->\n| a |\n<!-- /datasheet -->\nmore\n")
    assert sheet.silicon(tmp_path).startswith("| a |\n\nMethod")
    page.write_text("# x\n")
    assert sheet.silicon(tmp_path) == "See [silicon](results/silicon.md)."
