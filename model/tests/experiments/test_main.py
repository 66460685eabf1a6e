"""Aggregates and pages of the comparisons, on fabricated rows with known results."""

import math

import pytest

from unison.experiments import main, main_page, recordings
from unison.experiments.base import SEEDS
from unison.experiments.compared import BOUND
from unison.experiments.duel import bouts, own, queue_share, verdict
from unison.experiments.points import Results
from unison.experiments.sections import (
    detail_lines,
    duels,
    headline_lines,
    ranked,
    ranking_table,
)

POINTS = [
    ("gaia_gemma4", "edge"),
    ("gaia_gemma4", "gpu"),
    ("swe_qwen3", "edge"),
    ("swe_qwen3", "gpu"),
]


def row(policy, hit, amat=100.0, point=POINTS[0], seed=0, extra=1000, ttft=50.0, **more):
    return {
        "pressure": "2",
        "slow": False,
        "agents": 4,
        "family": point[0],
        "envelope": point[1],
        "seed": seed,
        "policy": policy,
        "online": policy not in ("belady", BOUND),
        "hit_rate": hit,
        "amat_us": amat,
        "ttft_p50_us": ttft,
        "extra_prefill_tokens": extra,
        "token_hit_rate": hit / 2,
        **more,
    }


def sweep(ours, pressure="2", slow=()):
    """Rows of all points and two orders; `ours(point, seed)` is the hit rate of unison."""
    rows = []
    for point in POINTS:
        for seed in (0, 1):
            base = 0.4 + 0.01 * seed
            hits = {
                "lru": base,
                "lru-queue": base + 0.1,
                "agserve": base + 0.05,
                "spear": base + 0.1,
                "unison": ours(point, seed),
                "belady": 0.8,
                **dict.fromkeys(slow, base + 0.02),
            }
            for name, hit in hits.items():
                made = row(name, hit, 100 * (1.2 - hit), point, seed)
                rows.append({**made, "pressure": pressure, "slow": name in slow})
            if pressure == "2":
                rows.append({**row(BOUND, 0.9, None, point, seed)})
    return rows


def test_summary_by_hand():
    """One trace, two envelopes, two orders."""
    at = POINTS[:2]
    rows = [
        row("lru", 0.5, 100, at[0], 0, 1000, 40),
        row("lru", 0.2, 400, at[1], 0, 3000, 90),
        row("lru", 0.5, 100, at[0], 1, 1000, 40),
        row("lru", 0.3, 400, at[1], 1, 1000, 90),
        row("unison", 0.6, 50, at[0], 0, 500, 10),
        row("unison", 0.4, 50, at[1], 0, 1500, 90),
        row("unison", 0.7, 100, at[0], 1, 500, 40),
        row("unison", 0.5, 100, at[1], 1, 0, 90),
        *(row("belady", 0.8, 10, p, s, 0, 5) for p in at for s in (0, 1)),
        *(row(BOUND, 0.9, None, p, s, None, None) for p in at for s in (0, 1)),
    ]
    s = Results(rows).summary("unison", at)
    # Over the envelopes within an order, then over the orders; Student's t(0.975, 1) = 12.706.
    assert s.hit.value == pytest.approx((0.5 + 0.6) / 2)
    assert s.hit.half == pytest.approx(12.7062 * math.sqrt(0.005 / 2), rel=1e-4)
    assert s.gain.value == pytest.approx((0.15 + 0.2) / 2)
    assert s.gain.half < s.hit.half  # paired: the order's own level cancels
    assert s.tokens.value == pytest.approx(0.55 / 2)
    assert s.amat.value == pytest.approx((math.sqrt(0.5 * 0.125) + math.sqrt(1 * 0.25)) / 2)
    assert s.ttft.value == pytest.approx((math.sqrt(0.25 * 1) + 1) / 2)
    assert s.prefill.value == pytest.approx(((1 - 2000 / 4000) + (1 - 500 / 2000)) / 2)
    assert s.br.value == pytest.approx((0.5 / 0.8 + 0.6 / 0.8) / 2)
    assert s.to_oracle.value == pytest.approx(0.8 - 0.55)
    assert s.to_bound.value == pytest.approx(0.9 - 0.55)


