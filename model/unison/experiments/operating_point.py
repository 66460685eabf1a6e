"""How prefixes grow and how the live set compares with the pool (the paper's Fig. 1)."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from unison.contract import EventCode
from unison.experiments import plots
from unison.experiments.base import Cell, Experiment, Page, Row, group
from unison.experiments.statistics import Mean
from unison.experiments.sweep import (
    SAMPLED,
    SCALES,
    average,
    cells,
    family_cells,
    opened,
    over_seeds,
    page,
    picture,
    scenario,
    table,
)
from unison.traces.envelopes import ENVELOPES
from unison.traces.paths import FAMILIES

LEVELS = (10, 50, 90)
#: A turn is shown while this many sessions reach it.
ENOUGH = 16
#: The point whose live set is drawn, and in how many places.
DRAWN = ("gaia_qwen3", "cloud")
PLACES = 400
_TOUCHES = (int(EventCode.REQ), int(EventCode.GAP_OPEN))


def all_cells() -> list[Cell]:
    """Growth of every family, then its live set by seed."""
    return [{"part": "growth", "family": f} for f in FAMILIES] + family_cells(part="live")


def measure(cell: Cell) -> list[Row]:
    """Rows of one part."""
    return _growth(cell) if cell["part"] == "growth" else _live(cell)


def _growth(cell: Cell) -> list[Row]:
    """Quantiles of prompt + output by turn, and the peak of each session."""
    sessions = opened(cell["family"]).sessions
    longest = max(len(s.turns) for s in sessions)
    turns, quantiles = [], []
    for k in range(longest):
        sizes = [s.turns[k].kv_tokens for s in sessions if len(s.turns) > k]
        if len(sizes) < ENOUGH:
            break
        turns.append(k + 1)
        quantiles.append([float(q) for q in np.percentile(sizes, LEVELS)])
    peaks = [max(t.kv_tokens for t in s.turns) for s in sessions]
    steps = [b.kv_tokens > a.kv_tokens for s in sessions for a, b in pairwise(s.turns)]
    outgrow = {e: float(np.mean([p > x.pool_tokens for p in peaks])) for e, x in ENVELOPES.items()}
    found = {"turns": turns, "tokens": quantiles, "rising": float(np.mean(steps))}
    return [{**cell, **found, "peak": float(np.median(peaks)), "outgrow": outgrow}]


def live_tokens(rows: np.ndarray, needed: bool = False) -> np.ndarray:
    """Tokens of all live sessions after each event; `needed`: without those that never return.

    rows: (n,) of `EVENT`, in time order, with `next_us` filled in.
    """
    code, session = rows["code"], rows["session"]
    size = np.where(np.isin(code, _TOUCHES), rows["tokens"], 0).astype(np.int64)
    if needed:
        size[(code == int(EventCode.GAP_OPEN)) & (rows["next_us"] < 0)] = 0
    # A GAP_CLOSE changes nothing; of the others, what a session has more than before.
    kept = np.flatnonzero(code != int(EventCode.GAP_CLOSE))
    order = kept[np.argsort(session[kept], kind="stable")]
    before = np.concatenate([[0], size[order][:-1]])
    before[np.diff(session[order], prepend=-1) != 0] = 0
    step = np.zeros(len(rows), np.int64)
    step[order] = size[order] - before
    return np.cumsum(step)


def _live(cell: Cell) -> list[Row]:
    """Mean of the live set over time, and the time it is above the pool, by envelope."""
    rows = []
    for where, e in ENVELOPES.items():
        point = scenario(cell["family"], where, cell["seed"])
        times = point.rows["time_us"]
        row = {**cell, "envelope": where}
        spans = np.diff(times).astype(float)
        series = {}
        for name, needed in (("live", False), ("needed", True)):
            series[name] = live_tokens(point.rows, needed)
            sizes = series[name][:-1]
            row[name] = float((sizes * spans).sum() / spans.sum() / e.pool_tokens)
            row[f"{name}_above"] = float(spans[sizes > e.pool_tokens].sum() / spans.sum())
        if (cell["family"], where) == DRAWN and cell["seed"] == 0:
            at = np.linspace(0, times[-1], PLACES)
            index = np.searchsorted(times, at, side="right") - 1
            row["hours"] = [float(t) / 3.6e9 for t in at]
            row |= {f"{name}_series": values[index].tolist() for name, values in series.items()}
        rows.append(row)
    return rows


def _growth_line(row: Row) -> list[str]:
    def at(turn: int) -> str:
        if turn not in row["turns"]:
            return "-"
        low, mid, high = row["tokens"][row["turns"].index(turn)]
        return f"{mid:,.0f} ({low:,.0f}..{high:,.0f})"

    outgrow = [f"{100 * row['outgrow'][e]:.0f}" for e in ("edge-tight", "cloud", "gpu-tight")]
    return [*map(at, (1, 5, 10, 20, 40)), f"{row['peak']:,.0f}", *outgrow]


def _live_line(rows: Sequence[Row]) -> list[str]:
    names = ("live", "live_above", "needed", "needed_above")
    found = [over_seeds(rows, lambda part, n=n: average(part, n)) for n in names]
    scale = (1, 100, 1, 100)
    return [m.text(s, 2 if s == 1 else 1) for m, s in zip(found, scale, strict=True)]


def detail(rows: Sequence[Row]) -> list[str]:
    """Lines of both tables by family."""
    lines = []
    for (family,), own in group(rows, "family").items():
        lines += [cells([family, "prefix", *_growth_line(r)]) for r in own if r["part"] == "growth"]
        for scale, where in SCALES.items():
            part = [r for r in own if r["part"] == "live" and r["envelope"] in where]
            if part:
                lines.append(cells([family, f"live set, {scale}", *_live_line(part)]))
    return lines


def _above(rows: Sequence[Row], name: str) -> Mean:
    return over_seeds(rows, lambda part: average(part, name))


def _findings(growth: Sequence[Row], live: Sequence[Row]) -> list[str]:
    rising = [
        sum(b[1] > a[1] for a, b in pairwise(r["tokens"])) / (len(r["tokens"]) - 1) for r in growth
    ]
    low, high = (100 * f(r["rising"] for r in growth) for f in (min, max))
    lines = [
        f"- Prefixes: {low:.1f} to {high:.1f} % of the steps from turn to turn grow, by family; "
        f"the median over the sessions that reach a turn rises at {100 * min(rising):.0f} to "
        f"{100 * max(rising):.0f} % of the turns. The paper's curves rise monotonically."
    ]
    for scale, where in SCALES.items():
        part = [r for r in live if r["envelope"] in where]
        outgrow = [r["outgrow"][e] for r in growth for e in where]
        lines.append(
            f"- {scale}: the live set is {_above(part, 'live').text(1, 2)} of the pool on average "
            f"over time and points, and above it {_above(part, 'live_above').text(100, 1)} % of "
            f"the time; without finished sessions {_above(part, 'needed').text(1, 2)} and "
            f"{_above(part, 'needed_above').text(100, 1)} %. Sessions that outgrow the whole pool "
            f"alone: {100 * sum(outgrow) / len(outgrow):.0f} % (mean of the points)."
        )
    return lines


def _draw_growth(axes: Sequence, growth: Sequence[Row]) -> None:
    for ax, row in zip(axes, growth, strict=True):
        low, mid, high = zip(*row["tokens"], strict=True)
        ax.fill_between(row["turns"], low, high, color=plots.COLOURS["unison"], alpha=0.25, lw=0)
        ax.plot(row["turns"], mid, color=plots.COLOURS["unison"])
        for name in ("edge-tight", "edge", "cloud", "gpu-tight", "gpu"):
            ax.axhline(ENVELOPES[name].pool_tokens, color="k", lw=0.7, ls=":")
            ax.text(row["turns"][-1], ENVELOPES[name].pool_tokens, name, fontsize=6, ha="right")
        ax.set_yscale("log")
        ax.set_title(row["family"], fontsize=9)


def _figures(growth: Sequence[Row], live: Sequence[Row]) -> dict[str, str]:
    with plots.style():
        first = Figure(figsize=(9, 4.8))
        axes = first.subplots(2, 3, sharey=True)
        _draw_growth(axes.flat, growth)
        for ax in axes[:, 0]:
            ax.set_ylabel("tokens of a session")
        for ax in axes[-1]:
            ax.set_xlabel("turn")
        first.tight_layout()
        drawn = next(r for r in live if "hours" in r)
        second = Figure(figsize=(7, 3))
        ax = second.subplots()
        ax.plot(drawn["hours"], drawn["live_series"], color=plots.COLOURS["lru"], label="live")
        ax.plot(
            drawn["hours"],
            drawn["needed_series"],
            color=plots.COLOURS["unison"],
            label="live, to return",
        )
        e = ENVELOPES[DRAWN[1]]
        for size, label, style in ((e.pool_tokens, "pool", "--"), (e.sram.tokens, "SRAM", ":")):
            ax.axhline(size, color="k", lw=0.8, ls=style, label=label)
        ax.set_xlabel("hours")
        ax.set_ylabel("tokens")
        ax.set_title(f"{DRAWN[0]} on {DRAWN[1]}", fontsize=9)
        ax.legend(fontsize=8, ncols=4)
        return {
            "operating-point-growth": plots.svg(first),
            "operating-point-live": plots.svg(second),
        }


def make_page(rows: Sequence[Row]) -> Page:
    """The page."""
    growth, live = ([r for r in rows if r["part"] == part] for part in ("growth", "live"))
    lines = detail(rows)
    parts = [
        _findings(growth, live),
        "A session's prefix is prompt and output of a turn. The live set is the prefixes of all "
        "sessions from their first request to their DONE; that to return leaves out the sessions "
        "after their last turn, which linger because a server cannot know that it was the last. "
        "Neither depends on a policy. The paper reports the shape in words only.",
        "## Prefix by turn: median (p10..p90), tokens",
        picture("operating-point-growth", "prefix against turn, with the pools of envelopes"),
        table(
            "family | | turn 1 | turn 5 | turn 10 | turn 20 | turn 40 | median peak | "
            "outgrow edge-tight, % | outgrow cloud, % | outgrow gpu-tight, %",
            [],
        )
        + [line for line in lines if "| prefix |" in line],
        "## Live set over pool",
        picture("operating-point-live", "live set over time"),
        table(
            "family | | live / pool | time above, % | to return / pool | time above, %",
            [],
        )
        + [line for line in lines if "| live set" in line],
    ]
    return page("The operating point", "operating-point", parts, _figures(growth, live))


EXPERIMENT = Experiment(
    name="operating-point",
    title="prefix growth and the live set against the pool (Fig. 1)",
    cells=all_cells,
    measure=measure,
    page=make_page,
    sample=lambda: [
        {"part": "growth", "family": SAMPLED},
        *family_cells([SAMPLED], part="live"),
    ],
    detail=detail,
)
