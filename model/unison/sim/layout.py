"""Memory layout shared by the compiled simulator and the policies: events, slots, pool.

Times in `EVENT` are microseconds; everywhere else they are ticks of 1/16 ms in float64.
"""

from typing import NamedTuple

import numpy as np

#: One event of the closed loop. tool: class of the tool called at the end of the turn (-1: none
#: recorded), at GAP_OPEN only. next_us: time of the session's next REQ, -1 when there is none;
#: for oracles, no other policy may read it.
EVENT = np.dtype(
    [
        ("code", "i4"),
        ("slot", "i4"),
        ("tokens", "i4"),
        ("tool", "i4"),
        ("session", "i4"),
        ("turn", "i4"),
        ("time_us", "i8"),
        ("next_us", "i8"),
    ]
)

#: One row of the slot table: what a policy's score sees as `s`.
SLOT = np.dtype(
    [
        ("state", "i8"),  # SlotState
        ("tier", "i8"),  # Tier
        ("tokens", "i8"),  # length of the prefix
        ("kept", "i8"),  # tokens of it that are resident (whole residency: all or none)
        ("k", "i8"),  # requests seen, saturating at 255
        ("seen", "i8"),  # 1 once a gap was measured
        ("in_flight", "i8"),
        ("promoted", "i8"),  # moved up by a migration since the last REQ
        ("tracked", "i8"),  # has a row of the hardware's slot table
        ("session", "i8"),
        ("slot", "i8"),  # its own number
        ("tool", "i8"),  # class of the tool it waits for, or waited for last; -1 unknown
        ("tool_before", "i8"),  # the one before that
        ("position", "i8"),  # in the list of candidates; -1 when it is none
        ("before", "i8"),  # neighbours by falling key, for `fixed` orders; -1 at the ends
        ("after", "i8"),
        ("hits", "i8"),  # requests served since it entered the pool
        ("t_on", "f8"),  # onset of the gap; in READY the time the gap closed
        ("t_start", "f8"),  # first request
        ("t_req", "f8"),  # last request
        ("t_open", "f8"),  # last end of a decode
        ("t_in", "f8"),  # entry into the pool
        ("ghat", "f8"),  # gap average, ticks
        ("gap", "f8"),  # last measured gap, ticks
        ("next_req", "f8"),  # oracle only: time of the next request, inf when there is none
        ("key", "f8"),  # score kept for `fixed` orders
        ("a0", "f8"),  # a0..a3: the eviction policy's own
        ("a1", "f8"),
        ("a2", "f8"),
        ("a3", "f8"),
    ]
)

#: Moments a policy may learn from, the first argument of `learn`. The event codes, and:
LEARN_ENTER, LEARN_EVICT = 8, 9


class Tools(NamedTuple):
    """Tool classes of a trace: `names[c]` is the tool of class `c`, most frequent first."""

    names: tuple[str, ...]

    def index(self) -> dict[str, int]:
        """Class by name."""
        return {name: c for c, name in enumerate(self.names)}
