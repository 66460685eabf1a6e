"""Column and header fields of a trace file: text to integer and back.

A field parser returns the value, or raises `FieldError(got, expected)`; the caller knows
the file and the line.
"""

import re

from unison.traces.errors import shown
from unison.traces.model import MAX_TIME_US, MAX_TOKENS

_INT = re.compile(r"-?[0-9]{1,18}\Z", re.ASCII)
_MS = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,3}))?\Z", re.ASCII)
_FINE = re.compile(r"-?[0-9]{1,12}\.[0-9]{4,}\Z", re.ASCII)
_TOOL = re.compile(r"[A-Za-z0-9_.:/+-]{0,64}\Z", re.ASCII)
_NOT_FINITE = {"nan", "inf", "infinity"}


class FieldError(Exception):
    """What a field held and what it should have held."""

    def __init__(self, got: str, expected: str) -> None:
        self.got, self.expected = got, expected
        super().__init__(f"got {got}, expected {expected}")


def integer(text: str, low: int, high: int) -> int:
    """Integer in low..high."""
    if not _INT.match(text) or not low <= int(text) <= high:
        raise FieldError(shown(text), f"an integer in {low}..{high}")
    return int(text)


def milliseconds(text: str, low_us: int, whole: bool) -> int:
    """Decimal milliseconds as microseconds, at least `low_us`; `whole`: no decimals."""
    unit = "whole milliseconds" if whole else "milliseconds with at most 3 decimals"
    if text.lower().lstrip("+-") in _NOT_FINITE:
        raise FieldError(shown(text), f"a finite number of {unit}")
    match = _MS.match(text)
    if not match:
        what = "at most 3 decimals" if _FINE.match(text) else unit
        raise FieldError(shown(text), what)
    sign, units, decimals = match.groups()
    value = int(units) * 1000 + int((decimals or "").ljust(3, "0"))
    value = -value if sign else value
    if whole and value % 1000:
        raise FieldError(shown(text), unit)
    if not low_us <= value <= MAX_TIME_US:
        raise FieldError(f"{text} ms", f"{ms_text(low_us)}..{ms_text(MAX_TIME_US)} ms")
    return value


def tool(text: str) -> str:
    """Tool name: up to 64 of letters, digits and _ . : / + -"""
    if not _TOOL.match(text):
        raise FieldError(shown(text), "up to 64 of A-Z a-z 0-9 _ . : / + -")
    return text


def clean_tool(text: str) -> str:
    """The nearest legal tool name."""
    return re.sub(r"[^A-Za-z0-9_.:/+-]", "_", text)[:64]


def tokens(text: str) -> int:
    """Token count, 1..`MAX_TOKENS`."""
    return integer(text, 1, MAX_TOKENS)


def ms_text(time_us: int) -> str:
    """Microseconds as the shortest exact decimal milliseconds."""
    whole, rest = divmod(time_us, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)
