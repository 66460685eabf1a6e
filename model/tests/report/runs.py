"""Runs and pages the tests of this folder share."""

from functools import cache
from html.parser import HTMLParser

from unison.policies import placing, policy
from unison.report.chosen import Choice
from unison.report.timeline import Timeline, timeline
from unison.sim.scenario import Scenario
from unison.sim.simulate import Run, simulate


@cache
def scenario(envelope: str = "cloud") -> Scenario:
    return Choice("gaia_gemma4", envelope).scenario()


@cache
def kept(
    evict: str = "spear", place: str = "tide", residency: str = "whole", envelope: str = "cloud"
) -> tuple[Run, Timeline]:
    point = scenario(envelope)
    run = simulate(point, policy(evict), placing(place), residency, keep=True)
    return run, timeline(point, run)


class Checked(HTMLParser):
    """Parses a document: every tag closed in order, ids, and what it would load."""

    VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.anchors: list[str] = []
        self.loads: list[str] = []
        self.text: list[str] = []
        self.css: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self._seen(tag, dict(attrs))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self._seen(tag, dict(attrs))

    def _seen(self, tag, attrs):
        if "id" in attrs:
            self.ids.append(attrs["id"])
        link = attrs.get("href", attrs.get("xlink:href"))
        if link is not None and tag == "a":
            self.anchors.append(link)
        elif link is not None and not link.startswith("#"):
            self.loads.append(link)
        for name in ("src", "srcset", "data", "poster", "action"):
            if name in attrs and not attrs[name].startswith("data:"):
                self.loads.append(attrs[name])
        self.css.append(attrs.get("style") or "")

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside == "style":
            self.css.append(data)
        elif inside != "script":
            self.text.append(data)


def check_document(text: str) -> Checked:
    """A page that stands alone: it parses, loads nothing, its ids are unique and its links lead."""
    page = Checked(text)
    assert text.startswith("<!DOCTYPE html>")
    assert page.loads == []
    assert not any("@import" in css or "url(http" in css for css in page.css)
    assert len(page.ids) == len(set(page.ids)), [i for i in page.ids if page.ids.count(i) > 1]
    lost = [a for a in page.anchors if a.startswith("#") and a[1:] not in page.ids]
    assert lost == []
    return page
