"""The compiled netlist: C built and called, against what the circuit does."""

import ctypes
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from synth import gates
from synth.netlist import Instance
from synth.tests.circuit import Q0, Q1, Y, circuit


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_compiled_circuit(tmp_path: Path) -> None:
    text, sv, nets = gates.compiled(circuit())
    source, library = tmp_path / "gates.c", tmp_path / "gates.so"
    source.write_text(text)
    subprocess.run(
        ["gcc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True
    )
    lib = ctypes.CDLL(str(library))
    out = ctypes.c_uint32()
    rng = random.Random(1)

    def outputs(reset: int, a: int) -> int:
        lib.gates_eval(reset, a, ctypes.byref(out))
        return out.value

    q0, q1 = 0, 0
    assert outputs(0, 1) == 1  # y = !(0 & 0), q1 = 0: reset acts without a clock
    lib.gates_clock(0, 1)
    assert outputs(0, 1) == 1
    seen = []
    for _ in range(50):
        a = rng.getrandbits(1)
        assert outputs(1, a) == (1 - (q0 & q1)) | q1 << 1
        seen.append((q0, q1))
        lib.gates_clock(1, a)
        q0, q1 = 1 - q0, a
    path = tmp_path / "activity.txt"
    lib.gates_finish(str(path).encode())
    cycles, *rows = [[int(x) for x in line.split()] for line in path.read_text().splitlines()]
    assert cycles == [50]
    counts = dict(zip(nets, rows, strict=True))
    for net, i in ((Q0, 0), (Q1, 1)):
        levels = [s[i] for s in seen]
        changes = sum(x != y for x, y in pairwise(levels))
        assert counts[net] == [changes, sum(levels)]
    assert counts[Y][1] == sum(1 - (a & b) for a, b in seen)
    assert 'import "DPI-C"' in sv


def test_refusals() -> None:
    made = circuit()
    made.instances.append(Instance("l1", "IV", {"A": 20, "Y": 21}, ""))
    made.instances.append(Instance("l2", "IV", {"A": 21, "Y": 20}, ""))
    with pytest.raises(gates.GateError, match="loop"):
        gates.compiled(made)
    made = circuit()
    made.instances[0].pins["CK"] = Q1
    with pytest.raises(gates.GateError, match="clock"):
        gates.compiled(made)
