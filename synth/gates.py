"""A mapped netlist for the verification environment, in a folder that the simulator build takes.

Icarus gets it as it is, with models of the cells. For Verilator, which takes many minutes over a
hundred thousand public gates, the netlist becomes tables for a small C program, in order of its
logic levels, two-valued and from the same Liberty functions, behind a module that calls it (DPI).
It also counts, cycle by cycle, how often each net changes and how long it is high: what power is
computed from.
"""

import random
from pathlib import Path

from synth import models
from synth.function import Expression, parse
from synth.models import edge
from synth.netlist import Instance, Net, Netlist, Port, write_verilog

MODULE = "unison_gates"
CLOCK, RESET = "clk_i", "rst_ni"

_SV = """// Generated: calls the compiled netlist. Outputs follow inputs at once, state the clock.
`timescale 1ns / 1ps

module {module} (
{ports}
);
  import "DPI-C" function void gates_eval({inputs}, {outputs});
  import "DPI-C" function void gates_clock({inputs});
  import "DPI-C" function void gates_finish(input string path);

  int unsigned {wires};
  logic tick = 1'b0;
{assigns}
  always @(*) gates_eval({call_in}, {call_out});
  always @(posedge clk_i) begin
    gates_clock({call_in_clock});
    tick <= ~tick;
  end

  string path;
  final if ($value$plusargs("activity=%s", path)) gates_finish(path);
endmodule
"""

_C = """/* Generated: the mapped netlist as tables, gates in order of their logic levels. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {{
#endif
#define NETS {nets}
#define GATES {gates}
#define FLOPS {flops}
/* A gate: truth table, output, number of inputs, inputs (the first one is bit 0 of the index). */
typedef struct {{ uint64_t table; uint32_t out; uint32_t count; uint32_t in[6]; }} gate_t;
/* A flip-flop: next state as a gate (out unused), Q and its complement (0: none), and the nets
   that clear and preset it when they are equal to the level. */
typedef struct {{ gate_t next; uint32_t q, qn, clear, clear_at, preset, preset_at; }} flop_t;
static const gate_t gate[GATES] = {{
{gate_rows}
}};
static const flop_t flop[FLOPS] = {{
{flop_rows}
}};
static uint8_t n[NETS], last[NETS], state[FLOPS] = {{{initial}}};
static uint32_t changes[NETS], ones[NETS], cycles;
static int dirty = 1;
static uint8_t value(const gate_t *g) {{
  uint32_t i, at = 0;
  for (i = 0; i < g->count; i++) at |= (uint32_t)n[g->in[i]] << i;
  return (g->table >> at) & 1;
}}
static void settle(void) {{
  int i;
  if (!dirty) return;
  dirty = 0;
  n[1] = 1;
  for (i = 0; i < FLOPS; i++) {{
    const flop_t *f = &flop[i];
    if (f->clear && n[f->clear] == f->clear_at) state[i] = 0;
    else if (f->preset && n[f->preset] == f->preset_at) state[i] = 1;
    if (f->q) n[f->q] = state[i];
    if (f->qn) n[f->qn] = !state[i];
  }}
  for (i = 0; i < GATES; i++) n[gate[i].out] = value(&gate[i]);
}}
static void put(uint32_t net, uint8_t level) {{
  if (n[net] != level) dirty = 1;
  n[net] = level;
}}
static void apply({arguments}) {{
{apply}
}}
void gates_eval({arguments}, {results}) {{
  apply({names});
  settle();
{deliver}
}}
void gates_clock({arguments}) {{
  int i;
  apply({names});
  settle();
  if (n[{reset}]) {{
    if (cycles++)
      for (i = 0; i < NETS; i++) changes[i] += n[i] ^ last[i];
    for (i = 0; i < NETS; i++) ones[i] += n[i];
    memcpy(last, n, NETS);
  }}
  for (i = 0; i < FLOPS; i++) state[i] = value(&flop[i].next);
  dirty = 1;
}}
void gates_finish(const char *path) {{
  int i;
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%u\\n", cycles);
  for (i = 0; i < NETS; i++) fprintf(file, "%u %u\\n", changes[i], ones[i]);
  fclose(file);
}}
#ifdef __cplusplus
}}
#endif
"""


