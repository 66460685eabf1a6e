"""The mutator itself: what it finds, what it writes, and that it can fail."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("pyslang", reason="the extra `mutation` is not installed")

from tb.mutation import exclusions, schemata
from tb.mutation.__main__ import COUNT, SEED, main
from tb.mutation.campaign import Campaign, CampaignError
from tb.mutation.page import page, rtl_summary
from tb.mutation.sites import Mutant, choose, find
from tb.mutation.stages import STAGES, Stage
from tb.simulators import BUILD, ROOT, SimulatorError, check_tools

RTL = ROOT / "rtl"
OPERATORS = {
    "arithmetic", "relation", "logic", "operand", "negation", "condition", "choice", "constant",
    "select", "statement", "reset", "wire",
}  # fmt: skip

SAMPLE = """\
module sample #(parameter int Width = 4 + 1) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] a_i,
  output logic [Width-1:0] b_o
);
  localparam int Twice = 2 * Width;
  logic [Width-1:0] b_q, unused_a;
  assign unused_a = a_i + 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) b_q <= '0;
    else if (a_i[0] && b_q < a_i) b_q <= b_q + a_i;
  end
  assign b_o = b_q;
endmodule
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    shutil.copy(RTL / "unison_pkg.sv", tmp_path)
    (tmp_path / "sample.sv").write_text(SAMPLE)
    return tmp_path


def test_sites_of_a_small_module(sample: Path) -> None:
    """Run-time expressions and statements only; not widths, parameters, resets' conditions."""
    found = [(m.operator, m.original, m.text) for m in find(sample)]
    assert found == [
        ("reset", "b_q <= '0;", ""),
        ("constant", "'0", "'1"),
        ("condition", "a_i[0] && b_q < a_i", "!(a_i[0] && b_q < a_i)"),
        ("logic", "a_i[0] && b_q < a_i", "(a_i[0]) || (b_q < a_i)"),
        ("operand", "a_i[0] && b_q < a_i", "(a_i[0])"),
        ("operand", "a_i[0] && b_q < a_i", "(b_q < a_i)"),
        ("select", "a_i[0]", "a_i[1]"),
        ("relation", "b_q < a_i", "(b_q) <= (a_i)"),
        ("relation", "b_q < a_i", "(b_q) >= (a_i)"),
        ("statement", "b_q <= b_q + a_i;", ""),
        ("arithmetic", "b_q + a_i", "(b_q) - (a_i)"),
        ("wire", "b_q", "(b_q ^ 1'b1)"),
    ]


def test_every_module_and_operator_has_mutants() -> None:
    """The choice is deterministic, at least 300, and leaves no module and no operator out."""
    found = find(RTL)
    chosen = choose(found, COUNT, SEED)
    assert len({m.key for m in found}) == len(found), "keys must name one mutant each"
    assert len(chosen) == COUNT >= 300
    assert chosen == choose(find(RTL), COUNT, SEED)
    assert chosen != choose(found, COUNT, SEED + 1)
    assert {m.operator for m in chosen} == OPERATORS
    modules = {p.stem for p in RTL.glob("*.sv")} - {"unison_pkg"}
    assert {m.module for m in chosen} == modules
    # A small module has fewer sites than that.
    have, taken = (Counter(m.module for m in ms) for ms in (found, chosen))
    assert all(taken[m] >= min(3, have[m]) for m in modules)


def test_each_mutant_stands_alone_behind_the_selector(sample: Path) -> None:
    """Nested sites keep the others' original text."""
    found = find(sample)
    numbered = [Mutant(**{**m.__dict__, "number": n}) for n, m in enumerate(found, 1)]
    text = schemata.render(SAMPLE.encode(), numbered).decode()
    for m in numbered:
        assert text.count(f"{schemata.SELECTOR} == {m.number} ?") + text.count(
            f"{schemata.SELECTOR} != {m.number})"
        ) == 1
    one = schemata.render(SAMPLE.encode(), [m for m in numbered if m.operator == "arithmetic"])
    assert b"<= (unison_mut_pkg::sel == 11 ? ((b_q) - (a_i)) : (b_q + a_i));" in one
    assert schemata.render(SAMPLE.encode(), []) == SAMPLE.encode()


