"""How wide the integers of the score must be: by axis, then joined (the paper's IV-C)."""

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.figure import Figure

from unison.contract.widths import WEIGHT_F
from unison.experiments import plots
from unison.experiments.base import Cell, Experiment, Page, Row, group
from unison.experiments.format_gates import (
    DRIFT,
    GATES,
    TAU,
    TOP1,
    bits,
    failed,
    knee,
    tau,
    top1,
    total_bits,
    worst_drift,
    worst_top1,
)
from unison.experiments.format_policy import LOCKED, Format, FormatPolicy
from unison.experiments.sweep import (
    SAMPLED,
    average,
    cells,
    family_cells,
    over_seeds,
    page,
    picture,
    scenario,
    table,
    text,
)
from unison.policies import placing, policy
from unison.scoring import Form
from unison.sim.simulate import simulate

ENVELOPES = ("gpu", "cloud")
#: Float64 reference by form.
REFERENCE = {Form.PRODUCT: "spear", Form.QUOTIENT: "spear2"}
#: Values of each field that is varied, from the widest; the fields of `Format`.
AXES: dict[Form, dict[str, tuple[int, ...]]] = {
    Form.PRODUCT: {
        "turn_f": (12, 11, 10, 9, 8, 7, 6, 5, 4),
        "weight_f": (4, 3, 2, 1, 0),
        "score_f": (8, 6, 4, 2, 0),
        "score_w": (48, 44, 40, 36, 32, 28, 24),
        "gap_w": (24, 22, 20, 18, 16, 14, 12),
        "tick": (-2, 0, 2, 4, 6, 8, 10, 12),
    },
    Form.QUOTIENT: {
        "turn_f": (10, 9, 8, 7, 6, 5, 4),
        "score_f": (6, 5, 4, 3, 2, 1, 0),
        "score_w": (32, 28, 24, 22, 20, 18, 16, 14, 12),
        "gap_w": (24, 22, 20, 18, 16, 14, 12),
        "tick": (-2, 0, 2, 4, 6, 8, 10, 12),
    },
}
AXIS_NAMES = {
    "turn_f": {Form.PRODUCT: "odds fraction bits", Form.QUOTIENT: "hazard bits b_h"},
    "weight_f": {Form.PRODUCT: "weight fraction bits"},
    "score_f": {Form.PRODUCT: "score fraction bits", Form.QUOTIENT: "score fraction bits F"},
    "score_w": {Form.PRODUCT: "score bits", Form.QUOTIENT: "score bits b_s"},
    "gap_w": dict.fromkeys(AXES, "gap bits"),
    "tick": dict.fromkeys(AXES, "tick, log2 of 1/16 ms"),
}
#: Joined formats, chosen after the one-axis sweep was seen: fewer bits from line to line.
JOINED: dict[Form, tuple[Format, ...]] = {
    form: tuple(Format(form, t, WEIGHT_F, f, w, g) for t, f, w, g in shapes)
    for form, shapes in {
        Form.PRODUCT: (
            (12, 8, 32, 24),
            (12, 4, 28, 22),
            (12, 0, 24, 22),
            (10, 0, 24, 22),
            (8, 0, 24, 22),
            (6, 0, 24, 22),
        ),
        Form.QUOTIENT: (
            (8, 4, 20, 24),
            (8, 4, 18, 22),
            (7, 3, 18, 22),
            (6, 2, 18, 22),
            (5, 1, 18, 22),
        ),
    }.items()
}


def variants(form: Form) -> list[tuple[str, int, Format]]:
    """(axis, value, format) of all that is measured of a form."""
    locked = LOCKED[form]
    found = [(a, v, replace(locked, **{a: v})) for a, vs in AXES[form].items() for v in vs]
    return found + [("joined", n, f) for n, f in enumerate(JOINED[form])]


def measure(cell: Cell) -> list[Row]:
    """Fidelity and drift of every format on both envelopes."""
    rows = []
    for where in ENVELOPES:
        point = scenario(cell["family"], where, cell["seed"])
        for form, name in REFERENCE.items():
            exact = simulate(point, policy(name), placing("tide")).totals
            known: dict[Format, Row] = {}
            for axis, value, shape in variants(form):
                if shape not in known:
                    known[shape] = _run(point, shape, exact)
                key = {"envelope": where, "form": form.name.lower(), "axis": axis, "value": value}
                rows.append({**cell, **key, **known[shape]})
    return rows


