"""How many rows the slot table needs: hit rate with N rows over that without a limit (Fig. 4)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from unison.contract import EventCode
from unison.experiments import plots
from unison.experiments.base import Cell, Experiment, Page, Row, group
from unison.experiments.statistics import Mean
from unison.experiments.sweep import (
    PRESSURE,
    SAMPLED,
    SCALES,
    cells,
    family_cells,
    opened,
    over_seeds,
    page,
    picture,
    scenario,
    table,
)
from unison.policies import placing, policy
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.traces.envelopes import envelope
from unison.traces.load import AGENTS_PER_SERVER, MAX_AGENTS, ServingLoad, derive_load
from unison.traces.model import Trace

ROWS = (16, 32, 64, 128, 256)
#: More than any load keeps alive: the event stream never waits for a slot.
UNLIMITED = 1024
PAPER = {16: 0.900, 32: 0.952, 64: 0.985}
#: The load beyond the rule: agents, and the envelope it runs on.
HEAVY_AGENTS, HEAVY = 160, "node"
LOADS = {"load rule": [e for g in SCALES.values() for e in g], "heavy": [HEAVY]}


def heavy_load(trace: Trace) -> ServingLoad:
    """`HEAVY_AGENTS` agents; servers by the rule's ratio, and the rule's linger for its cap."""
    rule = derive_load(trace, envelope(HEAVY).pool_tokens, PRESSURE)
    return ServingLoad(HEAVY_AGENTS, HEAVY_AGENTS // AGENTS_PER_SERVER, rule.linger_us)


def most_live(rows: np.ndarray) -> int:
    """The most sessions that hold a slot at once. rows: (n,) of `EVENT`, in time order."""
    starts = (rows["code"] == int(EventCode.REQ)) & (rows["turn"] == 0)
    ends = rows["code"] == int(EventCode.DONE)
    return int(np.cumsum(starts.astype(np.int64) - ends).max(initial=0))


def _points(cell: Cell) -> list[tuple[str, Scenario]]:
    family, seed = cell["family"], cell["seed"]
    found = []
    for load, envelopes in LOADS.items():
        for where in envelopes:
            point = replace(scenario(family, where, seed), slots=UNLIMITED)
            if load == "heavy":
                point = replace(point, load=heavy_load(opened(family)))
            found.append((load, point))
    return found


def measure(cell: Cell) -> list[Row]:
    """Hit rate by rows of the table on every envelope, and under the heavy load."""
    rows = []
    for load, point in _points(cell):
        row = {**cell, "load": load, "envelope": point.envelope.name}
        row["live"] = most_live(point.rows)
        row["unlimited"] = _run(point, point.rows, None).hit_rate
        for n in ROWS:
            found = _run(point, point.rows, n)
            row[f"hit{n}"], row[f"untracked{n}"] = found.hit_rate, found.untracked / found.requests
        rows.append(row)
    return rows


def _run(point: Scenario, events: np.ndarray, tracked: int | None):
    return simulate(
        replace(point, tracked=tracked), policy("spear"), placing("tide"), rows=[events]
    ).totals


def ase(rows: Sequence[Row], n: int) -> float | None:
    """Mean over the points of hit rate with `n` rows / without a limit; points without hits
    are left out."""
    found = [r[f"hit{n}"] / r["unlimited"] for r in rows if r["unlimited"]]
    return sum(found) / len(found) if found else None


def _ases(rows: Sequence[Row]) -> dict[int, Mean | None]:
    return {n: over_seeds(rows, lambda part, n=n: ase(part, n)) for n in ROWS}


def _line(rows: Sequence[Row]) -> list[str]:
    live = sorted(r["live"] for r in rows)
    return [f"{live[0]}..{live[-1]}", *(m.text(1, 4) if m else "-" for m in _ases(rows).values())]


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of the table by family."""
    lines = []
    for (family,), own in group(rows, "family").items():
        for name, part in _parts(own).items():
            lines.append(cells([family, name, *_line(part)]))
    return lines


