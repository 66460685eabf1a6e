"""``unison fidelity``: the committed table's cells come out again, errors are one line."""

import json
import pickle
from pathlib import Path

import pytest

from unison.cli.fidelity import VARIANTS
from unison.cli.main import main
from unison.traces.errors import TraceError

PAGE = Path(__file__).resolve().parents[3] / "docs/results/fidelity.md"


def test_cells_of_the_committed_table(capsys, tmp_path):
    out = tmp_path / "page.md"
    argv = ["fidelity", "--families", "gaia_gemma4", "gaia_devstral", "--out", str(out), "--json"]
    assert main(argv) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 2 * 2 * len(VARIANTS)
    committed = PAGE.read_text().splitlines()
    cells = [line for line in out.read_text().splitlines() if line.startswith("| gaia")]
    assert len(cells) == len(rows)
    assert set(cells) <= set(committed)
    for r in rows:
        if r["scorer"] == "product" and r["snapshots"]:
            assert r["top1"] >= 0.999
            assert r["kendall_tau"] is None or r["kendall_tau"] > 0.9999
            assert abs(r["drift_pp"]) <= 0.02
        if r["scorer"] == "compact" and r["snapshots"]:
            assert r["top1"] >= 0.99
            assert r["kendall_tau"] is None or r["kendall_tau"] > 0.999
            assert abs(r["drift_pp"]) <= 0.1


@pytest.mark.parametrize("option", ["--families", "--envelopes"])
def test_unknown_names_are_one_line(capsys, option):
    assert main(["fidelity", option, "nope"]) == 2
    err = capsys.readouterr().err
    assert "nope" in err
    assert err.count("\n") == 1


def test_trace_errors_survive_a_process_pool():
    error = TraceError("a.csv", 3, "wait_ms", "-1", "at least 0")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == (str(error), 3)
