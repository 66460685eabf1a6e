"""Figures as SVG text: one style, the same bytes for the same data."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.figure import Figure

#: Colours of what appears in several figures, so that one reads like the next (Okabe-Ito).
COLOURS = {
    "lru": "#999999",
    "lru-queue": "#56B4E9",
    "timeout": "#CC79A7",
    "agserve": "#E69F00",
    "cachescout": "#F0E442",
    "spear": "#0072B2",
    "unison": "#009E73",
    "belady": "#D55E00",
    "bound": "#000000",
}
_STYLE = {
    "svg.hashsalt": "unison",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw inside this."""
    with mpl.rc_context(_STYLE):
        yield


def svg(figure: Figure) -> str:
    """The figure as SVG text, without time and without the library's version."""
    out = io.StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(
            out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None}
        )
    return out.getvalue()
