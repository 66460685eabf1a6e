"""Figures of the comparisons."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unison.experiments.compared import BOUND
from unison.experiments.lineup import BASELINE, ORACLE, OURS
from unison.experiments.plots import COLOURS, style, svg
from unison.experiments.points import Point, Results

_SHOWN = (BASELINE, "lru-queue", "agserve", "cachescout", OURS, ORACLE)


def hit_rate(results: Results) -> str:
    """Heat maps of ours against LRU, LRU that knows the queue against it, ours against that."""
    pairs = [(OURS, BASELINE), ("lru-queue", BASELINE), (OURS, "lru-queue")]
    return _maps(
        results,
        [(f"{a} minus {b}, pp", a, b) for a, b in pairs],
        lambda a, b, at: 100 * results.difference(a, b, at).value,
        middle=0.0,
        form="{:+.1f}",
        better=1,
    )


def amat(results: Results) -> str:
    """Heat maps of AMAT against LRU, for ours and for LRU that knows the queue."""
    return _maps(
        results,
        [(f"AMAT of {a} / {BASELINE}", a, BASELINE) for a in (OURS, "lru-queue")],
        lambda a, b, at: results.ratio("amat_us", a, b, at).value,
        middle=1.0,
        form="{:.2f}",
        better=-1,
    )


def _axes(results: Results) -> tuple[list[str], list[str]]:
    return list(dict.fromkeys(f for f, _ in results.points)), list(
        dict.fromkeys(e for _, e in results.points)
    )


def _maps(
    results: Results,
    panels: Sequence[tuple[str, str, str]],
    value: Callable[[str, str, Point], float],
    middle: float,
    form: str,
    better: int,
) -> str:
    """Traces by envelopes, one panel a pair; blue is better. Vector cells, not an image."""
    families, envelopes = _axes(results)
    have = results.complete(results.points)
    panels = [p for p in panels if p[1] in have and p[2] in have]
    with style():
        figure = Figure(
            figsize=(1.6 + 0.62 * len(envelopes), (0.9 + 0.34 * len(families)) * len(panels))
        )
        axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
        grids = [
            np.array([[value(a, b, (f, e)) for e in envelopes] for f in families])
            for _, a, b in panels
        ]
        span = max(float(np.abs(g - middle).max()) for g in grids) or 1.0
        for ax, grid, (title, _, _) in zip(axes, grids, panels, strict=True):
            ax.pcolormesh(
                better * (grid - middle), cmap="RdBu", vmin=-span, vmax=span, edgecolors="white"
            )
            for (y, x), number in np.ndenumerate(grid):
                dark = abs(number - middle) > 0.6 * span
                ax.text(
                    x + 0.5,
                    y + 0.5,
                    form.format(number),
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color="white" if dark else "black",
                )
            ax.set_xticks(np.arange(len(envelopes)) + 0.5, envelopes, fontsize=7.5)
            ax.set_yticks(np.arange(len(families)) + 0.5, families)
            ax.invert_yaxis()
            ax.grid(False)
            ax.set_title(title, fontsize=9, loc="left")
        figure.tight_layout()
        return svg(figure)


def to_bound(results: Results) -> str:
    """How far below the bound a few policies stay, by trace and envelope."""
    families, envelopes = _axes(results)
    have = results.complete(results.points)
    online = [n for n in have if n in results.online]
    columns = min(3, len(families))
    lines = -(-len(families) // columns)
    with style():
        figure = Figure(figsize=(3.2 * columns, 2.3 * lines + 0.6))
        axes = figure.subplots(lines, columns, squeeze=False, sharey=True)
        for ax, family in zip(axes.flat, families, strict=False):
            points = [(x, (family, e)) for x, e in enumerate(envelopes)]
            points = [(x, at) for x, at in points if results.hit(BOUND, at)]
            for name in (n for n in _SHOWN if n in have):
                gaps = [(x, 100 * results.difference(BOUND, name, at).value) for x, at in points]
                _line(ax, gaps, name, COLOURS[name], "-")
            best = [(x, at, results.best(at, online)) for x, at in points]
            gaps = [(x, 100 * results.difference(BOUND, n, at).value) for x, at, n in best]
            _line(ax, gaps, "best online of each point", "black", ":")
            ax.set_title(family, fontsize=9, loc="left")
            ax.set_xticks(range(len(envelopes)), envelopes, rotation=60, fontsize=7)
            ax.set_ylim(bottom=0)
        for ax in axes[:, 0]:
            ax.set_ylabel("below the bound, pp")
        for ax in list(axes.flat)[len(families) :]:
            ax.set_visible(False)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="upper center", ncols=len(labels), fontsize=8)
        figure.tight_layout(rect=(0, 0, 1, 0.94))
        return svg(figure)


def _line(
    ax: Axes, points: Sequence[tuple[int, float]], label: str, colour: str, dash: str
) -> None:
    x, y = zip(*points, strict=True)
    ax.plot(x, y, dash, marker="o", markersize=3.5, linewidth=1, color=colour, label=label)
