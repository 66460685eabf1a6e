"""Eviction crossed with placement: what each is worth without the other (the paper's Fig. 5)."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from unison.experiments import plots
from unison.experiments.base import Cell, Experiment, Page, Row, group
from unison.experiments.statistics import Mean
from unison.experiments.sweep import (
    SAMPLED,
    SCALES,
    average,
    average_ratio,
    cells,
    change,
    family_cells,
    measured,
    over_seeds,
    page,
    picture,
    scale_of,
    scenario,
    table,
    text,
)
from unison.policies import Placement, placing, policy
from unison.policies.spear import Spear, exact_tables

EVICTIONS = ("lru", "lru-queue", "spear")
PLACEMENTS = ("none", "static", "hint", "popularity", "recency", "tide", "spear-rank", "oracle")
OURS = ("spear", "tide")
LABELS = ("hit rate, %", "AMAT / LRU", "prefetch accuracy, %")
#: The paper's prefetch accuracy of Tide without Spear.
PAPER_ACCURACY = 0.011


class SpearRank(Placement):
    """Tide by Spear's ranking, whatever evicts."""

    name = "spear-rank"
    source = "Ours, for the ablation: Tide under an eviction that is not Spear."
    score = staticmethod(Spear.score)

    def params(self, setting: Any) -> Any:
        """Spear's own tables."""
        return exact_tables(setting)


def _place(name: str) -> Placement:
    return SpearRank() if name == SpearRank.name else placing(name)


def measure(cell: Cell) -> list[Row]:
    """All pairs on all envelopes."""
    rows = []
    for where in (e for group_ in SCALES.values() for e in group_):
        point = scenario(cell["family"], where, cell["seed"])
        for evict in EVICTIONS:
            for place in PLACEMENTS:
                found = measured(point, policy(evict), _place(place))
                rows.append({**cell, "envelope": where, "evict": evict, "place": place, **found})
    return rows


def accuracy(rows: Sequence[Row]) -> float | None:
    """Prefetch accuracy over all promotions of some rows together; None without any."""
    total = sum(r["promotions"] for r in rows)
    useful = sum(r["promotions"] * r["accuracy"] for r in rows if r["promotions"])
    return useful / total if total else None


def _pick(rows: Sequence[Row], evict: str, place: str) -> list[Row]:
    return [r for r in rows if r["evict"] == evict and r["place"] == place]


def _amat(rows: Sequence[Row], evict: str, place: str) -> Mean:
    """AMAT over that of LRU without migration, geometric mean, by seed."""

    def ratio(part: list[Row]) -> float:
        return average_ratio(_pick(part, evict, place), "amat_us", _pick(part, "lru", "none"))

    return over_seeds(rows, ratio)


def _difference(rows: Sequence[Row], a: tuple[str, str], b: tuple[str, str]) -> Mean:
    def value(part: list[Row]) -> float:
        return average(_pick(part, *a), "hit_rate") - average(_pick(part, *b), "hit_rate")

    return over_seeds(rows, value)


