"""The hazard table: fitted on other sessions, and learned online (the paper's Table IV, V-F)."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from unison.contract import Outcome
from unison.contract.widths import TURN_ENTRIES
from unison.experiments import plots
from unison.experiments.base import SEEDS, Cell, Experiment, Page, Row, group
from unison.experiments.online_hazard import OnlineSpear
from unison.experiments.statistics import Mean
from unison.experiments.sweep import (
    SAMPLED,
    SCALES,
    average,
    cells,
    change,
    family_cells,
    opened,
    over_seeds,
    page,
    picture,
    scenario,
    table,
)
from unison.policies import placing, policy
from unison.scoring import fit_hazard
from unison.sim.simulate import simulate
from unison.sim.stream import reorder

FOLDS = 5
FOLDED = "swe_qwen3"
#: Capacities of the cross-validation. At edge-tight hardly two of its sessions fit, so there
#: is nothing to rank.
CAPACITIES = {
    "paper scale": ("edge", "edge-plus", "cloud-tight", "cloud"),
    "servers": ("gpu-tight", "gpu", "node"),
}
#: Largest and mean residual in the paper, parts of 1.
PAPER_MAX, PAPER_MEAN = 0.0085, 0.0017
#: Scores of the cross-validation: three signals, and the paper's hardware score.
SCORES = ("spear", "spear2")
#: Parts of a run that hits are counted in.
BINS, QUARTERS = 20, 4
#: Tables set against that of all sessions.
WAYS = ("held_out", "none")
#: Policy of each way to come by a hazard.
LEARNING = {"offline": "spear", "online": OnlineSpear.name, "none": "spear-nohazard"}


def all_cells() -> list[Cell]:
    """Cross-validation by seed, then learning by family and seed."""
    folded = [{"part": "folds", "seed": seed} for seed in SEEDS]
    return folded + family_cells(part="online")


def measure(cell: Cell) -> list[Row]:
    """Rows of one part."""
    return _folds(cell) if cell["part"] == "folds" else _online(cell)


def _folds(cell: Cell) -> list[Row]:
    """Every fifth of the sessions replayed with the table of the others, and with that of all."""
    trace = reorder(opened(FOLDED), cell["seed"])
    rows = []
    for where in (e for group_ in CAPACITIES.values() for e in group_):
        whole = scenario(FOLDED, where, cell["seed"])
        for fold in range(FOLDS):
            held = trace.sessions[fold::FOLDS]
            others = [len(s.turns) for i, s in enumerate(trace.sessions) if i % FOLDS != fold]
            renumbered = tuple(replace(s, id=n) for n, s in enumerate(held))
            # The load stays that of the whole trace, so that only the table differs.
            point = replace(whole, trace=replace(trace, sessions=renumbered))
            held_out = replace(point.tables, hazard=fit_hazard(others))
            none = replace(point.tables, hazard=(0.0,) * TURN_ENTRIES)
            for score in SCORES:
                row = {**cell, "envelope": where, "fold": fold, "score": score}
                for name, tables in (
                    ("all", point.tables),
                    ("held_out", held_out),
                    ("none", none),
                ):
                    run = replace(point, tables=tables)
                    totals = simulate(run, policy(score), placing("tide"), rows=[point.rows]).totals
                    row[name] = totals.hit_rate
                rows.append(row)
    return rows


def _online(cell: Cell) -> list[Row]:
    """Hits in equal parts of the run, by how the hazard is come by."""
    rows = []
    for where in (e for group_ in SCALES.values() for e in group_):
        point = scenario(cell["family"], where, cell["seed"])
        for way, name in LEARNING.items():
            rule = OnlineSpear() if way == "online" else policy(name)
            log = simulate(point, rule, placing("tide"), keep=True).requests
            hit = log["outcome"] >= int(Outcome.HIT_SRAM)
            parts = np.array_split(hit, BINS)
            rates = {f"bin{n}": float(part.mean()) for n, part in enumerate(parts)}
            found = {"hit_rate": float(hit.mean()), **rates}
            rows.append({**cell, "envelope": where, "way": way, **found})
    return rows


def residuals(rows: Sequence[Row], way: str = "held_out") -> list[float]:
    """|hit rate with another table - with that of all sessions|, one a fold and capacity."""
    return [abs(r[way] - r["all"]) for r in rows]


def gap(rows: Sequence[Row], way: str, columns: Sequence[str]) -> Mean:
    """Hit rate with the offline table minus that of `way`, mean over points and columns."""

    def value(part: list[Row]) -> float:
        offline, other = ([r for r in part if r["way"] == w] for w in ("offline", way))
        return math.fsum(average(offline, c) - average(other, c) for c in columns) / len(columns)

    return over_seeds(rows, value)


def _quarter(n: int) -> list[str]:
    size = BINS // QUARTERS
    return [f"bin{i}" for i in range(n * size, (n + 1) * size)]


def _line(rows: Sequence[Row], way: str) -> list[str]:
    quarters = [gap(rows, way, _quarter(n)) for n in range(QUARTERS)]
    return [m.text(100, 2, True) for m in (*quarters, gap(rows, way, ["hit_rate"]))]


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of the online table by family."""
    own = [r for r in rows if r["part"] == "online"]
    return [
        cells([family, scale, *_line([r for r in part if r["envelope"] in where], "online")])
        for (family,), part in group(own, "family").items()
        for scale, where in SCALES.items()
    ]