def test_prefill_is_a_mean_over_traces_and_skips_those_without_any():
    rows = []
    for point, base, ours in (
        (POINTS[0], 100, 50),
        (POINTS[2], 10_000, 10_000),
        (("x", "edge"), 0, 0),
    ):
        rows += [
            row("lru", 0.5, point=point, extra=base),
            row("unison", 0.5, point=point, extra=ours),
        ]
    s = Results(rows).summary("unison", [POINTS[0], POINTS[2], ("x", "edge")])
    assert s.prefill.value == pytest.approx((0.5 + 0.0) / 2)
    assert s.hit.half is None
    assert s.br is None
    assert s.to_bound is None
    nothing = Results([row("lru", 0.5, extra=0), row("unison", 0.5, extra=0)])
    assert nothing.summary("unison", POINTS[:1]).prefill is None


def test_ranking_orders_by_hits_then_amat_and_leaves_out_the_incomplete():
    rows = [
        row("lru", 0.5, 100),
        row("a", 0.6, 90),
        row("b", 0.6, 80),
        row("belady", 0.7, 70),
        row("lru", 0.5, 100, POINTS[1]),
        row("a", 0.6, 90, POINTS[1]),
        row("b", 0.6, 80, POINTS[1]),
        row("belady", 0.7, 70, POINTS[1]),
        row("partial", 0.9, 10),
    ]
    results = Results(rows)
    assert [s.policy for s in ranked(results, POINTS[:2])] == ["belady", "b", "a", "lru"]
    table = ranking_table(results, POINTS[:2])
    assert table[2].startswith("| belady |")
    assert table[2].endswith("| oracle |")
    assert table[3].endswith("| 2 |")  # b shares the lead with a at both points
    assert table[5].endswith("| 0 |")
    assert results.leaders(POINTS[0], ["a", "b"]) == []  # all equal: nobody leads


def test_bout_sign_follows_the_interval():
    rows = []
    for seed, lru, ours in ((0, 0.5, 0.6), (1, 0.4, 0.5), (2, 0.3, 0.4)):
        rows += [row("lru", lru, 100, seed=seed), row("unison", ours, 80, seed=seed)]
        rows += [row("lru", lru, 100, POINTS[1], seed), row("unison", lru, 100, POINTS[1], seed)]
        noisy = lru + (0.1, -0.1, 0.02)[seed]
        rows += [row("lru", lru, 100, POINTS[2], seed), row("unison", noisy, 110, POINTS[2], seed)]
    found = bouts(Results(rows), "unison", lambda _: "lru", POINTS[:3])
    assert [b.sign() for b in found] == [1, 0, 0]
    assert found[0].hit.value == pytest.approx(0.1)
    assert found[0].amat.value == pytest.approx(0.8)
    text = verdict("unison", "lru", found)
    assert "3 points: hit rate higher at 1, lower at 0, undecided at 2" in text
    assert "+0.00..+10.00 pp, mean +3.56 pp" in text
    assert "AMAT lower at 1, higher at 1, undecided at 1; -20.0 %..+10.0 %, mean -4.2 %" in text
    assert text.endswith("Nowhere fewer hits. Higher AMAT at 1: swe_qwen3 at edge (+10.0 %).")


@pytest.fixture
def no_figures(monkeypatch):
    for name in ("hit_rate", "amat", "to_bound"):
        monkeypatch.setattr(main_page.figures, name, lambda _: "")


@pytest.mark.usefixtures("no_figures")
def test_a_policy_that_loses_everywhere_is_said_to():
    rows = sweep(lambda point, seed: 0.2 + 0.01 * seed)
    page = main_page.page(rows).text
    assert "unison against lru, 2 points: hit rate higher at 0, lower at 2, undecided at 0" in page
    assert "-20.00..-20.00 pp, mean -20.00 pp" in page
    places = "gaia_gemma4 at edge (-20.00 pp); swe_qwen3 at edge (-20.00 pp)."
    assert f"Fewer hits everywhere: {places}" in page
    assert "Nowhere" not in page
    for against, found in duels(Results(rows), POINTS):
        assert all(b.sign() == -1 for b in found), against


def test_what_the_queue_alone_is_worth():
    text = queue_share(Results(sweep(lambda _, seed: 0.6 + 0.01 * seed)), "unison", POINTS)
    assert text.startswith("Of unison's +20.00 pp over LRU, lru-queue alone has +10.00 pp (50 %)")
    worse = queue_share(Results(sweep(lambda _, seed: 0.3 + 0.01 * seed)), "unison", POINTS)
    assert worse.startswith("Of unison's -10.00 pp over LRU, lru-queue alone has +10.00 pp; AMAT")


