"""Small traces to build tests from, and where the public recordings are."""

import os
from pathlib import Path

import pytest

from unison.traces.model import Session, Trace, TraceHeader, Turn
from unison.traces.paths import traces_dir

GOOD = """# unison-trace 1
# family: demo
# seed: none
# generator: by hand
# calibration: none
# source: a test
# licence: Apache-2.0
# sessions: 2
# turns: 3
session,turn,wait_ms,service_ms,prompt_tokens,output_tokens,tool
0,0,,10,100,20,shell
0,1,1.5,20.001,130,10,
1,0,,5,90,9,
"""


def make_trace(
    rows: list[list[tuple[int | None, int, int, int]]], seed: int | None = None
) -> Trace:
    """A trace from (wait us, service us, prompt, output) rows, one list a session."""
    sessions = tuple(
        Session(i, tuple(Turn(i, t, *row, tool="t") for t, row in enumerate(turns)))
        for i, turns in enumerate(rows)
    )
    count = sum(len(turns) for turns in rows)
    header = TraceHeader("demo", seed, "test", "none", "test", "Apache-2.0", len(rows), count)
    return Trace(header, sessions)


@pytest.fixture
def good_text() -> str:
    return GOOD


@pytest.fixture
def recordings() -> Path:
    """Directory of the public recordings' turn tables; skips where there is none."""
    shared = os.environ.get("UNISON_SHARED") or traces_dir().parents[1] / "shared"
    path = Path(shared) / "traces"
    if not path.is_dir():
        pytest.skip("no recordings: set UNISON_SHARED, or put them in ../shared/traces")
    return path