class GateError(Exception):
    """The netlist is not what this simulation takes; the message says why."""


def levels(netlist: Netlist) -> list[Instance]:
    """The gates, each behind those that feed it. GateError on a combinational loop."""
    gates = [i for i in netlist.instances if netlist.cell(i).gate]
    drivers = {i.pins[netlist.cell(i).outputs[0].name]: i for i in gates}
    waiting, ready = {}, []
    for gate in gates:
        fed = {gate.pins[p.name] for p in netlist.cell(gate).inputs} & drivers.keys()
        waiting[gate.name] = len(fed)
        if not fed:
            ready.append(gate)
    readers: dict[Net, list[Instance]] = {}
    for gate in gates:
        for net in {gate.pins[p.name] for p in netlist.cell(gate).inputs} & drivers.keys():
            readers.setdefault(net, []).append(gate)
    order = []
    while ready:
        gate = ready.pop()
        order.append(gate)
        for reader in readers.get(gate.pins[netlist.cell(gate).outputs[0].name], ()):
            waiting[reader.name] -= 1
            if not waiting[reader.name]:
                ready.append(reader)
    if len(order) != len(gates):
        raise GateError(f"combinational loop: {len(gates) - len(order)} gates wait for each other")
    return order


class _Compiled:
    """The pieces of the C text. Index 0 and 1 of `n` are the constants."""

    def __init__(self, netlist: Netlist, seed: int) -> None:
        self.netlist, self.index = netlist, {"0": 0, "1": 1}
        self.inputs = [p for p in netlist.ports if not p.output]
        self.outputs = [p for p in netlist.ports if p.output]
        for port in self.inputs:
            for bit in port.bits:
                self.of(bit)
        self.ports = {b for p in self.inputs for b in p.bits}
        rng = random.Random(seed)
        flops = netlist.flops()
        self.initial = ", ".join(str(rng.getrandbits(1)) for _ in flops)
        self.flops = [self._flop(f) for f in flops]
        self.gates = [
            self._gate(g, netlist.cell(g).gate[0], self.of(g.pins[netlist.cell(g).gate[1].name]))
            for g in levels(netlist)
        ]

    def _gate(self, instance: Instance, tree: Expression, out: int) -> str:
        names = sorted(tree.names())
        if len(names) > 6:
            raise GateError(f"{instance.cell}: more than six inputs")
        table = sum(
            tree.value({name: at >> i & 1 for i, name in enumerate(names)}) << at
            for at in range(1 << len(names))
        )
        nets = ", ".join(str(self.of(instance.pins[name])) for name in names)
        return f"{{{table}ull, {out}, {len(names)}, {{{nets or 0}}}}}"

    def _flop(self, instance: Instance) -> str:
        cell = self.netlist.cell(instance)
        flop = cell.flop
        if instance.pins[edge(flop.clock)[0]] not in self.ports:
            raise GateError(f"{instance.name}: its clock is not a port's")
        outputs = [0, 0]
        for pin in cell.outputs:
            if pin.name in instance.pins:
                tree = parse(pin.function)
                inverted = tree.op == "not"
                name = (tree.parts[0] if inverted else tree).text
                outputs[(name != flop.names[0]) != inverted] = self.of(instance.pins[pin.name])
        resets = []
        for text in (flop.clear, flop.preset):
            pin, high = edge(text) if text else ("", True)
            net = instance.pins[pin] if text else "0"
            if net == ("0" if high else "1"):
                net = "0"
            elif net not in self.ports:
                raise GateError(f"{instance.name}: {pin} is not a port's")
            resets += [self.of(net), int(high)]
        next_state = self._gate(instance, parse(flop.next_state), 0)
        return f"{{{next_state}, {', '.join(map(str, outputs + resets))}}}"

    def of(self, net: Net) -> int:
        """Index of a net."""
        return self.index.setdefault(net, len(self.index))

    def text(self) -> str:
        """The whole file."""

        def bits(port: Port) -> str:
            return "\n".join(
                f"  put({self.of(b)}, ({port.name} >> {i}) & 1);" for i, b in enumerate(port.bits)
            )

        def packed(port: Port) -> str:
            value = " | ".join(f"(uint32_t)n[{self.of(b)}] << {i}" for i, b in enumerate(port.bits))
            return f"  *{port.name} = {value};"

        timed = [p for p in self.inputs if p.name != CLOCK]
        deliver = "\n".join(packed(p) for p in self.outputs)
        apply = "\n".join(bits(p) for p in timed)
        reset = self.of(self._reset())
        return _C.format(
            nets=len(self.index), gates=len(self.gates), flops=len(self.flops),
            gate_rows=",\n".join(self.gates), flop_rows=",\n".join(self.flops),
            initial=self.initial, arguments=", ".join(f"uint32_t {p.name}" for p in timed),
            results=", ".join(f"uint32_t *{p.name}" for p in self.outputs),
            names=", ".join(p.name for p in timed), apply=apply, deliver=deliver, reset=reset,
        )  # fmt: skip

    def _reset(self) -> Net:
        found = [p.bits[0] for p in self.inputs if p.name == RESET]
        if not found:
            raise GateError(f"no port {RESET}")
        return found[0]