def test_rivals_are_chosen_by_point_and_told_by_origin():
    assert own("spear")
    assert own("unison-2sig")
    assert own("lru-queue")
    assert not own("lru")
    found = dict(duels(Results(sweep(lambda *_: 0.5)), POINTS))
    assert {b.rival for b in found["the best published policy of each point"]} == {"agserve"}
    other = "the best other online policy of each point, our variants included"
    assert {b.rival for b in found[other]} == {"lru-queue"}


def test_page_has_every_part_and_is_deterministic():
    def ours(point, seed):
        return 0.55 + 0.02 * (point[1] == "gpu") + 0.01 * seed

    rows = sweep(ours, slow=("lrb",)) + sweep(ours, "4/3") + sweep(ours, "4")
    page = main_page.page(rows)
    assert page == main_page.page(rows)
    assert set(page.figures) == {"main-hit-rate", "main-amat", "main-bound"}
    assert all(f"figures/{name}.svg" in page.text for name in page.figures)
    assert "not\nthe paper's traces" in page.text
    assert "4 of 4 at P = 4/3, 4 of 4 at P = 4" in page.text
    assert "| gaia_gemma4 | edge | 40.50" in page.text
    subset = page.text.split("## Policies measured on a subset")[1].split("##")[0]
    assert "| trace | pool | lru | lru-queue | spear | unison | lrb | belady |" in subset
    ranking = page.text.split("all policies, ranked")[1].split("##")[0]
    assert "| unison |" in ranking
    assert "| lrb |" not in ranking


@pytest.mark.usefixtures("no_figures")
def test_detail_lines_are_lines_of_the_page():
    rows = sweep(lambda point, seed: 0.6)
    page = main_page.page(rows).text.split("\n")
    mine = main_page.detail([r for r in rows if r["family"] == "gaia_gemma4"])
    assert len(mine) == 2 * 5 + 2
    assert set(mine) <= set(page)


def test_best_online_is_named_at_each_point():
    rows = sweep(lambda point, seed: 0.7 if point[1] == "gpu" else 0.1)
    lines = detail_lines(Results(rows), POINTS)
    assert "| lru-queue (+1) 50.50" in lines[0]  # spear has the same
    assert "| unison 70.00" in lines[1]
    assert headline_lines(Results(rows), "swe_qwen3", POINTS)[0].startswith(
        "| swe_qwen3 | lru | 40.50"
    )


def test_cells_are_declared():
    cells = main.cells()
    fast = [c for c in cells if not c["slow"]]
    assert len(fast) == 6 * 9 * 3 * len(SEEDS)
    assert {c["envelope"] for c in cells if c["slow"]} <= {"cloud", "gpu"}
    assert len({tuple(sorted(c.items())) for c in cells}) == len(cells)
    assert {(c["family"], c["pressure"], c["slow"]) for c in main.sample()} == {
        ("gaia_gemma4", "2", False)
    }


def test_a_cell_measures_and_repeats():
    cell = next(c for c in main.sample() if c["envelope"] == "edge-tight")
    rows = main.measure(cell)
    assert rows == main.measure(cell)
    by_name = {r["policy"]: r for r in rows}
    bound = by_name[BOUND]["hit_rate"]
    assert all(r["hit_rate"] <= bound for r in rows)
    assert {"lru", "lru-queue", "unison", "belady"} <= set(by_name)
    assert not by_name["belady"]["online"]


def test_recordings_without_the_files_are_skipped_with_a_reason(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("UNISON_SHARED", str(tmp_path))
    assert recordings.cells() == []
    assert "recordings: no trail_gaia" in capsys.readouterr().err


def test_working_set_is_the_largest_sum_of_live_prefixes():
    import numpy as np

    from unison.contract import EventCode as E
    from unison.sim.layout import EVENT

    rows = np.zeros(7, EVENT)
    rows["code"] = [E.REQ, E.GAP_OPEN, E.REQ, E.GAP_CLOSE, E.REQ, E.DONE, E.GAP_OPEN]
    rows["slot"] = [0, 0, 1, 0, 0, 0, 1]
    rows["tokens"] = [10, 30, 20, 0, 25, 0, 40]
    assert recordings.working_set(rows) == 50
    pool = recordings.pool(101)
    assert (pool.sram.tokens, pool.hbm.tokens) == (20, 81)
