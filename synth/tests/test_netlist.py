"""Netlist, buffering, sizing's match, blocks and figures of the page."""

import json
from pathlib import Path

import pytest

from synth import blocks, buffering, closing, netlist, page, sizing
from synth.netlist import Instance
from synth.tests.circuit import Q0, circuit


def test_read_yosys_json(tmp_path: Path) -> None:
    made = circuit()
    module = {
        "ports": {p.name: {"direction": "output" if p.output else "input", "bits": p.bits}
                  for p in made.ports},
        "cells": {
            f"$flatten\\u_a.\\gen[0].u_x.$abc${i}": {
                "type": c.cell, "connections": {k: [v] for k, v in c.pins.items()}}
            for i, c in enumerate(made.instances)
        },
        "netnames": {"u_a.q": {"bits": [Q0], "hide_name": 0}},
    }  # fmt: skip
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"modules": {"unison": module}}))
    read = netlist.read(path, made.library)
    assert [i.cell for i in read.instances] == [i.cell for i in made.instances]
    assert read.instances[0].name == "r_u_a_q"
    assert read.instances[0].path == "u_a.gen[0].u_x."
    assert read.area() == 20 + 20 + 2 + 4
    assert read.next_net == made.next_net


def test_verilog(tmp_path: Path) -> None:
    path = tmp_path / "n.v"
    netlist.write_verilog(circuit(), path)
    text = path.read_text()
    assert "module unison (clk_i, rst_ni, a_i, y_o);" in text
    assert "DFR r_b (.CK(clk_i), .RN(rst_ni), .D(a_i), .Q(y_o[1]));" in text
    assert "{" not in text  # OpenSTA rejects concatenations


@pytest.mark.parametrize("sinks", [5, 30, 200])
def test_buffer_trees_are_balanced(sinks: int) -> None:
    made = circuit()
    for i in range(sinks - 2):
        made.instances.append(Instance(f"x{i}", "IV", {"A": Q0, "Y": made.next_net}, "u_a."))
        made.next_net += 1
    added = buffering.insert(made, 4)
    fed = made.sinks()
    assert max(len(s) for n, s in fed.items() if n not in buffering.clock_and_reset(made)) <= 4
    drivers = made.drivers()

    def depth(net) -> int:
        instance, _ = drivers[net]
        return 0 if instance.cell == "DFR" else 1 + depth(instance.pins["A"])

    ends = [depth(i.pins["A"]) for i in made.instances if i.cell in ("IV", "ND2_1")]
    assert len(ends) == sinks
    assert max(ends) - min(ends) <= 1
    assert added == sum(i.cell == "BF_4" for i in made.instances) > 0


def test_clock_and_reset_stay_unbuffered() -> None:
    made = circuit()
    made.instances += [
        Instance(f"r_{i}", "DFR", {"CK": 2, "RN": 3, "D": Q0, "Q": 100 + i}, "") for i in range(9)
    ]
    assert buffering.insert(made, 2) > 0
    assert all(i.pins["CK"] == 2 and i.pins["RN"] == 3 for i in made.flops())


def test_sizing_matches_by_structure() -> None:
    before = (
        ".gate IV A=n1 Y=n2\n.gate IV A=n1 Y=n3\n.gate ND2_1 A=n2 B=n3 Y=n4\n.gate BF_1 A=n4 Y=n5\n"
    )
    after = (
        ".gate IVB A=n1 Y=w9\n.gate IV A=n1 Y=w8\n.gate ND2_2 A=w8 \\\n B=w9 Y=w7\n"
        ".gate BF_4 A=w7 Y=n5\n"
    )
    assert sizing.matched(before, after, ["n5"]) == {
        "n5": "BF_4", "n4": "ND2_2", "n2": "IV", "n3": "IVB"
    }  # fmt: skip
    with pytest.raises(RuntimeError, match="n5"):
        sizing.matched(before, after.replace("Y=n5", "Y=n6"), ["n5"])


def test_ladder() -> None:
    steps = closing.ladders(circuit())
    assert steps == {"ND2_1": "ND2_2", "BF_1": "BF_4"}


def test_blocks() -> None:
    names = [
        "unison", "unison_slot_table$unison.u_slots", "unison_rank$unison.u_rank",
        "unison_keep$unison.u_rank.gen_lane[0].u_lane.gen_tier[1].u_keep",
        "unison_octave$unison.u_rank.u_oct", "unison_fifo$unison.u_events",
        "unison_unknown$unison.u_new", "unison_tide$unison.u_ctrl.u_tide",
    ]  # fmt: skip
    kept = blocks.kept(names)
    assert "unison_octave$unison.u_rank.u_oct" not in kept
    assert "unison_unknown$unison.u_new" not in kept
    where = blocks.by_path(kept)
    found = {
        path: blocks.of_path(path, where).name
        for path in ("u_slots.", "u_rank.gen_lane[0].u_lane.gen_tier[1].u_keep.", "u_new.", "",
                     "u_rank.gen_lane[0].u_lane.", "u_events.", "u_ctrl.u_tide.")
    }  # fmt: skip
    assert list(found.values()) == [
        "slot table", "keep lists", "rest", "rest", "rank rest", "event FIFO", "Tide"
    ]  # fmt: skip


def test_page_helpers() -> None:
    slope, offset, away = page.linear_fit([16, 32, 64], [116.0, 132.0, 164.0])
    assert (slope, offset) == (pytest.approx(1), pytest.approx(100))
    assert away == pytest.approx([0, 0, 0], abs=1e-9)
    assert page.front([("a", 1, 9), ("b", 2, 5), ("c", 3, 7)]) == ["a", "b"]
    row = "| all | 6..9 | 0.9 ± 0.1 | 0.95 ± 0.1 | 1.0 ± 0 | 1.0 ± 0 | 1.0 ± 0 |"
    assert page.read_ase(row) == {"all": [0.9, 0.95, 1.0, 1.0, 1.0]}
