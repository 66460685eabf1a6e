"""``unison timeline`` and ``unison report`` as a user calls them."""

import json
from xml.etree import ElementTree

import pytest

from tests.report.runs import check_document
from unison.cli.main import main
from unison.experiments.base import Page
from unison.report import rows

POINT = ["--trace", "gaia_gemma4", "--envelope", "cloud"]


def test_timeline_prints_numbers_and_writes_each_format(capsys, tmp_path):
    argv = ["timeline", *POINT, "--from", "1000", "--to", "1300"]
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["from_s"], found["to_s"], found["placement"]) == (1000, 1300, "tide")
    assert 0 < found["evictions_returning"] <= found["evictions"]
    for suffix in ("json", "svg", "html"):
        out = tmp_path / f"t.{suffix}"
        assert main([*argv, "--out", str(out)]) == 0
        assert str(out) in capsys.readouterr().out
    trace = json.loads((tmp_path / "t.json").read_text())
    assert trace["otherData"]["run"].startswith("Unison (spear + tide): gaia_gemma4 at cloud")
    svg = ElementTree.fromstring((tmp_path / "t.svg").read_text())
    ids = [e.get("id") for e in svg.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    page = check_document((tmp_path / "t.html").read_text())
    assert "LRU" in "".join(page.text)


def test_lru_is_not_set_beside_itself(tmp_path):
    out = tmp_path / "t.html"
    assert main(["timeline", *POINT, "--policy", "lru", "--out", str(out)]) == 0
    assert out.read_text().count('<canvas class="lanes"') == 1


def test_same_arguments_same_bytes(tmp_path):
    for suffix in ("json", "html"):
        a, b = (tmp_path / f"{n}.{suffix}" for n in "ab")
        for out in (a, b):
            assert main(["timeline", *POINT, "--seed", "1", "--out", str(out)]) == 0
        assert a.read_bytes() == b.read_bytes()


def test_report_of_a_folder_that_does_not_exist(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "names", lambda: ["main", "waits"])
    out = tmp_path / "new" / "r.html"
    folders = ["--results", str(tmp_path / "no"), "--work", str(tmp_path / "none")]
    assert main(["report", *folders, "--out", str(out)]) == 0
    check_document(out.read_text())
    assert "not there: main, waits" in capsys.readouterr().out


class _Fake:
    @staticmethod
    def page(found):
        return Page(f"# Fake\n\nHeld {len(found)} rows, {found[0]['x']}.\n", {})


def test_pages_are_made_from_rows_when_they_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "names", lambda: ["good", "bad", "gone", "there"])
    monkeypatch.setattr(rows, "experiment", lambda _name: _Fake)
    for name, text in (("good", '{"x":1}\n{"x":2}\n'), ("bad", '{"y":1}\n'), ("there", "{}")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.jsonl").write_text(text)
    made, missing = rows.unwritten(tmp_path, {"there"})
    assert [(p.name, p.title) for p in made] == [("good", "Fake")]
    assert "Held 2 rows, 1." in made[0].html
    assert missing == ["bad", "gone"]


@pytest.mark.parametrize(
    ("argv", "match"),
    [
        (["--trace", "nowhere.csv"], "nowhere.csv"),
        (["--envelope", "huge"], "edge-tight"),
        (["--policy", "best"], "policy: got 'best'"),
        (["--placement", "best"], "placement: got 'best'"),
        (["--policy", "mine.py:Mine"], "mine.py"),
        (["--pressure", "0"], "pressure"),
        (["--from", "nan"], "from: got nan"),
        (["--from", "20", "--to", "10"], "window: got 20..10 s"),
        (["--from", "1e9"], "window: got"),
        (["--out", "t.png"], "expected .json, .svg or .html"),
        (["--out", "/nowhere/t.json"], "/nowhere/t.json"),
    ],
)
def test_errors_of_timeline_are_one_line(capsys, argv, match):
    assert main(["timeline", *POINT, *argv]) == 2
    err = capsys.readouterr().err
    assert match in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "match"),
    [
        (["--trace", "nowhere.csv"], "nowhere.csv"),
        (["--envelope", "huge"], "edge-tight"),
        (["--policy", "best"], "policy: got 'best'"),
        (["--results", __file__], "is no folder"),
        (["--out", f"{__file__}/r.html"], "test_commands.py"),
        (["--out", "/"], "/"),
    ],
)
def test_errors_of_report_are_one_line(capsys, tmp_path, argv, match):
    base = ["report", "--results", str(tmp_path), "--out", str(tmp_path / "r.html")]
    assert main([*base, *argv]) == 2
    err = capsys.readouterr().err
    assert match in err
    assert err.count("\n") == 1