def _exclusion(tmp_path: Path, m: Mutant, why: str) -> Path:
    path = tmp_path / "exclusions.toml"
    lines = ["[[equivalent]]"]
    for name, value in (("module", m.module), ("operator", m.operator), ("original", m.original),
                        ("mutated", m.text or "(removed)"), ("occurrence", m.occurrence),
                        ("why", why)):  # fmt: skip
        lines.append(f"{name} = {json.dumps(value)}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_exclusions_match_mutants_and_say_why(tmp_path: Path) -> None:
    """One without an argument, one that matches nothing, and one that is killed are errors."""
    found = find(RTL)
    entries = exclusions.load(_exclusion(tmp_path, found[0], "nobody reads it in this state"))
    exclusions.check(entries, found, set())
    with pytest.raises(exclusions.ExclusionError, match="no argument"):
        exclusions.load(_exclusion(tmp_path, found[0], "because"))
    with pytest.raises(exclusions.ExclusionError, match="no such mutant any more"):
        exclusions.check(entries, found[1:], set())
    with pytest.raises(exclusions.ExclusionError, match="a test kills it"):
        exclusions.check(entries, found, {found[0].key})


def test_committed_exclusions_are_true_of_the_rtl() -> None:
    """Every entry names a mutant of today's RTL."""
    exclusions.check(exclusions.load(), find(RTL), set())


def test_survivors_miss_the_target_and_show() -> None:
    """Nothing killed: 0 %, failed, every survivor on the page; equivalents do not count."""
    chosen = choose(find(RTL), 10, SEED)
    one = exclusions.Exclusion(chosen[0].key, "an argument that is long enough")
    s = rtl_summary(chosen, {}, [one], 2000, SEED)
    assert (s["passed"], s["rate"], s["survived"], s["equivalent"]) == (False, 0.0, 9, 1)
    assert page({"rtl": s}).count("(line ") == 9
    verdicts = {m.number: {"by": "a test"} for m in chosen[1:]}
    s = rtl_summary(chosen, verdicts, [one], 2000, SEED)
    assert (s["passed"], s["rate"], s["killed_by"]) == (True, 100.0, {"a test": 9})


def test_stages_look_the_same_in_every_process() -> None:
    """Their text decides what an interrupted run may keep; a set's order is a process's own."""
    assert "{'unison" not in repr(STAGES) and "frozenset" not in repr(STAGES)


FIFO = next(s for s in STAGES if s.name == "fifo")


@pytest.mark.long
def test_a_regression_kills_and_none_does_not(tmp_path: Path, monkeypatch, capsys) -> None:
    """The FIFO's test kills the FIFO's mutants, sel=0 passes; without tests the command fails."""
    try:
        check_tools("verilator")
    except SimulatorError as missing:
        pytest.skip(str(missing))
    # A folder of the project's, as the copied runner writes below it.
    folder = BUILD / "mutate" / "test"
    shutil.rmtree(folder, ignore_errors=True)
    mutants = [m for m in choose(find(RTL), COUNT, SEED) if m.module == "unison_fifo"]
    campaign = Campaign(mutants, folder, stages=(FIFO,))
    campaign.run()
    journal = [json.loads(x) for x in (folder / "fifo.jsonl").read_text().splitlines()]
    assert {"passed"} == {e["verdict"] for e in journal if e["mutant"] == 0} - {"begins"}
    assert len(campaign.verdicts) >= 0.7 * len(mutants)
    again = Campaign(mutants, folder, stages=(FIFO,))
    assert again.verdicts == campaign.verdicts, "an interrupted run goes on from what it has"
    broken = Stage("none", "unison_fifo", ("tb.mutation.schemata",), FIFO.shape)
    with pytest.raises(CampaignError, match="no test began"):
        Campaign(mutants, folder, stages=(broken,)).run()
    monkeypatch.setattr("tb.mutation.campaign.STAGES", ())
    monkeypatch.setattr("tb.mutation.__main__.FOLDER", folder)
    assert main(["--part", "rtl", "--sample", "12"]) == 1
    assert "0 of 12 killed" in capsys.readouterr().out


@pytest.mark.long
def test_a_sample_reaches_the_targets() -> None:
    """A part of the mutants of the RTL and of the golden model: for CI."""
    assert main(["--sample"]) == 0
