"""Spear with one signal left out at a time (the paper's Fig. 6)."""

from collections.abc import Sequence

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
    scenario,
    significant,
    table,
)
from unison.policies import placing, policy

FULL = "spear"
#: Policy that lacks a signal, by the signal.
WITHOUT = {
    "elapsed wait": "spear2",
    "hazard": "spear-nohazard",
    "gap average": "spear-nogap",
    "all three": "lru-queue",
}
PLACEMENTS = ("none", "tide")
#: What dropping the elapsed wait costs in the paper.
PAPER_ELAPSED = 0.0155


def measure(cell: Cell) -> list[Row]:
    """All five scores on all envelopes, with and without Tide."""
    rows = []
    for where in (e for group_ in SCALES.values() for e in group_):
        point = scenario(cell["family"], where, cell["seed"])
        for place in PLACEMENTS:
            for name in (FULL, *WITHOUT.values()):
                found = measured(point, policy(name), placing(place))
                rows.append({**cell, "envelope": where, "policy": name, "place": place, **found})
    return rows


def _pick(rows: Sequence[Row], name: str, place: str) -> list[Row]:
    return [r for r in rows if r["policy"] == name and r["place"] == place]


def loss(rows: Sequence[Row], signal: str, place: str) -> Mean:
    """Hit rate that goes with a signal, mean over the points; negative: it does harm."""

    def value(part: list[Row]) -> float:
        full, less = (_pick(part, n, place) for n in (FULL, WITHOUT[signal]))
        return average(full, "hit_rate") - average(less, "hit_rate")

    return over_seeds(rows, value)


def _amat(rows: Sequence[Row], signal: str, place: str) -> Mean:
    def value(part: list[Row]) -> float:
        full, less = (_pick(part, n, place) for n in (FULL, WITHOUT[signal]))
        return average_ratio(less, "amat_us", full) - 1

    return over_seeds(rows, value)


def _line(rows: Sequence[Row]) -> list[str]:
    return [loss(rows, s, p).text(100, 2, True) for s in WITHOUT for p in PLACEMENTS]


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of the table by family."""
    return [
        cells([family, name, *_line([r for r in own if r["envelope"] in where])])
        for (family,), own in group(rows, "family").items()
        for name, where in SCALES.items()
    ]


def _findings(rows: Sequence[Row], scale: str) -> list[str]:
    lines = []
    for place in PLACEMENTS:
        losses = {s: loss(rows, s, place) for s in WITHOUT}
        single = {s: m for s, m in losses.items() if s != "all three"}
        most, least = (
            max(single, key=lambda s: single[s].value),
            min(single, key=lambda s: single[s].value),
        )
        harmful = [s for s, m in losses.items() if m.value < 0 and significant(m)]
        elapsed = losses["elapsed wait"]
        near = "more than" if elapsed.value > PAPER_ELAPSED else "less than"
        name = "with Tide" if place == "tide" else "without Tide"
        lines.append(
            f"- {scale}, {name}: dropping the elapsed wait costs {elapsed.text(100)} pp "
            f"({near} the paper's {100 * PAPER_ELAPSED:.2f} pp), the hazard "
            f"{losses['hazard'].text(100)} pp, the gap average "
            f"{losses['gap average'].text(100)} pp. The {most} is worth most, the {least} least. "
            f"Spear against lru-queue, which has none of the three: "
            f"{change(losses['all three'])}."
            + (f" Better left out here: {', '.join(harmful)}." if harmful else "")
        )
    return lines


def _figure(rows: Sequence[Row]) -> str:
    with plots.style():
        figure = Figure(figsize=(7.5, 3))
        for ax, (name, where) in zip(figure.subplots(1, 2), SCALES.items(), strict=True):
            part = [r for r in rows if r["envelope"] in where]
            for n, place in enumerate(PLACEMENTS):
                losses = [loss(part, s, place) for s in WITHOUT]
                ax.bar(
                    [i + 0.35 * (n - 0.5) for i in range(len(WITHOUT))],
                    [100 * m.value for m in losses],
                    0.33,
                    yerr=[100 * (m.half or 0) for m in losses],
                    color=plots.COLOURS["unison" if place == "tide" else "spear"],
                    label="with Tide" if place == "tide" else "without Tide",
                )
            ax.plot([-0.4, 0.4], [100 * PAPER_ELAPSED] * 2, "k--", lw=1, label="paper")
            ax.axhline(0, color="k", lw=0.8)
            ax.set_title(f"{name}: loss of hit rate, pp", fontsize=9)
            ax.set_xticks(range(len(WITHOUT)), [f"without {s}" for s in WITHOUT], rotation=20)
            ax.legend(fontsize=8)
        figure.tight_layout()
        return plots.svg(figure)


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    findings, lines = [], []
    for scale, where in SCALES.items():
        part = [r for r in rows if r["envelope"] in where]
        findings += _findings(
            part, f"{scale} ({len({(r['family'], r['envelope']) for r in part})} points)"
        )
        for signal, name in WITHOUT.items():
            for place in PLACEMENTS:
                lines.append(
                    [
                        scale,
                        signal,
                        name,
                        place,
                        loss(part, signal, place).text(100, 2, True),
                        _amat(part, signal, place).text(100, 2, True),
                    ]
                )
    heads = " | ".join(f"{s}{', Tide' if p == 'tide' else ''}" for s in WITHOUT for p in PLACEMENTS)
    parts = [
        findings,
        "Loss: hit rate of three-signal Spear minus that of the policy without the signal, in pp, "
        "mean over the points. AMAT: what leaving it out adds, geometric mean. Every one of these "
        "policies keeps the sessions whose tool has returned for last; only the ranking of the "
        "waits differs. In the paper the elapsed wait contributes least, and hazard and gap "
        "average are both indispensable.",
        picture("signals", "loss of hit rate by signal left out"),
        table("scale | left out | policy | placement | loss, pp | AMAT, %", lines),
        "## By family: loss in pp",
        table(f"family | scale | {heads}", []) + detail(rows),
    ]
    return page("One signal left out", "signals", parts, {"signals": _figure(rows)})


EXPERIMENT = Experiment(
    name="signals",
    title="three-signal Spear with one signal left out at a time (Fig. 6)",
    cells=family_cells,
    measure=measure,
    page=make_page,
    sample=lambda: family_cells([SAMPLED]),
    detail=detail,
)
