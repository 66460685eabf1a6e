"""Events of a replayed trace, before they become ticks."""

from dataclasses import dataclass

from unison.contract import EventCode


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One event of the closed loop (contract section 2), never a MIG_DONE.

    tokens: prompt at REQ, prompt + output at GAP_OPEN, 0 at GAP_CLOSE and DONE.
    time_us: microseconds from the start of the replay.
    session, turn: whose; a GAP_CLOSE belongs to the turn it leads to, DONE to the last one.
    """

    code: EventCode
    slot: int
    tokens: int
    time_us: int
    session: int
    turn: int
