"""The contract in code: widths, encodings, registers, and what is generated from them."""

from unison.contract.encodings import (
    DECISIONS,
    Cause,
    EventCode,
    Outcome,
    RecordKind,
    SlotState,
    Tier,
)
from unison.contract.records import CoreEvent, Record
from unison.contract.widths import mask, ticks

__all__ = [
    "DECISIONS",
    "Cause",
    "CoreEvent",
    "EventCode",
    "Outcome",
    "Record",
    "RecordKind",
    "SlotState",
    "Tier",
    "mask",
    "ticks",
]
