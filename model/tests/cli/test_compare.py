"""``unison compare`` as a user calls it."""

import json

import pytest

from unison.cli.main import main

FEW = ("--trace", "gaia_gemma4", "--only", "--policy", "unison")


def compared(capsys, *argv):
    capsys.readouterr()
    assert main(["compare", "--json", *argv]) == 0
    return json.loads(capsys.readouterr().out)


def test_whole_line_up_is_sorted_and_below_the_bound(capsys):
    r = compared(capsys, "--trace", "gaia_gemma4", "--envelope", "cloud")
    lines = r["policies"]
    order = [(-p["hit_rate"], p["amat_us"]) for p in lines]
    assert order == sorted(order)
    assert {"lru", "lru-queue", "unison", "belady"} <= {p["policy"] for p in lines}
    assert all(p["hit_rate"] <= r["bound"] for p in lines)
    assert all(p["below_bound"] == pytest.approx(r["bound"] - p["hit_rate"]) for p in lines)
    lru = next(p for p in lines if p["policy"] == "lru")
    assert lru["amat_over_lru"] == lru["ttft_over_lru"] == lru["extra_prefill_over_lru"] == 1
    assert all(0 <= p["hit_rate_sram"] <= p["hit_rate"] for p in lines)
    assert r["agents"] == 12


def test_text_prints_the_load_then_the_ranking(capsys):
    assert main(["compare", *FEW, "--envelope", "cloud"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "P = 2, 12 agents, 1 running at most" in lines[0]
    assert lines[1].split()[:3] == ["policy", "hit", "rate"]
    assert [line.split()[0] for line in lines[2:]] == ["belady", "unison", "lru", "bound"]


def test_orders_are_averaged(capsys):
    r = compared(capsys, *FEW, "--envelope", "cloud", "--seeds", "2", "--no-bound")
    one = [
        compared(capsys, *FEW, "--envelope", "cloud", "--seed", str(s), "--no-bound")
        for s in (0, 1)
    ]

    def hit(report):
        return next(p["hit_rate"] for p in report["policies"] if p["policy"] == "unison")

    assert r["seeds"] == [0, 1]
    assert hit(r) == pytest.approx((hit(one[0]) + hit(one[1])) / 2)
    assert r["bound"] is None
    assert r["policies"][0]["hit_rate_interval"] > 0
    assert main(["compare", *FEW, "--envelope", "cloud", "--seeds", "2", "--no-bound"]) == 0
    assert "±" in capsys.readouterr().out


def test_pool_and_residency_can_be_chosen(capsys):
    r = compared(
        capsys, *FEW, "--envelope", "gpu", "--sram", "3000", "--hbm", "9000", "--residency", "trim"
    )
    assert (r["sram_tokens"], r["hbm_tokens"], r["residency"]) == (3000, 9000, "trim")
    assert r["bound"] is None  # it does not hold for parts of a prefix
    assert r["agents"] == 2  # the load rule is applied to the pool that is used


def test_a_users_own_policy_joins(capsys, tmp_path):
    mine = tmp_path / "my.py"
    mine.write_text(
        "from unison.policies import Policy\n\n\n"
        "class Mine(Policy):\n"
        "    @staticmethod\n"
        "    def score(s, now, p):\n"
        "        return now - s.t_open\n"
    )
    name = f"{mine}:Mine"
    r = compared(
        capsys, *FEW, "--envelope", "cloud", "--policy", name, "--policy", "lru+tide", "--no-bound"
    )
    by_name = {p["policy"]: p for p in r["policies"]}
    assert set(by_name) == {"lru", "belady", "unison", name, "lru+tide"}
    assert by_name[name]["hit_rate"] == by_name["lru"]["hit_rate"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--envelope", "moon"], "expected one of edge-tight, edge"),
        (["--envelope", "cloud", "--policy", "nix"], "policy: got 'nix'"),
        (["--envelope", "cloud", "--policy", "lru+nix"], "placement: got 'nix'"),
        (["--envelope", "cloud", "--policy", "/no/such.py:X"], "no such file"),
        (["--envelope", "cloud", "--residency", "half"], "expected one of whole, trim"),
        (["--envelope", "cloud", "--pressure", "0"], "pressure: got 0.0"),
        (["--envelope", "cloud", "--sram", "-1"], "sram: got -1"),
        (["--envelope", "cloud", "--seeds", "0"], "seeds: got 0"),
        (["--envelope", "cloud", "--seed", "-1"], "seed: got -1"),
        (["--envelope", "cloud", "--slots", "0"], "slots: got 0"),
        (["--envelope", "cloud", "--only"], "--only: got no --policy"),
    ],
)
def test_wrong_input_is_one_line(capsys, argv, words):
    assert main(["compare", "--trace", "gaia_gemma4", *argv]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert words in found.err


def test_a_broken_policy_file_is_one_line_with_its_place(capsys, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("from unison.policies import Policy\n\nclass Bad(Policy)\n    pass\n")
    assert main(["compare", *FEW, "--envelope", "cloud", "--policy", f"{bad}:Bad"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "bad.py:3: SyntaxError" in err


def test_unknown_trace_is_one_line(capsys):
    assert main(["compare", "--trace", "nowhere", "--envelope", "cloud"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
