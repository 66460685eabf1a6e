"""``unison run`` as a user calls it."""

import csv
import json

import pytest

from unison.cli.main import main
from unison.contract import CoreEvent, EventCode, Record, RecordKind, Tier
from unison.core import CoreConfig, EventCore
from unison.scoring import FixedScorer, Form

ROWS = [
    # session, turn, wait_ms, service_ms, prompt, output
    (s, t, "" if t == 0 else 100 * (s + 1) + 7 * t, 50 + 10 * s, 400 + 150 * t + 40 * s, 30)
    for s in range(9)
    for t in range(2 + s % 4)
]


@pytest.fixture
def trace(tmp_path):
    """A small valid trace file, made by the importer from a turn table."""
    table = tmp_path / "table.csv"
    with table.open("w") as f:
        f.write("session,turn,arrival_s,service_s,gap_s,prompt_tokens,output_tokens,tool\n")
        for s, t, wait, service, prompt, output in ROWS:
            gap = "" if wait == "" else wait / 1000
            f.write(f"{s},{t},{t},{service / 1000},{gap},{prompt},{output},\n")
    out = tmp_path / "small.csv"
    assert main(["trace", "import", str(table), str(out)]) == 0
    return out


def run_json(capsys, *argv):
    capsys.readouterr()
    assert main(["run", "--envelope", "edge-tight", "--json", *map(str, argv)]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("scorer", ["product", "quotient", "float"])
def test_reports_what_happened(capsys, trace, scorer):
    r = run_json(capsys, "--trace", trace, "--scorer", scorer)
    assert r["requests"] == len(ROWS)
    assert r["errors"] == 0
    assert r["outcomes"]["COLD"] == 9
    assert r["hit_rate"] == pytest.approx(
        (r["outcomes"]["HIT_SRAM"] + r["outcomes"]["HIT_HBM"]) / len(ROWS)
    )
    assert r["hit_rate"] == pytest.approx(r["hit_rate_sram"] + r["hit_rate_hbm"])
    assert (r["fidelity"] is None) == (scorer == "float")


def test_is_deterministic_and_text_matches(capsys, trace):
    assert run_json(capsys, "--trace", trace) == run_json(capsys, "--trace", trace)
    assert main(["run", "--envelope", "edge-tight", "--trace", str(trace)]) == 0
    text = capsys.readouterr().out
    assert "hit rate" in text
    assert f"({len(ROWS)} requests" in text


def test_dump_replays_to_the_same_records(capsys, tmp_path, trace):
    folder, lines = tmp_path / "dump", tmp_path / "decisions.jsonl"
    run_json(capsys, "--trace", trace, "--dump", folder, "--decisions", lines, "--slots", 16)
    p = json.loads((folder / "parameters.json").read_text())
    scorer = FixedScorer(
        Form[p["scorer"].upper()], tuple(p["turn"]), tuple(p["weight_w"]), tuple(p["weight_z"]),
        p["gap_prior"], p["ema_shift"], p["dma_bw_q8_8"],
    )
    core = EventCore(
        CoreConfig(p["cap_sram"], p["cap_hbm"], p["slots"], p["tok_w"], p["tide"]), scorer
    )
    with (folder / "events.csv").open() as f:
        stream = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(f)]
    with (folder / "records.csv").open() as f:
        rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(f)]
    got = [
        (e["index"], r)
        for e in stream
        for r in core.step(CoreEvent(e["code"], e["slot"], e["tokens"], e["ts"]))
    ]
    want = [
        (w["event"], Record(RecordKind(w["kind"]), w["slot"], Tier(w["tier"]), w["tokens"],
                            w["info"], w["seq"]))
        for w in rows
    ]
    assert got == want
    assert len(lines.read_text().splitlines()) == len(rows)
    assert {e["code"] for e in stream} >= {EventCode.REQ, EventCode.GAP_OPEN, EventCode.DONE}


@pytest.mark.parametrize(
    ("argv", "match"),
    [
        (["--trace", "nowhere.csv"], "nowhere.csv"),
        (["--scorer", "fast"], "expected one of product, quotient, ratio, reciprocal"),
        (["--envelope", "huge"], "edge-tight"),
        (["--slots", "7"], "expected 16..256"),
        (["--pressure", "-1"], "pressure"),
        (["--pressure", "nan"], "pressure"),
        (["--pressure", "inf"], "pressure"),
        (["--scorer", "float", "--dump", "d"], "--dump"),
    ],
)
def test_errors_are_one_line_and_exit_2(capsys, trace, argv, match):
    base = ["run", "--trace", str(trace), "--envelope", "edge-tight"]
    assert main([*base, *argv]) == 2
    err = capsys.readouterr().err
    assert match in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("argv", [[], ["fly"], ["run"], ["run", "--slots", "many"], ["trace"]])
def test_usage_errors_are_one_line_and_exit_2(capsys, argv):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_decisions_to_a_folder_that_does_not_exist(capsys, trace, tmp_path):
    out = tmp_path / "no" / "file.jsonl"
    assert main(["run", "--trace", str(trace), "--envelope", "gpu", "--decisions", str(out)]) == 2
    assert str(out) in capsys.readouterr().err
