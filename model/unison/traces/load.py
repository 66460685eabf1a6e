"""How hard a trace presses on a pool: one rule, fixed before any policy is compared."""

import math
from dataclasses import dataclass

from unison.contract.widths import DEFAULT_SLOTS
from unison.traces.model import Trace

#: Bounds of the number of agents.
MIN_AGENTS, MAX_AGENTS = 2, 48
#: Agents for each server.
AGENTS_PER_SERVER = 8
#: A finished session's prefix is not worth more than this, whatever slots are left.
MAX_LINGER_US = 600_000_000


@dataclass(frozen=True, slots=True)
class ServingLoad:
    """agents: sessions under way at once. servers: requests running at once.

    linger_us: time from the end of a session's last decode to its DONE, microseconds.
    """

    agents: int
    servers: int
    linger_us: int

    def __post_init__(self) -> None:
        for name, low in (("agents", 1), ("servers", 1), ("linger_us", 0)):
            if getattr(self, name) < low:
                raise ValueError(f"{name}: got {getattr(self, name)}, expected at least {low}")


def mean_prefix(trace: Trace) -> float:
    """Mean over the turns of prompt + output, tokens."""
    return sum(turn.kv_tokens for turn in trace.turns()) / trace.header.turns


def mean_duration_us(trace: Trace) -> float:
    """Mean over the sessions of waits plus services, microseconds."""
    return sum(session.duration_us for session in trace.sessions) / len(trace.sessions)


def derive_load(
    trace: Trace, pool_tokens: int, pressure: float = 2.0, slots: int = DEFAULT_SLOTS
) -> ServingLoad:
    """Load of a trace on a pool of `pool_tokens` (both tiers).

    agents = pressure * pool / mean prefix, rounded half up, in 2..48;
    servers = max(1, agents / 8);
    linger = half of the slots left over, times mean duration / agents, at most 600 s. By
    Little's law agents / duration sessions end each second when nothing queues, fewer when
    it does, so on average at most half of the spare slots hold a finished session.
    ValueError: pool, pressure or slots not positive.
    """
    for name, value in (("pool_tokens", pool_tokens), ("pressure", pressure), ("slots", slots)):
        if not 0 < value < math.inf:
            raise ValueError(f"{name}: got {value}, expected more than 0 and finite")
    exact = pressure * pool_tokens / mean_prefix(trace)
    wanted = int(min(exact, 2.0 * MAX_AGENTS) + 0.5)
    agents = min(max(wanted, MIN_AGENTS), MAX_AGENTS)
    spare = max(0, slots - agents) / 2
    linger_us = int(min(MAX_LINGER_US, spare * mean_duration_us(trace) / agents))
    return ServingLoad(agents, max(1, agents // AGENTS_PER_SERVER), linger_us)
