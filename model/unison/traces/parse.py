"""Text of a trace file to a `Trace`, with every fault found on the way."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from unison.traces import fields
from unison.traces.errors import TraceError, shown
from unison.traces.fields import FieldError
from unison.traces.model import MAX_TOKENS, Session, Trace, TraceHeader, Turn

MAGIC = "# unison-trace"
VERSION = 1
COLUMNS = ("session", "turn", "wait_ms", "service_ms", "prompt_tokens", "output_tokens", "tool")
KEYS = ("family", "seed", "generator", "calibration", "source", "licence", "sessions", "turns")
_COUNT = 1 << 31


T = TypeVar("T")


class _Full(Exception):
    """The error limit is reached."""


class Parser:
    """One pass over one file. `errors` holds what was found, at most `limit`."""

    def __init__(self, path: Path | str, limit: int) -> None:
        self.path, self.limit = path, limit
        self.errors: list[TraceError] = []
        self.sessions: list[Session] = []
        self.turns: list[Turn] = []
        self.rows = 0
        self.count = 0
        self.next_turn = 0
        self.key_lines: dict[str, int] = {}

    def fault(self, line: int, field: str, got: str, expected: str) -> None:
        """Note a fault; stop the pass at the limit."""
        self.errors.append(TraceError(self.path, line, field, got, expected))
        if len(self.errors) >= self.limit:
            raise _Full

    def parse(self, lines: Iterable[str]) -> Trace | None:
        """The trace, or None when there were faults. `lines` come without line ends."""
        try:
            header = self._all(list(lines))
        except _Full:
            return None
        if self.errors or header is None:
            return None
        return Trace(header, tuple(self.sessions))

    def _all(self, lines: list[str]) -> TraceHeader | None:
        if not lines:
            self.fault(0, "file", "nothing", f"'{MAGIC} {VERSION}'")
            return None
        if lines[0] != f"{MAGIC} {VERSION}":
            field = "version" if lines[0].startswith(MAGIC) else "magic"
            # Nothing below can be trusted to mean what this reader thinks it means.
            self.fault(1, field, shown(lines[0]), f"'{MAGIC} {VERSION}'")
            return None
        first = next((i for i, text in enumerate(lines) if not text.startswith("#")), len(lines))
        header = self._header(lines[1:first], first)
        if first == len(lines):
            self.fault(first + 1, "columns", "end of file", ",".join(COLUMNS))
            return None
        if not self._columns(lines[first], first + 1):
            return None
        synthetic = header is not None and header.seed is not None
        for number, text in enumerate(lines[first + 1 :], first + 2):
            self._row(text, number, synthetic)
        self._close()
        if header:
            self._counts(header)
        return header

    def _header(self, lines: list[str], end: int) -> TraceHeader | None:
        values: dict[str, str] = {}
        for number, text in enumerate(lines, 2):
            key, colon, value = text[1:].partition(":")
            key = key.strip()
            if not colon or key not in KEYS:
                self.fault(
                    number, "header", shown(text), f"'# key: value', key of {', '.join(KEYS)}"
                )
            elif key in values:
                self.fault(number, key, "a second value", "one value")
            else:
                values[key] = value.strip()
                self.key_lines[key] = number
        missing = [key for key in KEYS if not values.get(key)]
        for key in missing:
            self.fault(self.key_lines.get(key, end + 1), key, "nothing", f"'# {key}: value'")
        if missing:
            return None
        number: dict[str, int | None] = {}
        for key, low in (("seed", 0), ("sessions", 1), ("turns", 1)):
            if key == "seed" and values[key] == "none":
                number[key] = None
                continue
            try:
                number[key] = fields.integer(values[key], low, _COUNT)
            except FieldError as error:
                self.fault(self.key_lines[key], key, error.got, error.expected)
                return None
        return TraceHeader(**(values | number))

    def _columns(self, text: str, line: int) -> bool:
        names = tuple(text.split(","))
        if names == COLUMNS:
            return True
        missing = [name for name in COLUMNS if name not in names]
        got = f"no {', '.join(missing)}" if missing else shown(text, 90)
        self.fault(line, "columns", got, ",".join(COLUMNS))
        return False

    def _row(self, text: str, line: int, synthetic: bool) -> None:
        cells = text.split(",")
        self.rows += 1
        if len(cells) != len(COLUMNS):
            self.fault(line, "row", f"{len(cells)} columns", f"{len(COLUMNS)} columns")
            return
        before = len(self.errors)

        def take(field: str, parser: Callable[..., T], *args: object) -> T | None:
            try:
                return parser(*args)
            except FieldError as error:
                self.fault(line, field, error.got, error.expected)
                return None

        session = take("session", fields.integer, cells[0], 0, _COUNT)
        turn = take("turn", fields.integer, cells[1], 0, _COUNT)
        if session is not None and turn is not None:
            self._order(session, turn, line)
        wait = None
        if turn == 0 and cells[2]:
            self.fault(line, "wait_ms", shown(cells[2]), "nothing before the first turn")
        elif turn and not cells[2]:
            self.fault(line, "wait_ms", "nothing", "the tool wait before this turn")
        elif cells[2]:
            low = 1000 if synthetic else 0
            wait = take("wait_ms", fields.milliseconds, cells[2], low, synthetic)
        low = 1000 if synthetic else 1
        service = take("service_ms", fields.milliseconds, cells[3], low, synthetic)
        prompt = take("prompt_tokens", fields.tokens, cells[4])
        output = take("output_tokens", fields.tokens, cells[5])
        name = take("tool", fields.tool, cells[6])
        if prompt and output and prompt + output > MAX_TOKENS:
            self.fault(
                line,
                "output_tokens",
                f"prompt + output = {prompt + output}",
                f"at most {MAX_TOKENS}",
            )
        if len(self.errors) == before:
            self.turns.append(Turn(session, turn, wait, service, prompt, output, name))

    def _order(self, session: int, turn: int, line: int) -> None:
        """Sessions are numbered 0, 1, ... and their rows stand together, turns 0, 1, ..."""
        if turn == 0 and session == self.count:
            self._close()
            self.count += 1
            self.next_turn = 1
            return
        current = self.count - 1
        if session != current:
            expected = f"{self.count}, the next session"
            if self.count:
                expected = f"{current}, or turn 0 of session {self.count}"
            self.fault(line, "session", f"session {session}, turn {turn}", expected)
            # One report is enough: follow the file from here.
            self.count, self.next_turn = session + 1, turn + 1
            return
        if turn != self.next_turn:
            self.fault(line, "turn", str(turn), f"{self.next_turn}, turns run 0, 1, 2, ...")
        self.next_turn = turn + 1

    def _close(self) -> None:
        if self.turns:
            self.sessions.append(Session(self.turns[0].session, tuple(self.turns)))
            self.turns = []

    def _counts(self, header: TraceHeader) -> None:
        for key, found in (("sessions", self.count), ("turns", self.rows)):
            said = getattr(header, key)
            if said != found:
                self.fault(self.key_lines[key], key, str(said), f"{found}, as counted in the rows")
