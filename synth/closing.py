"""Timing closure: bigger cells on failing paths, as OpenSTA sees them, one timer run all along.

ABC sizes by a model of its own that knows no flip-flop's delay and differs from OpenSTA by tens
of percent; this pass starts from its choice and works on the paths that truly fail.
"""

from itertools import pairwise

from synth.netlist import Netlist
from synth.sta import Session


def ladders(netlist: Netlist) -> dict[str, str]:
    """The next stronger cell of the same function and pins, by cell."""
    families: dict[tuple, list] = {}
    library = netlist.library
    for cell in library.cells.values():
        if cell.odd or not (cell.gate or cell.flop):
            continue
        key = (tuple(cell.pins), cell.table, cell.flop)
        families.setdefault(key, []).append(cell)
    out = {}
    for family in families.values():
        family.sort(key=lambda c: c.area)
        out |= {a.name: b.name for a, b in pairwise(family)}
    return out


def close(netlist: Netlist, session: Session, rounds: int = 25, patience: int = 5) -> int:
    """Upsize until no path fails or nothing helps; returns how many cells changed.

    The netlist keeps the best state seen. Each round strengthens, on each failing path, the cells
    of the longest delays that have a stronger form.
    """
    above = ladders(netlist)
    by_name = {i.name: i for i in netlist.instances}
    start = {i.name: i.cell for i in netlist.instances}
    best = session.slack()
    best_cells: dict[str, str] = {}
    changed: dict[str, str] = {}
    waiting = patience
    for _ in range(rounds):
        if best >= 0 or not waiting:
            break
        picked = set()
        for path in session.paths(count=100, slack_max=0):
            able = [s for s in path.stages if by_name[s.instance].cell in above]
            able.sort(key=lambda s: -s.delay)
            picked |= {s.instance for s in able[: max(1, len(able) // 4)]}
        if not picked:
            break
        for name in sorted(picked):
            instance = by_name[name]
            instance.cell = changed[name] = above[instance.cell]
            session.run(f"replace_cell {name} {instance.cell}")
        slack = session.slack()
        waiting = patience if slack > best + 0.005 else waiting - 1
        if slack > best:
            best, best_cells = slack, dict(changed)
    for name in changed:
        cell = best_cells.get(name, start[name])
        if by_name[name].cell != cell:
            by_name[name].cell = cell
            session.run(f"replace_cell {name} {cell}")
    return len(best_cells)
