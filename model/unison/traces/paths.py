"""Where the committed traces and calibrations are."""

import os
from pathlib import Path

from unison.traces.errors import TraceError
from unison.traces.format import read_trace
from unison.traces.model import Trace

FAMILIES = (
    "swe_qwen3",
    "swe_devstral",
    "swe_gemma4",
    "gaia_qwen3",
    "gaia_devstral",
    "gaia_gemma4",
)
#: People answer between the tools' turns. Beside the six, which hold the paper's totals.
HUMAN_FAMILIES = ("human_code", "human_pair", "human_chat")
ALL_FAMILIES = (*FAMILIES, *HUMAN_FAMILIES)


def traces_dir() -> Path:
    """``traces/`` of the repository; the environment's UNISON_TRACES goes first."""
    given = os.environ.get("UNISON_TRACES")
    return Path(given) if given else Path(__file__).parents[3].resolve() / "traces"


def calibration_path(family: str) -> Path:
    """Calibration file of a family; ValueError for an unknown one."""
    return traces_dir() / "calibration" / f"{known(family)}.json"


def data_path(family: str) -> Path:
    """Committed trace of a family; ValueError for an unknown one."""
    return traces_dir() / "data" / f"{known(family)}.csv.gz"


def known(family: str) -> str:
    """`family`, or ValueError with the valid ones."""
    if family not in ALL_FAMILIES:
        raise ValueError(f"family: got {family!r}, expected one of {', '.join(ALL_FAMILIES)}")
    return family


def open_trace(name: str) -> Trace:
    """A trace by family name or by path. TraceError as in `read_trace`."""
    if name in ALL_FAMILIES:
        return read_trace(data_path(name))
    if not Path(name).exists():
        expected = f"a trace file or one of {', '.join(ALL_FAMILIES)}"
        raise TraceError(name, 0, "trace", "no such file", expected)
    return read_trace(name)
