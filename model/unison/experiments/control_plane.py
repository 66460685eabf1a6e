"""Table I: one control plane against split engines that synchronize every so many events."""

from collections.abc import Sequence
from functools import lru_cache

from unison.experiments import plots
from unison.experiments.base import SEEDS, Cell, Experiment, Page, Row, group
from unison.experiments.statistics import geometric_mean, mean
from unison.traces.envelopes import envelope
from unison.traces.model import Trace
from unison.traces.paths import FAMILIES, open_trace

PAPER = ("edge-tight", "edge", "edge-plus", "cloud-tight", "cloud", "cxl")
SERVER = ("gpu-tight", "gpu", "node")
PERIODS = (1, 2, 4, 8, 16, 64, 256)


@lru_cache(maxsize=2)
def _trace(name: str) -> Trace:
    return open_trace(name)


def cells() -> list[Cell]:
    """Family, envelope, seed."""
    return [
        {"family": f, "envelope": e, "seed": s}
        for f in FAMILIES
        for e in (*PAPER, *SERVER)
        for s in SEEDS
    ]


def measure(cell: Cell) -> list[Row]:
    """One row for the unified plane (period 0) and one for each period."""
    from unison.policies import placing, policy
    from unison.sim.scenario import Scenario
    from unison.sim.simulate import simulate
    from unison.sim.split import simulate_split

    where = envelope(cell["envelope"])
    scenario = Scenario.of(_trace(cell["family"]), where, seed=cell["seed"])
    one = simulate(scenario, policy("spear"), placing("tide")).totals
    rows = [{**cell, "period": 0, "hit_rate": one.hit_rate, "amat_us": one.amat_us, "void": 0}]
    for period in PERIODS:
        two = simulate_split(scenario, policy("spear"), period)
        void = two.void_evictions + two.void_placements + two.void_migrations
        rows.append(
            {
                **cell,
                "period": period,
                "hit_rate": two.hit_rate,
                "amat_us": two.amat_us,
                "void": void,
            }
        )
    return rows


def _differences(rows: Sequence[Row]) -> list[Row]:
    """Split rows with `loss` (pp of hit rate against the unified plane) and `ratio` of AMAT."""
    out = []
    for of_point in group(rows, "family", "envelope", "seed").values():
        one = next(r for r in of_point if r["period"] == 0)
        out += [
            {
                **r,
                "loss": 100 * (r["hit_rate"] - one["hit_rate"]),
                "ratio": r["amat_us"] / one["amat_us"],
            }
            for r in of_point
            if r["period"]
        ]
    return out


def _seed_means(rows: Sequence[Row], key: str) -> list[float]:
    """Mean over everything else, one value a seed."""
    return [mean([r[key] for r in of]).value for of in group(rows, "seed").values()]


def detail(rows: Sequence[Row]) -> list[str]:
    """One line a family and envelope: loss by period."""
    lines = []
    for (family, where), of in group(_differences(rows), "family", "envelope").items():
        by = group(of, "period")
        losses = (mean([r["loss"] for r in by[(p,)]]).text(sign=True) for p in PERIODS)
        lines.append(f"| {family} | {where} | " + " | ".join(losses) + " |")
    return lines


def _summary(rows: Sequence[Row], places: Sequence[str]) -> list[str]:
    lines = []
    chosen = [r for r in _differences(rows) if r["envelope"] in places]
    for (period,), of in group(chosen, "period").items():
        worst = min(of, key=lambda r: r["loss"])
        lines.append(
            f"| {period} | {mean(_seed_means(of, 'loss')).text(sign=True)} | "
            f"{worst['loss']:+.2f} ({worst['family']}, {worst['envelope']}) | "
            f"{geometric_mean([r['ratio'] for r in of]):.4f} | "
            f"{mean([r['void'] for r in of]).value:.0f} |"
        )
    return lines


def _figure(rows: Sequence[Row]) -> str:
    from matplotlib.figure import Figure

    with plots.style():
        figure = Figure(figsize=(6, 3))
        axes = figure.subplots()
        for places, label, mark in ((PAPER, "paper's six envelopes", "o"), (SERVER, "server", "s")):
            chosen = [r for r in _differences(rows) if r["envelope"] in places]
            found = [mean(_seed_means(of, "loss")) for of in group(chosen, "period").values()]
            axes.errorbar(
                PERIODS, [m.value for m in found], [m.half or 0 for m in found],
                marker=mark, capsize=2, label=label,
            )  # fmt: skip
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.set_xticks(PERIODS, [str(p) for p in PERIODS])
        axes.set_xlabel("events between synchronizations")
        axes.set_ylabel("hit rate against one plane, pp")
        axes.legend()
    return plots.svg(figure)


def page(rows: Sequence[Row]) -> Page:
    """The page with both summaries, the figure and the detail."""
    head = "| period | hit rate, pp | worst cell, pp | AMAT ratio | void decisions a run |"
    rule = "|---|---|---|---|---|"
    parts = [
        f"""# One control plane against split engines

Regenerated by `unison exp control-plane` on our calibrated synthetic families, **not the paper's
traces**; P = 2, {len(SEEDS)} orders of the sessions, mean ± 95 % interval; hazard and gap prior
are fitted on the whole trace, as in the paper. The reference is Unison
(Spear + Tide) as one plane. Split: Spear evicts and places from registers of its own; Tide migrates
from a copy of them made before every `period`-th event; neither sees what the other has decided
since. The memory keeps the truth: a decision that does not fit it is void.
The paper reports losses of up to 5.4 pp even when synchronized at every event.

Paper-scale envelopes ({", ".join(PAPER)}):

{head}
{rule}""",
        *_summary(rows, PAPER),
        f"\nServer envelopes ({', '.join(SERVER)}):\n\n{head}\n{rule}",
        *_summary(rows, SERVER),
        "\n![Loss by period](figures/control-plane.svg)\n\n## By family and envelope\n"
        "Difference of hit rate to one plane, pp, by period.\n",
        "| trace | envelope | " + " | ".join(map(str, PERIODS)) + " |",
        "|" + "---|" * (2 + len(PERIODS)),
        *detail(rows),
    ]
    return Page("\n".join(parts) + "\n", {"control-plane": _figure(rows)})


def sample() -> list[Cell]:
    """gaia_gemma4 at cloud."""
    return [{"family": "gaia_gemma4", "envelope": "cloud", "seed": s} for s in SEEDS]


EXPERIMENT = Experiment(
    "control-plane",
    "Table I: one control plane against split engines, by synchronization period",
    cells,
    measure,
    page,
    sample,
    detail,
)
