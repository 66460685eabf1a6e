"""What `unison.traces.measure` reads, and what one of its figures is."""

import itertools
import os
from dataclasses import dataclass
from pathlib import Path

from unison.traces.importer import MAX_WAIT_US, import_table
from unison.traces.model import MAX_TIME_US, Session, Trace, Turn

ROOT = Path(__file__).parents[3].resolve()
GAIA, LITE, TRAE = "trail_gaia", "trail_swebench_lite", "isobench_trae"
RECORDINGS = {GAIA: "TRAIL GAIA", LITE: "TRAIL SWE-bench Lite", TRAE: "TRAE on ISO-Bench"}
#: Tool names of the recordings.
EDIT, THINK = "str_replace_based_edit_tool", "sequentialthinking"
NESTED, FIND, INSPECT = "AGENT:ToolCallingAgent.run", "find_on_page_ctrl_f", "inspect_file_as_text"
#: p10, p50, p90, p99, or one value.
Values = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a recording beside the calibration files that use it.

    count: observations. measured: in `unit` ('' for a ratio or a correlation).
    used: the same in the files of `families`; empty when none uses it.
    tolerance: largest |measured - used| that counts as agreement, in `unit`, or, when
    `relative`, as a part of the used value. None: drawn from other sessions, so not comparable.
    """

    section: str
    recording: str
    quantity: str
    unit: str
    count: int
    measured: Values
    used: Values = ()
    families: tuple[str, ...] = ()
    tolerance: float | None = None
    relative: bool = False

    def agrees(self) -> bool | None:
        """Whether all values are within the tolerance; None when there is nothing to compare."""
        if not self.used or self.tolerance is None:
            return None
        pairs = zip(self.measured, self.used, strict=True)
        limit = self.tolerance
        return all(abs(m - u) <= limit * (u if self.relative else 1) for m, u in pairs)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: the turn that made it and the next one, whose wait it is."""

    before: Turn
    after: Turn

    @property
    def ms(self) -> float:
        """The wait, milliseconds."""
        return (self.after.wait_us or 0) / 1000

    @property
    def growth(self) -> int:
        """Prompt growth, tokens; negative for a compacted context."""
        return self.after.prompt_tokens - self.before.prompt_tokens


def shared_dir(given: Path | None = None) -> Path:
    """`given`, else $UNISON_SHARED, else ../shared beside the repository."""
    return given or Path(os.environ.get("UNISON_SHARED") or ROOT.parent / "shared")


def read_recordings(folder: Path) -> dict[str, Trace]:
    """The three turn tables, whole: stalls are left in. TraceError: the first fault."""
    tables = {name: folder / f"{name}.csv.gz" for name in RECORDINGS}
    return {n: import_table(p, max_wait_us=MAX_TIME_US)[0] for n, p in tables.items()}


def calls(trace: Trace, tool: str | None = None) -> list[Call]:
    """The calls (of one tool) whose wait is no stall, that is at most 600 s."""
    pairs = (Call(*p) for s in trace.sessions for p in itertools.pairwise(s.turns))
    kept = (c for c in pairs if (c.after.wait_us or 0) <= MAX_WAIT_US)
    return [c for c in kept if tool is None or c.before.tool == tool]


def search_sessions(trace: Trace) -> list[Session]:
    """Sessions that call a tool other than a nested agent: the nearest to *search agent*, as
    the recording does not name its agents."""
    return [s for s in trace.sessions if {t.tool for t in s.turns} - {"", NESTED}]
