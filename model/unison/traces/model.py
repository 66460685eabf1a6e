"""What a trace is in memory. Every time is an integer number of microseconds."""

from collections.abc import Iterator
from dataclasses import dataclass

from unison.contract.widths import TICKS_PER_MS, TIME_W, TOK_W, mask

#: Largest KV footprint of a turn, tokens: the width of the core's token field.
MAX_TOKENS = mask(TOK_W)
#: Times stay below half the timestamp range (contract section 2: compared modulo 2**32).
MAX_TIME_US = (1 << TIME_W - 1) * 1000 // TICKS_PER_MS - 1


@dataclass(frozen=True, slots=True)
class Turn:
    """One model invocation.

    session, turn: position, both from 0.
    wait_us: tool wait before this turn; None for the first turn of a session.
    service_us: time the server is busy with it, at least 1.
    prompt_tokens, output_tokens: at least 1 each; their sum is at most `MAX_TOKENS`.
    tool: called at the end of this turn; '' when none was or it was not recorded.
    """

    session: int
    turn: int
    wait_us: int | None
    service_us: int
    prompt_tokens: int
    output_tokens: int
    tool: str = ""

    @property
    def kv_tokens(self) -> int:
        """KV footprint after the turn, tokens."""
        return self.prompt_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Session:
    """One agent task: its turns in order, at least one."""

    id: int
    turns: tuple[Turn, ...]

    @property
    def duration_us(self) -> int:
        """Waits plus services: how long it lives when it never queues."""
        return sum(t.service_us + (t.wait_us or 0) for t in self.turns)


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """Where a trace comes from; `sessions` and `turns` are checked against the rows.

    seed: None for a recording. A trace with a seed is synthetic, and held to stricter rules
    (whole milliseconds, waits of at least 1 ms).
    calibration: file name and first 12 hex digits of its sha256, or 'none'.
    """

    family: str
    seed: int | None
    generator: str
    calibration: str
    source: str
    licence: str
    sessions: int
    turns: int


@dataclass(frozen=True, slots=True)
class Trace:
    """A header and its sessions, numbered from 0."""

    header: TraceHeader
    sessions: tuple[Session, ...]

    def turns(self) -> Iterator[Turn]:
        """All turns in file order."""
        for session in self.sessions:
            yield from session.turns

    def waits_us(self) -> list[int]:
        """All tool waits in file order, microseconds."""
        return [t.wait_us for t in self.turns() if t.wait_us is not None]
