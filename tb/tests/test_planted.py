"""Every planted bug still has its place in the RTL (`make planted` runs them)."""

import pytest

from tb.catalog import TESTS
from tb.planted import ATTEMPTS, BUGS, places


@pytest.mark.parametrize("bug", BUGS, ids=lambda b: b.name)
def test_bug_can_be_planted(bug) -> None:
    assert places(bug) == 1
    assert bug.good != bug.bad
    assert bug.attempts()[0][0] == bug.first
    assert sorted(bug.attempts()) == sorted(ATTEMPTS)
    assert all(test in TESTS for test, _envelope in ATTEMPTS)
