"""The whole evaluation as one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unison import __version__
from unison.report import headline, picks, viewer
from unison.report.chosen import Choice, Look
from unison.report.markup import document, esc
from unison.report.pages import Rendered, render

#: Pages in the order a reader wants them; others follow by name.
_MAIN = "main"
_FIRST = (_MAIN, "comparison-recordings", "replay", "fidelity")
#: Below the results, since it is about what went in.
_LAST = ("recordings", "planted")


@dataclass(frozen=True)
class Parts:
    """What the page is made of. missing: names of experiments that left no page."""

    pages: Sequence[Rendered]
    missing: Sequence[str]
    choice: Choice
    looks: Sequence[Look]


def collect(folder: Path) -> list[Rendered]:
    """All pages of `folder`, none when it is not there; OSError for one that cannot be read."""

    def order(path: Path) -> tuple[int, str]:
        name = path.stem
        if name in _FIRST:
            return _FIRST.index(name), name
        return len(_FIRST) + (name in _LAST), name

    return [render(path) for path in sorted(folder.glob("*.md"), key=order)]


def build(parts: Parts) -> str:
    """The document."""
    # No other page: recordings have tables of the same form, and are another matter.
    texts = [p.text for p in parts.pages if p.name == _MAIN]
    heading, traces = picks.headline(texts)
    found = picks.details(texts)
    pool = _telling(parts.looks) + viewer.section(parts.looks, parts.choice.text())
    sections = [
        ("headline", "Unison against LRU", headline.section(heading, traces)),
        ("timeline", "The pool over time", pool),
    ]
    if found is not None:
        sections.append(("traces", "Trace by trace", headline.by_trace(found)))
    body = "".join(
        f'<section id="{anchor}"><h2>{title}</h2>\n{html}</section>\n'
        for anchor, title, html in sections
    )
    pages = "".join(
        f'<section id="{p.anchor}" class="page">{p.html}</section>\n' for p in parts.pages
    )
    none = '<p class="missing">No result pages are there.</p>'
    links = [(a, t) for a, t, _ in sections]
    nav = _nav(links, parts.pages)
    return document(
        "Unison: results",
        f'<a class="skip" href="#headline">Skip to the results</a>\n'
        f"<header><h1>Unison: results</h1><p>Near-memory scheduling of agents' KV caches, version "
        f"{esc(__version__)}. One ranking of the live sessions decides who leaves and who sits in "
        f"the fast tier.</p></header>\n"
        f'<div class="frame">{nav}<main>\n{body}'
        f'<section id="pages"><h2>All result pages</h2>{_missing(parts.missing)}'
        f"{pages or none}</section>\n</main></div>",
        ("tables.js", *viewer.SCRIPTS),
    )


def _nav(links: Sequence[tuple[str, str]], pages: Sequence[Rendered]) -> str:
    def item(anchor: str, title: str) -> str:
        return f'<li><a href="#{anchor}">{esc(title)}</a></li>'

    top = "".join(item(a, t) for a, t in links)
    below = "".join(item(p.anchor, p.title) for p in pages)
    return (
        f'<nav aria-label="contents"><details open><summary>Contents</summary><ul>{top}</ul>'
        f'<p><a href="#pages">Result pages</a></p><ul>{below}</ul></details></nav>'
    )


def _missing(names: Sequence[str]) -> str:
    if not names:
        return ""
    listed = ", ".join(f"<code>{esc(n)}</code>" for n in names)
    return (
        f'<p class="missing">Not there, and skipped: {listed} (<code>unison exp NAME</code>).</p>'
    )


def _telling(looks: Sequence[Look]) -> str:
    """Sentences on the runs shown."""
    items = []
    for look in looks:
        gone, all_ = len(look.timeline.thrown_away()), look.timeline.count("evict")
        hit = look.totals.hit_rate
        share = f"{100 * gone / all_:.0f} %" if all_ else "none"
        items.append(
            f"<li><strong>{esc(look.name)}</strong>: hit rate "
            f"{'-' if hit is None else f'{100 * hit:.1f} %'}; {all_:,} evictions, {gone:,} of them "
            f"({share}) of sessions that came back; {look.timeline.count('promote'):,} promotions."
            "</li>"
        )
    return f'<ul class="telling">{"".join(items)}</ul>'
