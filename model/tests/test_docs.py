"""The documentation's example runs, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from unison.cli.main import main
from unison.experiments import readme

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_policy_of_the_simulator_page_runs(tmp_path, capsys):
    text = (ROOT / "docs" / "simulator.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    mine = tmp_path / "my.py"
    mine.write_text(code)
    arguments = ["--trace", "gaia_gemma4", "--envelope", "cloud", "--no-bound", "--only"]
    policies = ["--policy", f"{mine}:Largest", "--policy", f"{mine}:Largest+tide"]
    assert main(["compare", *arguments, *policies]) == 0
    out = capsys.readouterr().out
    assert "my.py:Largest+tide" in out
    assert "belady" in out


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    for link in links:
        if not re.match(r"[a-z]+://", link):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_readme_table_is_that_of_the_pages():
    assert readme.main(["--check"]) == 0


def test_ranking_says_what_is_missing():
    with pytest.raises(ValueError, match="no table under 'Nothing'"):
        readme.ranking("# Page\n", "Nothing")
    with pytest.raises(ValueError, match="MAIN-TABLE"):
        readme.filled("no marks", "text")