def _line(rows: Sequence[Row], evict: str, place: str) -> list[str]:
    own = _pick(rows, evict, place)
    promotions = over_seeds(own, lambda part: float(sum(r["promotions"] for r in part)))
    return [
        evict,
        place,
        text(over_seeds(own, lambda part: average(part, "hit_rate")), 100),
        text(_amat(rows, evict, place), 1, 3),
        text(over_seeds(own, accuracy), 100, 1),
        f"{promotions.value:,.0f}",
    ]


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of the table by family."""
    lines = []
    for (family,), own in group(rows, "family").items():
        for name, where in SCALES.items():
            part = [r for r in own if r["envelope"] in where]
            for pair in (("lru", "tide"), ("lru", "spear-rank"), ("spear", "none"), OURS):
                lines.append(cells([family, name, *_line(part, *pair)]))
    return lines


def _findings(name: str, rows: Sequence[Row]) -> list[str]:
    pairs = [(e, p) for e in EVICTIONS for p in PLACEMENTS if p != "oracle"]
    hit = {p: _pick_mean(rows, p) for p in pairs}
    amat = {p: _amat(rows, *p).value for p in pairs}
    best, fastest = max(pairs, key=hit.get), min(pairs, key=amat.get)
    without, ours = _pick(rows, "lru", "tide"), _pick(rows, *OURS)
    low = [r for r in without if r["promotions"] >= 20]
    worst = min(low, key=lambda r: r["accuracy"])
    lru = over_seeds(without, accuracy)
    near = "as low as" if lru.value <= 2 * PAPER_ACCURACY else "far above"
    return [
        f"- {name}: highest hit rate without an oracle: {'+'.join(best)} "
        f"({100 * hit[best]:.2f} %); lowest AMAT: {'+'.join(fastest)} "
        f"({amat[fastest]:.3f} of LRU's). spear+tide: {100 * hit[OURS]:.2f} % and "
        f"{amat[OURS]:.3f}.",
        f"- {name}, hit rate of spear+tide against spear without migration: "
        f"{change(_difference(rows, OURS, ('spear', 'none')))}; against lru+tide: "
        f"{change(_difference(rows, OURS, ('lru', 'tide')))}; against lru-queue+tide: "
        f"{change(_difference(rows, OURS, ('lru-queue', 'tide')))}. Spear's ranking for "
        f"placement alone (lru+spear-rank) against lru: "
        f"{change(_difference(rows, ('lru', 'spear-rank'), ('lru', 'none')))}.",
        f"- {name}, prefetch accuracy: Tide without Spear (lru+tide) {text(lru, 100, 1)} %, "
        f"{near} the paper's {100 * PAPER_ACCURACY:.1f} %; lowest at a point with 20 promotions "
        f"or more: {100 * worst['accuracy']:.1f} % ({worst['family']}, {worst['envelope']}). "
        f"With Spear: {text(over_seeds(ours, accuracy), 100, 1)} %.",
    ]


def _pick_mean(rows: Sequence[Row], pair: tuple[str, str]) -> float:
    return average(_pick(rows, *pair), "hit_rate")


def _figure(rows: Sequence[Row]) -> str:
    with plots.style():
        figure = Figure(figsize=(9, 5.6))
        axes = figure.subplots(2, 3, sharex=True)
        for row, (name, where) in zip(axes, SCALES.items(), strict=True):
            part = [r for r in rows if r["envelope"] in where]
            for n, evict in enumerate(EVICTIONS):
                for column, ax in enumerate(row):
                    found = [_value(part, evict, place, column) for place in PLACEMENTS]
                    ax.errorbar(
                        [i + 0.2 * (n - 1) for i in range(len(PLACEMENTS))],
                        [math.nan if f is None else f.value for f in found],
                        [0 if f is None else f.half or 0 for f in found],
                        fmt="o",
                        markersize=4,
                        color=plots.COLOURS[evict],
                        label=evict,
                    )
            for ax, label in zip(row, LABELS, strict=True):
                ax.set_title(f"{name}: {label}", fontsize=9)
                ax.set_xticks(range(len(PLACEMENTS)), PLACEMENTS, rotation=45, ha="right")
        figure.tight_layout(rect=(0, 0, 1, 0.95))
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", ncols=3)
        return plots.svg(figure)


def _value(rows: Sequence[Row], evict: str, place: str, column: int) -> Mean | None:
    own = _pick(rows, evict, place)
    if column == 0:
        return over_seeds(own, lambda part: 100 * average(part, "hit_rate"))
    if column == 1:
        return _amat(rows, evict, place)
    found = over_seeds(own, accuracy)
    return found and Mean(100 * found.value, 100 * (found.half or 0))


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    columns = "eviction | placement | hit rate, % | AMAT/LRU | prefetch accuracy, % | promotions"
    parts: list[str | list[str]] = []
    verdicts = []
    tables = []
    for name, where in SCALES.items():
        part = [r for r in rows if scale_of(r["envelope"]) == name]
        verdicts += _findings(name, part)
        lines = [_line(part, e, p) for e in EVICTIONS for p in PLACEMENTS]
        tables += [f"## {name.capitalize()}: {', '.join(where)}", table(columns, lines)]
    same = all(
        a["hit_rate"] == b["hit_rate"]
        for a, b in zip(_pick(rows, "lru", "tide"), _pick(rows, "lru", "recency"), strict=True)
    )
    parts.append(verdicts)
    parts.append(
        "Tide reads the eviction's own ranking; under LRU that makes it the same as `recency` "
        f"({'equal' if same else 'not equal'} at every point measured). `spear-rank` is Tide by "
        "Spear's ranking whatever evicts. Hit rate: mean over the points; AMAT/LRU: geometric "
        "mean, against LRU without migration; prefetch accuracy: over all promotions of the points "
        "together (a promotion counts when the next request finds it); promotions: of all points."
    )
    parts.append(picture("ablation", "hit rate, AMAT and prefetch accuracy by pair"))
    parts += tables
    families = table(f"family | scale | {columns}", [])
    parts += ["## By family", families + detail(rows)]
    return page("Eviction crossed with placement", "ablation", parts, {"ablation": _figure(rows)})


EXPERIMENT = Experiment(
    name="ablation",
    title="eviction crossed with placement: hit rate, AMAT, prefetch accuracy (Fig. 5)",
    cells=family_cells,
    measure=measure,
    page=make_page,
    sample=lambda: family_cells([SAMPLED]),
    detail=detail,
)
