"""Buffers on nets of high fan-out: balanced trees, over the whole netlist.

ABC's own buffering takes every level of logic for the same delay and builds long chains (a net of
160 loads came out 15 buffers deep); a tree of equal depth costs as many buffers and is as deep as
the logarithm of the fan-out. Clock and reset nets are left ideal, as before clock-tree synthesis.
"""

from synth.netlist import Instance, Net, Netlist


def clock_and_reset(netlist: Netlist) -> set[Net]:
    """Nets that reach the clock, clear or preset pins of flip-flops straight from a port."""
    inputs = {b for p in netlist.ports if not p.output for b in p.bits}
    found: set[Net] = set()
    for instance in netlist.flops():
        flop = netlist.cell(instance).flop
        for text in (flop.clock, flop.clear, flop.preset):
            for pin, net in instance.pins.items():
                if text and pin in text and net in inputs:
                    found.add(net)
    return found


def insert(netlist: Netlist, fanout: int) -> int:
    """Give every net at most `fanout` sinks; returns the number of buffers added."""
    if fanout < 2:
        raise ValueError(f"fanout: got {fanout}, expected 2 or more")
    cell = netlist.library.buffers[min(1, len(netlist.library.buffers) - 1)]
    pin_in, pin_out = cell.inputs[0].name, cell.outputs[0].name
    drivers, ideal = netlist.drivers(), clock_and_reset(netlist)
    added = 0
    for net, sinks in netlist.sinks().items():
        if net in ideal:
            continue
        path = drivers[net][0].path if net in drivers else ""
        # Sinks of a kind and block sit together, so that a branch stays local.
        level = sorted(sinks, key=lambda s: (s[0].path, s[0].cell, s[0].name))
        while len(level) > fanout:
            groups = -(-len(level) // fanout)
            upper = []
            for g in range(groups):
                part = level[g * len(level) // groups : (g + 1) * len(level) // groups]
                pins = {pin_in: net, pin_out: netlist.next_net}
                buffer = Instance(f"b{netlist.next_net}", cell.name, pins, path)
                for instance, pin in part:
                    instance.pins[pin] = netlist.next_net
                netlist.next_net += 1
                netlist.instances.append(buffer)
                upper.append((buffer, pin_in))
                added += 1
            level = upper
    return added
