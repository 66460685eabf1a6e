"""The page's tables are what the code says."""

import pytest

from unison.traces import pages
from unison.traces.paths import traces_dir


def test_page_is_up_to_date():
    assert pages.main(["--root", str(traces_dir().parent), "--check"]) == 0


def test_page_without_a_place():
    with pytest.raises(ValueError, match="families"):
        pages.filled("# Traces\n")
