"""Turn tables of recordings to traces.

A table is CSV, plain or gzip, with the columns of `TABLE`; times are decimal seconds.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from unison.traces import fields
from unison.traces.errors import TraceError, shown
from unison.traces.fields import FieldError
from unison.traces.format import read_text
from unison.traces.model import MAX_TIME_US, MAX_TOKENS, Session, Trace, TraceHeader, Turn

TABLE = (
    "session",
    "turn",
    "arrival_s",
    "service_s",
    "gap_s",
    "prompt_tokens",
    "output_tokens",
    "tool",
)
#: A longer wait is a stall of the recording, not a tool.
MAX_WAIT_US = 600_000_000
_SECONDS = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?([eE][-+]?[0-9]{1,2})?\Z")


@dataclass(slots=True)
class ImportReport:
    """What the import changed. zero_services: raised to 1 us. stalls: sessions cut before a
    wait over the limit, `dropped_turns` turns gone with them. renamed_tools: names with
    characters that the format does not have.
    """

    zero_services: int = 0
    stalls: int = 0
    dropped_turns: int = 0
    renamed_tools: int = 0


def import_table(
    path: Path | str,
    family: str | None = None,
    source: str = "unknown",
    licence: str = "unknown",
    max_wait_us: int = MAX_WAIT_US,
) -> tuple[Trace, ImportReport]:
    """Convert a turn table. Times are rounded to microseconds; sessions are renumbered from
    0 in file order; a session ends before its first wait over `max_wait_us`.

    family: a name for the trace, by default the file's. TraceError: the first fault, with
    file and line.
    """
    report = ImportReport()
    lines = [line.removesuffix("\r") for line in read_text(path).removesuffix("\n").split("\n")]
    if tuple(lines[0].split(",")) != TABLE:
        raise TraceError(path, 1, "columns", shown(lines[0], 100), ",".join(TABLE))
    groups: list[list[Turn]] = []
    names: dict[str, int] = {}
    for number, text in enumerate(lines[1:], 2):
        cells = text.split(",")
        if len(cells) != len(TABLE):
            raise TraceError(path, number, "row", f"{len(cells)} columns", f"{len(TABLE)} columns")
        if not groups or cells[0] not in names or names[cells[0]] != len(groups) - 1:
            if cells[0] in names:
                raise TraceError(
                    path, number, "session", shown(cells[0]), "rows of a session together"
                )
            names[cells[0]] = len(groups)
            groups.append([])
        turns = groups[-1]
        turns.append(_turn(path, number, cells, len(groups) - 1, len(turns), report))
    if not groups:
        raise TraceError(path, 2, "rows", "none", "at least one turn")
    sessions = tuple(
        Session(i, _before_stall(turns, max_wait_us, report)) for i, turns in enumerate(groups)
    )
    header = TraceHeader(
        family=family or Path(path).name.split(".")[0],
        seed=None,
        generator="unison import 1",
        calibration="none",
        source=" ".join(source.split()) or "unknown",
        licence=" ".join(licence.split()) or "unknown",
        sessions=len(sessions),
        turns=sum(len(s.turns) for s in sessions),
    )
    return Trace(header, sessions), report


def _turn(
    path: Path | str, line: int, cells: list[str], session: int, turn: int, report: ImportReport
) -> Turn:
    """One row; `session` and `turn` are what its place in the file says."""

    def take(index: int, parser: Callable[..., int], *limits: int) -> int:
        try:
            return parser(cells[index], *limits)
        except FieldError as error:
            raise TraceError(path, line, TABLE[index], error.got, error.expected) from None

    take(1, fields.integer, turn, turn)
    wait = None
    if turn and not cells[4]:
        raise TraceError(path, line, "gap_s", "nothing", "the wait before this turn")
    if not turn and cells[4]:
        raise TraceError(path, line, "gap_s", shown(cells[4]), "nothing before the first turn")
    if turn:
        wait = take(4, _microseconds)
    service = take(3, _microseconds)
    if service == 0:
        report.zero_services += 1
        service = 1
    prompt, output = take(5, fields.tokens), take(6, fields.tokens)
    if prompt + output > MAX_TOKENS:
        got = f"prompt + output = {prompt + output}"
        raise TraceError(path, line, "output_tokens", got, f"at most {MAX_TOKENS}")
    tool = fields.clean_tool(cells[7])
    report.renamed_tools += tool != cells[7]
    return Turn(session, turn, wait, service, prompt, output, tool)


def _microseconds(text: str) -> int:
    if not _SECONDS.match(text):
        raise FieldError(shown(text), "decimal seconds, not negative")
    value = Decimal(text)
    if value * 1_000_000 > MAX_TIME_US:
        raise FieldError(shown(text), f"seconds in 0..{MAX_TIME_US // 1_000_000}")
    return round(value * 1_000_000)


def _before_stall(turns: list[Turn], max_wait_us: int, report: ImportReport) -> tuple[Turn, ...]:
    for i, turn in enumerate(turns):
        if turn.wait_us is not None and turn.wait_us > max_wait_us:
            report.stalls += 1
            report.dropped_turns += len(turns) - i
            # The call that stalled is not answered any more.
            return (*turns[: i - 1], replace(turns[i - 1], tool=""))
    return tuple(turns)
