"""The trace commands: exit codes, one-line errors, JSON."""

import argparse
import json

import pytest

from tests.traces.conftest import GOOD
from tests.traces.test_importer import TABLE
from unison.traces import FAMILIES, read_trace
from unison.traces.cli import add_trace_parser


@pytest.fixture
def run(capsys):
    def run_command(*words):
        parser = argparse.ArgumentParser(prog="unison")
        add_trace_parser(parser.add_subparsers(required=True))
        args = parser.parse_args(["trace", *map(str, words)])
        code = args.handler(args)
        out, err = capsys.readouterr()
        return code, out, err

    return run_command


def test_gen_and_check(run, tmp_path):
    code, out, _ = run("gen", "gaia_gemma4", "--out", tmp_path)
    assert (code, "written: 1" in out) == (0, True)
    assert run("gen", "gaia_gemma4", "--out", tmp_path, "--check")[0] == 0
    path = tmp_path / "gaia_gemma4.csv.gz"
    assert read_trace(path).header.seed == 20256
    assert run("gen", "gaia_gemma4", "--out", tmp_path, "--seed", 3)[0] == 0
    code, _, err = run("gen", "gaia_gemma4", "--out", tmp_path, "--check")
    assert (code, "differ" in err) == (1, True)
    assert run("check", path, "gaia_qwen3")[0] == 0


def test_check_lists_faults(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(GOOD.replace("1.5", "x").replace("90,9", "0,0"))
    code, _, err = run("check", path)
    assert code == 2
    assert [line.split(": ")[0] for line in err.splitlines()] == [f"{path}:12"] + [f"{path}:13"] * 2
    code, out, _ = run("check", path, "--json")
    assert code == 2
    report = json.loads(out)
    assert report[0]["errors"][0]["line"] == 12
    assert report[0]["errors"][0]["field"] == "wait_ms"


def test_info(run, tmp_path):
    code, out, _ = run("info", "gaia_gemma4")
    assert code == 0
    assert "p50 7200" in out
    assert "edge-tight" in out
    code, out, _ = run("info", "gaia_gemma4", "--json")
    result = json.loads(out)
    assert result["samples"]["output"]["target"] == [43, 236, 1000, 2800]
    assert result["load"]["edge-tight"]["agents"] == 2
    path = tmp_path / "t.csv"
    path.write_text(GOOD)
    code, out, _ = run("info", path, "--json")
    assert code == 0
    assert "target" not in json.loads(out)["samples"]["output"]


def test_import(run, tmp_path):
    table, out_path = tmp_path / "rec.csv", tmp_path / "t.csv.gz"
    table.write_text(TABLE)
    code, out, _ = run("import", table, out_path, "--licence", "MIT", "--source", "a lab")
    assert code == 0
    assert "1 sessions cut at a stall (1 turns dropped)" in out
    assert read_trace(out_path).header.licence == "MIT"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("gen", "gaia"), ", ".join(FAMILIES)),
        (("gen", "gaia_qwen3", "--seed", "-1"), "--seed: got -1"),
        (("gen", "gaia_qwen3", "--check", "--out", "nowhere"), "nowhere"),
        (("info", "nothing.csv"), "nothing.csv: trace: got no such file"),
        (("check", "gaia_qwen3", "--limit", "0"), "--limit: got 0"),
        (("import", "nothing.csv", "out.csv"), "nothing.csv: file"),
        (("import", "nothing.csv", "out.csv", "--max-wait", "nan"), "--max-wait"),
    ],
)
def test_faults_are_one_line(run, tmp_path, monkeypatch, words, part):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*words)
    lines = [line for line in err.splitlines() if "trace gen:" not in line]
    assert code == 2
    assert len(lines) == 1
    assert part in lines[0]


def test_output_that_cannot_be_written(run, tmp_path):
    table = tmp_path / "rec.csv"
    table.write_text(TABLE)
    code, _, err = run("import", table, tmp_path / "none" / "t.csv")
    assert code == 2
    assert "No such file" in err
