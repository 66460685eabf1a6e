"""A small netlist by hand: two flip-flops, y = !(q0 & q1), q0 toggles, q1 follows `in`."""

from pathlib import Path

from synth import liberty
from synth.netlist import Instance, Netlist, Port

CLK, RST, IN, Q0, Q1, N0, Y = range(2, 9)


def circuit() -> Netlist:
    library = liberty.load(Path(__file__).with_name("tiny.lib"))
    ports = [
        Port("clk_i", False, [CLK]),
        Port("rst_ni", False, [RST]),
        Port("a_i", False, [IN]),
        Port("y_o", True, [Y, Q1]),
    ]
    instances = [
        Instance("r_a", "DFR", {"CK": CLK, "RN": RST, "D": N0, "Q": Q0}, "u_a."),
        Instance("r_b", "DFR", {"CK": CLK, "RN": RST, "D": IN, "Q": Q1}, "u_b."),
        Instance("c1", "IV", {"A": Q0, "Y": N0}, "u_a."),
        Instance("c2", "ND2_1", {"A": Q0, "B": Q1, "Y": Y}, "u_a.u_x."),
    ]
    return Netlist("unison", library, ports, instances, 9)
