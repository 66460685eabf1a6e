"""Codes that cross the hardware/software border: events, records, tiers, states, causes.

The RTL package ``rtl/unison_pkg.sv`` is generated from these enumerations (`emit`), and
``rtl/unison.rdl`` is checked against them.
"""

from enum import IntEnum


class Arch(IntEnum):
    """Architecture of the ranking, in ``VARIANT``; the RTL's `Arch` parameter."""

    ROWS = 0
    LINEAR = 1
    SPARSE = 2


class EventCode(IntEnum):
    """Event code, 4 bits, in ``EV_PUSH`` (contract section 2). Other codes are errors."""

    REQ = 1
    GAP_OPEN = 2
    GAP_CLOSE = 3
    DONE = 4
    MIG_DONE = 5


class SlotState(IntEnum):
    """State of a slot (contract section 2)."""

    FREE = 0
    ACTIVE = 1
    GAP = 2
    READY = 3


class Tier(IntEnum):
    """Residency of a session: in no tier, the fast one or the slow one."""

    NONE = 0
    SRAM = 1
    HBM = 2


class Outcome(IntEnum):
    """What a REQ found, before any change (contract section 4)."""

    COLD = 0
    MISS = 1
    HIT_SRAM = 2
    HIT_HBM = 3


class RecordKind(IntEnum):
    """Kind of a decision-FIFO record. EVICT, BYPASS, PROMOTE and DEMOTE are decisions."""

    OUTCOME = 1
    EVICT = 2
    BYPASS = 3
    PLACE = 4
    PROMOTE = 5
    DEMOTE = 6
    ERROR = 7


class Cause(IntEnum):
    """Cause of an ERROR record. An event with several faults reports the lowest one."""

    UNKNOWN_CODE = 1
    BAD_SLOT = 2
    TIME_BACK = 3
    TOKENS_ZERO = 4
    TOKENS_OVER = 5
    SLOT_FREE = 6
    REQ_ACTIVE = 7
    OPEN_NOT_ACTIVE = 8
    CLOSE_NOT_GAP = 9
    MIG_NOT_OUTSTANDING = 10


DECISIONS = frozenset(
    {RecordKind.EVICT, RecordKind.BYPASS, RecordKind.PROMOTE, RecordKind.DEMOTE}
)
