"""The page as a document: it parses, stands alone, and says what the result pages say."""

import json
import re

import pytest

from tests.report.runs import check_document, scenario
from unison.report import picks, viewer
from unison.report.chosen import Choice
from unison.report.figures import inline_svg
from unison.report.page import Parts, build, collect
from unison.report.pages import render

CHOICE = Choice("gaia_gemma4", "cloud")
SVG = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg" onload="x()">
<metadata><a href="http://creativecommons.org"/></metadata>
<defs><style type="text/css">*{stroke-linejoin: round}
.a, .b {fill: red}</style><clipPath id="p1"><rect width="9" height="9"/></clipPath></defs>
<script>alert(1)</script><image href="http://example.org/x.png"/>
<g id="axes_1" clip-path="url(#p1)"><use xlink:href="#p1" x="1"/></g></svg>
"""
MAIN = """# The comparison

Words, <script>alert(1)</script> and a [link](other.md), a [file](../traces.md), a
[site](https://example.org).

## Scale

| trace | policy | hit rate % | AMAT/LRU | prefill saved % | TTFT/LRU | BR |
|---|---|---|---|---|---|---|
| swe_a | lru | 20.00 ± 1.00 | 1.000 ± 0.000 | 0.0 ± 0.0 | 1.000 | 0.500 |
| swe_a | lru-queue | 29.00 ± 1.00 | 0.850 ± 0.010 | 9.0 ± 0.0 | 0.500 | 0.900 |
| swe_a | unison | 30.00 ± 1.00 | 0.800 ± 0.010 | 10.0 ± 0.1 | 0.400 | 0.900 |
| swe_a | belady | 33.00 ± 1.00 | 0.700 ± 0.010 | 12.0 ± 0.1 | 0.300 | 1.000 |
| gaia_b | lru | 50.00 ± 1.00 | 1.000 ± 0.000 | 0.0 ± 0.0 | 1.000 | 0.500 |
| gaia_b | unison | 48.00 ± 1.00 | 0.450 ± 0.010 | - | - | - |

## Every point

| trace | pool | lru | unison | belady |
|---|---|---|---|---|
| swe_a | cloud | 20.0 ± 1.0 | 30.0 | 33.0 |
| gaia_b | gpu | 50.0 | 48.0 | - |

![Twice](figures/f.svg) ![Twice](figures/f.svg)

![Gone](figures/none.svg)
"""


@pytest.fixture(scope="module")
def looks():
    return CHOICE.beside_lru(scenario())


@pytest.fixture
def results(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "f.svg").write_text(SVG)
    (tmp_path / "main.md").write_text(MAIN)
    (tmp_path / "other.md").write_text(
        "# Other\n\n| a | b |\n|---|---|\n| x | 1,024 |\n| y | - |\n"
    )
    return tmp_path


def test_without_any_result(tmp_path, looks):
    text = build(Parts(collect(tmp_path / "nowhere"), ["main", "waits"], CHOICE, looks))
    page = check_document(text)
    words = "".join(page.text)
    assert "No result pages are there" in words
    assert "main" in words
    assert "waits" in words
    assert "unison exp main" in words


def test_with_results(results, looks):
    page = check_document(build(Parts(collect(results), [], CHOICE, looks)))
    words = "".join(page.text)
    # Gains +10 and -2; geometric mean of 0.8 and 0.45 is 0.6; TTFT of the long trace alone.
    for found in ("+4.0 pp", "-40.0 %", "-60.0 %", "0.900", "not the paper's", "-34.8 %"):
        assert found in words, found
    assert "Figure none.svg is not there" in words
    assert {"headline", "timeline", "traces", "pages", "page-main", "page-other"} <= set(page.ids)
    assert "#page-other" in page.anchors
    assert "alert(1)" in words  # shown, not run


def test_headline_comes_from_the_main_page_alone(results, looks):
    (results / "main.md").rename(results / "comparison-recordings.md")
    page = check_document(build(Parts(collect(results), ["main"], CHOICE, looks)))
    assert "No page with a comparison by trace" in "".join(page.text)
    assert "traces" not in page.ids


def test_figures_are_bound_to_their_place(results):
    html = render(results / "main.md").html
    assert html.count("<figure>") == 2
    for n in (1, 2):
        scope = f"page-main-fig{n}"
        assert f'id="{scope}-p1"' in html
        assert f"url(#{scope}-p1)" in html
        assert f'xlink:href="#{scope}-p1"' in html
        assert f"#{scope} * {{stroke-linejoin" in html
        assert f"#{scope} .a, #{scope} .b {{fill" in html
    for gone in ("<script", "onload", "example.org/x.png", "DOCTYPE", "creativecommons"):
        assert gone not in html
    assert inline_svg(SVG, "s") == inline_svg(SVG, "s")


def test_numbers_are_aligned_and_words_are_not(results):
    html = render(results / "other.md").html
    assert '<td class="num">1,024</td>' in html
    assert '<td class="num">-</td>' in html
    assert '<td class="word">x</td>' in html
    main = render(results / "main.md").html
    assert '<td class="num">20.00 ± 1.00</td>' in main
    assert '<td class="word">lru</td>' in main


def test_links_stay_within_the_page_or_become_text(results):
    html = render(results / "main.md").html
    assert 'href="#page-other"' in html
    assert 'href="https://example.org"' in html
    assert "traces.md</a>" not in html
    assert 'title="../traces.md"' in html


def test_headline_picks():
    heading, traces = picks.headline(["# nothing", MAIN])
    assert heading == "Scale"
    assert [(t.name, t.lru, t.queue, t.ours) for t in traces] == [
        ("swe_a", 20, 29, 30),
        ("gaia_b", 50, None, 48),
    ]
    assert traces[1].br is None
    assert picks.headline(["| trace | policy |\n|---|---|\n| a | lru |\n"]) == ("", [])
    assert picks.details([MAIN]).heading == "Every point"
    assert picks.number("+1,234.5 ± 3") == 1234.5
    assert picks.number("-") is None


def test_the_timelines_data_is_whole(looks):
    d = json.loads(json.dumps(viewer.data(looks), allow_nan=False))
    assert [r["name"] for r in d["runs"]] == ["Unison (spear + tide)", "LRU"]
    for run, look in zip(d["runs"], looks, strict=True):
        assert len(run["stays"]) == len(look.timeline.stays)
        assert len(run["marks"]) == len(look.timeline.marks)
        for rows, start in ((run["stays"], 4), (run["marks"], 3), (d["phases"], 3)):
            assert all(0 <= r[0] < d["lanes"] for r in rows)
            times = [r[start] for r in rows]
            assert times == sorted(times)
    start, end = d["window"]
    assert d["start"] <= start < end <= d["end"]


def test_scripts_ask_for_nothing_from_outside(looks):
    text = build(Parts([], [], CHOICE, looks))
    for word in ("fetch(", "XMLHttpRequest", "import(", "WebSocket", "eval("):
        assert word not in text
    assert not re.search(r"<script[^>]+src=", text)
