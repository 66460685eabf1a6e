"""Agent traces: the file format, the synthetic families, the closed loop, the pools."""

from unison.traces.envelopes import ENVELOPES, Envelope, envelope
from unison.traces.errors import TraceError
from unison.traces.events import TraceEvent
from unison.traces.format import check_trace, read_trace, write_trace
from unison.traces.generate import generate
from unison.traces.importer import import_table
from unison.traces.load import ServingLoad, derive_load
from unison.traces.model import Session, Trace, TraceHeader, Turn
from unison.traces.paths import FAMILIES, open_trace
from unison.traces.serving import ServingStats, events

__all__ = [
    "ENVELOPES",
    "FAMILIES",
    "Envelope",
    "ServingLoad",
    "ServingStats",
    "Session",
    "Trace",
    "TraceError",
    "TraceEvent",
    "TraceHeader",
    "Turn",
    "check_trace",
    "derive_load",
    "envelope",
    "events",
    "generate",
    "import_table",
    "open_trace",
    "read_trace",
    "write_trace",
]