def _fold_lines(rows: Sequence[Row]) -> list[list[str]]:
    lines = []
    for (score, where), part in group(rows, "score", "envelope").items():
        found = [over_seeds(part, lambda p, w=w: _mean_of(residuals(p, w))) for w in WAYS]
        lines.append(
            [
                score,
                where,
                over_seeds(part, lambda p: average(p, "all")).text(100),
                found[0].text(100, 3),
                f"{100 * max(residuals(part)):.2f}",
                over_seeds(part, lambda p: average(p, "held_out") - average(p, "all")).text(
                    100, 3, True
                ),
                found[1].text(100, 3),
            ]
        )
    return lines


def _mean_of(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _findings(folds: Sequence[Row], online: Sequence[Row]) -> list[str]:
    lines = []
    for score in SCORES:
        for scale, where in CAPACITIES.items():
            part = [r for r in folds if r["score"] == score and r["envelope"] in where]
            found, moved = residuals(part), residuals(part, "none")
            top, centre = max(found), _mean_of(found)
            words = [
                "within" if a <= b else "above" for a, b in ((top, PAPER_MAX), (centre, PAPER_MEAN))
            ]
            lines.append(
                f"- Five folds of {FOLDED}, {score} + tide, {scale}: residual at most "
                f"{100 * top:.2f} pp ({words[0]} the paper's {100 * PAPER_MAX:.2f}), mean "
                f"{100 * centre:.3f} pp ({words[1]} the paper's {100 * PAPER_MEAN:.2f}), over "
                f"{len(found)} cells (folds, capacities, orders). Without any hazard "
                f"{sum(m > 0 for m in moved)} of these cells change at all, by "
                f"{100 * _mean_of(moved):.3f} pp on average: "
                + (
                    "the test says little, since the hazard hardly decides here."
                    if _mean_of(moved) < PAPER_MEAN
                    else "so the hazard has a say, and the test a meaning."
                )
            )
    for scale, where in SCALES.items():
        own = [r for r in online if r["envelope"] in where]
        first, last = (gap(own, "online", _quarter(n)) for n in (0, QUARTERS - 1))
        lines.append(
            f"- Online from an empty table, {scale}: offline against online in the first quarter: "
            f"{change(first)}; in the last: {change(last)}; whole run: "
            f"{change(gap(own, 'online', ['hit_rate']))}. Offline against no hazard at all: "
            f"{change(gap(own, 'none', ['hit_rate']))}."
        )
    return lines


def _figure(rows: Sequence[Row]) -> str:
    with plots.style():
        figure = Figure(figsize=(8, 3))
        at = [100 * (n + 0.5) / BINS for n in range(BINS)]
        for ax, (scale, where) in zip(figure.subplots(1, 2), SCALES.items(), strict=True):
            own = [r for r in rows if r["envelope"] in where]
            for way, colour in (("online", "unison"), ("none", "lru")):
                found = [gap(own, way, [f"bin{n}"]) for n in range(BINS)]
                y = [100 * m.value for m in found]
                half = [100 * (m.half or 0) for m in found]
                ax.plot(at, y, color=plots.COLOURS[colour], label=f"offline minus {way}")
                ax.fill_between(
                    at,
                    [a - b for a, b in zip(y, half, strict=True)],
                    [a + b for a, b in zip(y, half, strict=True)],
                    color=plots.COLOURS[colour],
                    alpha=0.2,
                    lw=0,
                )
            ax.axhline(0, color="k", lw=0.8)
            ax.set_title(f"{scale}: gap in hit rate, pp", fontsize=9)
            ax.set_xlabel("part of the run, %")
            ax.legend(fontsize=8)
        figure.tight_layout()
        return plots.svg(figure)


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    folds, online = ([r for r in rows if r["part"] == part] for part in ("folds", "online"))
    quarters = " | ".join(f"quarter {n + 1}" for n in range(QUARTERS))
    lines = [
        [scale, way, *_line([r for r in online if r["envelope"] in where], way)]
        for scale, where in SCALES.items()
        for way in ("online", "none")
    ]
    parts = [
        _findings(folds, online),
        "Folds: every fifth session of an order is replayed "
        "under the whole trace's load, once with the hazard fitted on the other four fifths and "
        "once with that of all sessions; the residual is the difference in hit rate, in absolute "
        "value. Beside it the change when there is no hazard at all, which says what a wrong table "
        "could do. Online: Unison (spear + tide); the table starts at zero and becomes, at every "
        "DONE, what `fit_hazard` gives for the sessions that have ended so far; a "
        "session's end is known only after its linger time. The offline table also "
        "knows the sessions to come.",
        "## Five-fold cross-validation",
        table(
            "score | envelope | hit rate, all sessions, % | mean residual, pp | largest, pp | "
            "signed, pp | change without hazard, pp",
            _fold_lines(folds),
        ),
        "## Online: hit rate with the offline table minus, pp",
        picture("hazard", "gap to the offline table over the run"),
        table(f"scale | against | {quarters} | whole run", lines),
        "By family, against online:",
        table(f"family | scale | {quarters} | whole run", []) + detail(rows),
    ]
    return page("The hazard table", "hazard", parts, {"hazard": _figure(online)})


EXPERIMENT = Experiment(
    name="hazard",
    title="hazard table: five-fold cross-validation and online learning (Table IV)",
    cells=all_cells,
    measure=measure,
    page=make_page,
    sample=lambda: family_cells([SAMPLED], part="online"),
    detail=detail,
)
