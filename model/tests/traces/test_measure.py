"""The figures measured on the recordings: methods, agreement with the files, the page."""

import json
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from unison.traces import measure, measure_stats
from unison.traces.measure_data import EDIT, GAIA, LITE, TRAE, Figure
from unison.traces.paths import FAMILIES, calibration_path, traces_dir


@pytest.fixture
def found(recordings) -> list[Figure]:
    return measure.report(recordings)[1]


def one(found: list[Figure], recording: str, start: str) -> tuple[float, ...]:
    return next(
        f.measured for f in found if f.recording == recording and f.quantity.startswith(start)
    )


def test_lad_is_the_best_line_through_two_points():
    rng = np.random.default_rng(1)
    x = rng.integers(1, 2000, 25).astype(float)
    y = 2.0 + 0.01 * x + rng.standard_exponential(25)
    cost = {}
    for i, j in combinations(range(25), 2):
        if x[i] != x[j]:
            slope = (y[j] - y[i]) / (x[j] - x[i])
            base = y[i] - slope * x[i]
            cost[base, slope] = np.abs(y - base - slope * x).sum()
    assert measure_stats.lad_fit([list(x)], list(y)) == pytest.approx(min(cost, key=cost.get))


def test_pace_correlation_of_known_data():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(2000), 5)
    score = 0.6 * rng.standard_normal(2000)[groups] + 0.8 * rng.standard_normal(10_000)
    wait = np.exp(score)  # only ranks matter
    assert measure_stats.pace_correlation(list(wait), list(groups)) == pytest.approx(0.6, abs=0.02)
    assert measure_stats.pace_correlation([1.0, 2.0, 2.0, 1.0], [0, 0, 1, 1]) == 0
    with pytest.raises(ValueError, match="groups"):
        measure_stats.intraclass([1.0, 2.0], [0, 1])


def test_rank_statistics_by_hand():
    assert list(measure_stats.midranks([5, 1, 5, 9])) == [2.5, 1, 2.5, 4]
    assert measure_stats.spearman([1, 2, 3], [10, 100, 90]) == pytest.approx(0.5)
    assert measure_stats.gaussian(1) == pytest.approx(1)
    assert measure_stats.order_quantiles(range(1, 12)) == (2, 6, 10, 11)


def test_agreement():
    figure = Figure("s", GAIA, "q", "", 1, (1.0, 103.0), (1.0, 100.0), ("f",), 0.05, True)
    assert figure.agrees() is True
    assert Figure("s", GAIA, "q", "", 1, (103.0,), (100.0,), ("f",), 1).agrees() is False
    assert Figure("s", GAIA, "q", "", 1, (103.0,)).agrees() is None


def test_files_agree_with_the_recordings(found):
    """Each within the tolerance its section of the page states."""
    compared = [f for f in found if f.agrees() is not None]
    counts = Counter(f.section for f in compared)
    assert counts == {"service": 9, "pace": 2, "correlation": 1, "shapes": 14, "rows": 7}
    assert [f for f in compared if not f.agrees()] == []


def test_figures_stated_in_the_sources(found):
    """The figures inside the files' `source` texts, to the digits given there."""
    search, down, find = (one(found, GAIA, t)[0] for t in ("web_search", "page_down", "find_on"))
    bash, edit, lite = (
        one(found, *key)[0] for key in ((TRAE, "bash"), (TRAE, EDIT), (LITE, "all calls"))
    )
    pace = {
        "gaia": f"web_search {search:.2f}, page_down {down:.2f}, find {find:.2f}; their mean",
        "swe": f"bash {bash:.2f}, TRAE edit {edit:.2f}, TRAIL SWE-bench Lite {lite:.2f}; their",
    }
    rank = {
        "gaia": f"Spearman {one(found, GAIA, 'Spearman, growth')[0]:.2f} on TRAIL GAIA",
        "swe": f"Spearman {one(found, TRAE, 'Spearman, all')[0]:.2f} on TRAE",
        "swe_gemma4": f"Spearman {one(found, LITE, 'Spearman, all')[0]:.2f}, as a Gaussian",
    }
    for family in FAMILIES:
        data = json.loads(calibration_path(family).read_text())
        kind = family.split("_")[0]
        assert pace[kind] in data["pace_correlation"]["source"]
        expected = rank.get(family, rank[kind])
        assert expected in data["output_growth_correlation"]["source"]
        (turns,) = (
            f.count
            for f in found
            if f.section == "service" and f.quantity == "base" and family in f.families
        )
        assert f"{turns:,} turns" in data["service"]["source"]


def test_figures_stated_in_the_page_on_traces(found):
    text = " ".join((traces_dir().parent / "docs" / "traces.md").read_text().split())
    names = (GAIA, LITE, TRAE)
    for name in names:
        base, slope = one(found, name, "base")[0], one(found, name, "a token of output")[0]
        assert f"{base / 1000:.2f} s + {slope:.1f} ms" in text
    terms = [f"{one(found, n, 'a token of prompt')[0]:.2f}" for n in names]
    costs = [f"{one(found, n, 'the same times')[0] / 1000:.1f}" for n in names]
    for a, b, c in (terms, costs):
        assert f"{a}, {b} and {c} " in text
    assert "(results/recordings.md)" in text


def test_page_is_up_to_date(recordings):
    assert measure.PAGE.read_text() == measure.report(recordings)[0]


def test_command(recordings, tmp_path, capsys):
    shared = ["--shared", str(recordings.parent)]
    assert measure.main([*shared, "--out", str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text() == measure.PAGE.read_text()
    assert measure.main([*shared, "--json", "--out", str(tmp_path / "none.md")]) == 0
    assert not (tmp_path / "none.md").exists()
    assert {f["section"] for f in json.loads(capsys.readouterr().out)} >= {"service", "pace"}


def test_absent_recordings(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("UNISON_SHARED", str(tmp_path))
    assert measure.main(["--out", str(tmp_path / "page.md")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no recordings" in error
    assert not (tmp_path / "page.md").exists()