def _parts(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by load and scale."""
    rule = [r for r in rows if r["load"] == "load rule"]
    parts = {"all nine envelopes": rule}
    for scale, where in SCALES.items():
        parts[scale] = [r for r in rule if r["envelope"] in where]
    parts[f"heavy: {HEAVY_AGENTS} agents on {HEAVY}"] = [r for r in rows if r["load"] == "heavy"]
    return parts


def _findings(rows: Sequence[Row]) -> list[str]:
    lines = []
    for name, part in _parts(rows).items():
        found = {n: m for n, m in _ases(part).items() if m}
        live = max(r["live"] for r in part)
        beside = ", ".join(
            f"{n}: {m.text(1, 3)}{f' (paper {PAPER[n]:.3f})' if n in PAPER else ''}"
            for n, m in found.items()
        )
        knee = next((n for n, m in found.items() if m.value >= PAPER[64]), None)
        full = next((n for n, m in found.items() if m.value >= 1), None)
        lines.append(
            f"- {name}: ASE at {beside}. The paper's value at 64 is reached with "
            f"{knee or 'none of these'} rows, and 1 with {full or 'none of these'}; at most {live} "
            "sessions are alive at once."
        )
    worse = _reversals(rows)
    lines.append(
        "- More rows gave fewer hits, by more than 0.01 of ASE: "
        + (
            f"{'; '.join(worse)} (likely because sessions without a row never enter, which helps "
            "when the pool is too small for all)."
            if worse
            else "nowhere."
        )
    )
    return lines


def _reversals(rows: Sequence[Row]) -> list[str]:
    """Families and loads where more rows gave fewer hits."""
    found = []
    for (family,), own in group(rows, "family").items():
        for name, part in _parts(own).items():
            values = [m.value for m in _ases(part).values() if m]
            if any(b < a - 0.01 for a, b in pairwise(values)):
                found.append(f"{family} ({name})")
    return found


def _figure(rows: Sequence[Row]) -> str:
    with plots.style():
        figure = Figure(figsize=(5.5, 3.4))
        ax = figure.subplots()
        colours = ("unison", "spear", "lru-queue", "belady")
        for (name, part), colour in zip(_parts(rows).items(), colours, strict=True):
            found = {n: m for n, m in _ases(part).items() if m}
            ax.errorbar(
                list(found),
                [m.value for m in found.values()],
                [m.half or 0 for m in found.values()],
                marker="o",
                markersize=4,
                color=plots.COLOURS[colour],
                label=name,
            )
        ax.plot(list(PAPER), list(PAPER.values()), "k--s", markersize=4, lw=1, label="paper")
        ax.set_xscale("log", base=2)
        ax.set_xticks(ROWS, [str(n) for n in ROWS])
        ax.set_xlabel("rows of the slot table")
        ax.set_ylabel("ASE")
        ax.legend(fontsize=8)
        return plots.svg(figure)


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    columns = "most live | " + " | ".join(f"N = {n}" for n in ROWS)
    lines = [[name, *_line(part)] for name, part in _parts(rows).items()]
    missed = [
        [name, *(over_seeds(p, lambda q, n=n: _share(q, n)).text(100, 2) for n in ROWS)]
        for name, p in _parts(rows).items()
    ]
    parts = [
        _findings(rows),
        "ASE(N): hit rate of Unison (spear + tide) with N rows over that without a limit, mean "
        "over traces and envelopes, on one event stream with 1,024 slots. When the table is full, "
        "a new session takes the row of the non-resident waiting session whose wait began first; "
        "when there is none it is not tracked and its requests miss. The load rule caps the agents "
        f"at {MAX_AGENTS} and lets lingering sessions fill half of what is left of 64 slots, so "
        "that the live sessions stay near 60: ASE at 64 is 1 by construction, and the paper's "
        f"{PAPER[64]} can not be tested there. The heavy load has {HEAVY_AGENTS} agents, a server "
        f"for each {AGENTS_PER_SERVER}, and the rule's linger; the GAIA families have too few "
        "sessions to keep it up for long.",
        picture("ase", "ASE against the rows of the slot table"),
        table(f"points | {columns}", lines),
        "Requests that found no row, %:",
        table("points | " + " | ".join(f"N = {n}" for n in ROWS), missed),
        "## By family",
        table(f"family | points | {columns}", []) + detail(rows),
    ]
    return page("Rows of the slot table", "ase", parts, {"ase": _figure(rows)})


def _share(rows: Sequence[Row], n: int) -> float:
    return sum(r[f"untracked{n}"] for r in rows) / len(rows)


EXPERIMENT = Experiment(
    name="ase",
    title="hit rate by rows of the slot table (ASE, Fig. 4)",
    cells=family_cells,
    measure=measure,
    page=make_page,
    sample=lambda: family_cells([SAMPLED]),
    detail=detail,
)