def _run(point, shape: Format, exact) -> Row:
    rule = FormatPolicy(shape)
    got = simulate(point, rule, placing("tide")).totals
    return {
        **rule.fidelity(),
        "drift": got.hit_rate - exact.hit_rate,
        "amat": got.amat_us / exact.amat_us - 1,
    }


def _pick(rows: Sequence[Row], form: Form, axis: str) -> dict[int, list[Row]]:
    own = [r for r in rows if r["form"] == form.name.lower() and r["axis"] == axis]
    return {value: part for (value,), part in group(own, "value").items()}


def _line(rows: Sequence[Row]) -> list[str]:
    low, family = worst_top1(rows)
    within = sum(abs(r["drift"]) <= DRIFT for r in rows)
    return [
        text(over_seeds(rows, tau), 1, 5),
        text(over_seeds(rows, top1), 1, 4),
        f"{low:.4f} ({family})",
        f"{100 * worst_drift(rows):.3f}",
        text(over_seeds(rows, lambda p: average(p, "drift")), 100, 3, True),
        f"{within} of {len(rows)}",
        ", ".join(failed(rows)) or "all met",
    ]


COLUMNS = (
    "tau | top-1 | worst family | worst drift, pp | mean drift, pp | cells in gate | gates missed"
)


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of the table by family: the locked formats."""
    lines = []
    for (family, where, form), own in group(rows, "family", "envelope", "form").items():
        locked = LOCKED[Form[form.upper()]]
        part = [r for r in own if r["axis"] == "gap_w" and r["value"] == locked.gap_w]
        snapshots = sum(r["snapshots"] for r in part)
        drift = over_seeds(part, lambda p: average(p, "drift"))
        amat = over_seeds(part, lambda p: average(p, "amat"))
        values = [text(over_seeds(part, tau), 1, 5), text(over_seeds(part, top1), 1, 4)]
        values += [drift.text(100, 3, True), amat.text(100, 3, True)]
        lines.append(cells([family, where, form, f"{snapshots:,.0f}", *values]))
    return lines


def _findings(rows: Sequence[Row]) -> list[str]:
    lines = []
    for form in AXES:
        locked = LOCKED[form]
        name = form.name.lower()
        part = _pick(rows, form, "gap_w")[locked.gap_w]
        misses = failed(part)
        state = "meets all gates" if not misses else f"misses: {', '.join(misses)}"
        low, family = worst_top1(part)
        lines.append(
            f"- {name}, the locked format ({bits(locked)}) {state}: tau {tau(part):.5f}, top-1 "
            f"{top1(part):.4f} (lowest {low:.4f}, {family}), drift at most "
            f"{100 * worst_drift(part):.3f} pp, over {sum(r['snapshots'] for r in part):,.0f} "
            f"snapshots in {len(part)} cells."
        )
        for gates in (GATES, GATES[:2]):
            knees = {a: knee(_pick(rows, form, a), gates) for a in AXES[form]}
            told = "; ".join(
                f"{AXIS_NAMES[a][form]} {'none' if v is None else v} ({getattr(locked, a)})"
                for a, v in knees.items()
            )
            good = [
                f
                for n, f in enumerate(JOINED[form])
                if not set(gates) & set(failed(_pick(rows, form, "joined")[n]))
            ]
            least = min(good, key=total_bits, default=None)
            joined = f"{bits(least)}: {total_bits(least)} bits" if least else "none"
            lines.append(
                f"- {name}, gates {', '.join(gates)}: narrowest on each axis alone, with all wider "
                f"ones (locked in brackets): {told}. Smallest joined format: {joined} (locked "
                f"{total_bits(locked)} bits)."
            )
    return lines


def _figure(rows: Sequence[Row]) -> str:
    with plots.style():
        figure = Figure(figsize=(10, 4.8))
        axes = figure.subplots(2, 6, sharey="row")
        for form, line in zip(AXES, axes, strict=True):
            for ax in line[len(AXES[form]) :]:
                ax.set_axis_off()
            for ax, axis in zip(line, AXES[form], strict=False):
                points = _pick(rows, form, axis)
                at = list(points)
                for label, colour, values in (
                    ("1 - tau", "spear", [1 - tau(p) for p in points.values()]),
                    ("1 - top-1, worst", "belady", [1 - worst_top1(p)[0] for p in points.values()]),
                    ("drift, worst", "unison", [worst_drift(p) for p in points.values()]),
                ):
                    y = [max(v, 1e-7) for v in values]
                    ax.plot(at, y, "o-", ms=3, color=plots.COLOURS[colour], label=label)
                for gate, colour in ((1 - TAU, "spear"), (1 - TOP1, "belady"), (DRIFT, "unison")):
                    ax.axhline(gate, color=plots.COLOURS[colour], lw=0.8, ls=":")
                ax.axvline(getattr(LOCKED[form], axis), color="k", lw=0.8, ls="--")
                ax.set_yscale("log")
                ax.set_xlabel(AXIS_NAMES[axis][form], fontsize=8)
                ax.tick_params(labelsize=7)
            line[0].set_ylabel(form.name.lower())
        figure.tight_layout(rect=(0, 0, 1, 0.94))
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", ncols=3)
        return plots.svg(figure)


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    parts: list[str | list[str]] = [
        _findings(rows),
        "Every run is Unison with an integer score (spear + tide): gap averages, times and tables "
        "truncated as the format says, one field at a time changed from the locked format. At "
        "every eviction of the integer run with two candidates or more, its ranking is compared "
        "with float64's over exactly the candidates scanned, with exact times and an exact average "
        "of the same events; nothing is sampled. The reference of `product` is three-signal Spear, "
        "that of `quotient` two-signal Spear. Drift: hit rate of the whole integer run minus that "
        "of the whole float64 run, by cell (family, envelope, order). Gates, the paper's: tau "
        f"above {TAU}, top-1 of every family at least {TOP1}, drift of every cell at most "
        f"{100 * DRIFT:.2f} pp. The paper has 18 cells, we have one for each order too, and the "
        "worst of more cells is worse. One other victim can change all that follows, so drift is "
        "not proportional to 1 - top-1: on the smallest family the gate is two requests. Bits of "
        "the gap average and of the score's whole part are set by the longest wait: 22 bits hold "
        "4.4 minutes, and hardly any wait of these families is longer, but the ten minutes that "
        f"the import of recordings lets through take 24. Envelopes: {', '.join(ENVELOPES)}.",
        picture(
            "formats", "fidelity by width, the dashed line is the locked format, dotted the gates"
        ),
    ]
    for form in AXES:
        lines = [
            [
                AXIS_NAMES[axis][form],
                f"**{v}**" if v == getattr(LOCKED[form], axis) else v,
                *_line(p),
            ]
            for axis in AXES[form]
            for v, p in _pick(rows, form, axis).items()
        ]
        parts += [f"## {form.name.capitalize()}: one axis at a time (locked value bold)"]
        parts += [table(f"axis | value | {COLUMNS}", lines)]
        joined = [
            [bits(f), total_bits(f), *_line(_pick(rows, form, "joined")[n])]
            for n, f in enumerate(JOINED[form])
        ]
        if joined:
            parts += ["Joined, chosen after the sweep above was seen:"]
            parts += [table(f"format | bits | {COLUMNS}", joined)]
    parts += [
        "## Locked formats by family",
        table(
            "family | envelope | form | snapshots | tau | top-1 | mean drift, pp | AMAT drift, %",
            [],
        )
        + detail(rows),
    ]
    return page("Widths of the integer score", "formats", parts, {"formats": _figure(rows)})


EXPERIMENT = Experiment(
    name="formats",
    title="widths of the integer score: tau, top-1 and drift (IV-C)",
    cells=family_cells,
    measure=measure,
    page=make_page,
    sample=lambda: family_cells([SAMPLED]),
    detail=detail,
)