def compiled(netlist: Netlist, seed: int = 1) -> tuple[str, str, list[Net]]:
    """C text, SystemVerilog text, and the net of each line of the activity file."""
    made = _Compiled(netlist, seed)
    text = made.text()
    timed = [p for p in made.inputs if p.name != CLOCK]

    def span(port: Port) -> str:
        return f"logic [{len(port.bits) - 1}:0] " if len(port.bits) > 1 else "logic "

    ports = [f"  {'output' if p.output else 'input '} {span(p)}{p.name}" for p in netlist.ports]
    sv = _SV.format(
        module=MODULE, ports=",\n".join(ports),
        inputs=", ".join(f"input int unsigned {p.name}" for p in timed),
        outputs=", ".join(f"output int unsigned {p.name}" for p in made.outputs),
        wires=", ".join(f"v_{p.name}" for p in made.outputs),
        assigns="\n".join(
            f"  assign {p.name} = v_{p.name}[{len(p.bits) - 1}:0];" for p in made.outputs
        ),
        # The tick has no value of its own: it makes the outputs follow the state.
        call_in=", ".join(
            [f"32'({p.name})" + (" | (32'(tick) & 32'd0)" if p.name == RESET else "")
             for p in timed]
        ),
        call_in_clock=", ".join(f"32'({p.name})" for p in timed),
        call_out=", ".join(f"v_{p.name}" for p in made.outputs),
    )  # fmt: skip
    return text, sv, sorted(made.index, key=made.index.get)


def write(netlist: Netlist, folder: Path, seed: int = 1) -> list[Net]:
    """Write `verilator/` and `icarus/`; returns the net of each line of the activity file."""
    for name in ("verilator", "icarus"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    text, sv, nets = compiled(netlist, seed)
    (folder / "verilator/gates.c").write_text(text)
    (folder / "verilator/gates.sv").write_text(sv)
    path = folder / "icarus/gates.v"
    write_verilog(netlist, path, MODULE)
    head = "// Generated: the mapped netlist.\n`timescale 1ns / 1ps\n\n"
    path.write_text(head + path.read_text())
    cells = models.write(netlist.cell(i) for i in netlist.instances)
    (folder / "icarus/cells.v").write_text(cells)
    return nets
