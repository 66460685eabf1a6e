"""Every planted bug still has its place in the RTL (`make planted` runs them)."""

import pytest

from tb.planted import BUGS, places


@pytest.mark.parametrize("bug", BUGS, ids=lambda b: b.name)
def test_bug_can_be_planted(bug) -> None:
    assert places(bug) == 1
    assert bug.good != bug.bad
