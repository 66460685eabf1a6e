"""Calibration files: the numbers a synthetic family is drawn from, each with its source."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from unison.traces.errors import TraceError, shown
from unison.traces.paths import calibration_path
from unison.traces.quantiles import LEVELS, Quantiles


@dataclass(frozen=True, slots=True)
class Tool:
    """share: of the calls. wait_ms: of one call. levelled: scaled to `median_wait_ms`."""

    name: str
    share: float
    wait_ms: Quantiles
    levelled: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """Targets of one family; tokens and milliseconds. The file gives each one's source.

    output_growth_correlation: Gaussian copula of a turn's output and the growth after it.
    pace_correlation: Gaussian copula of a wait and its session's pace.
    median_wait_ms: level of all waits; None: the tools' own levels stand.
    service: `base + per_token * output`, times a factor with quantiles `spread`.
    last_tool: recorded after the last turn, which no turn follows; '' in most families.
    """

    family: str
    label: str
    seed: int
    sessions: int
    turns: int
    turns_a_session: Quantiles
    first_prompt: Quantiles
    growth: Quantiles
    output: Quantiles
    output_growth_correlation: float
    context_limit: int
    compacted_share: float
    median_wait_ms: float | None
    pace_correlation: float
    tools: tuple[Tool, ...]
    service_base_ms: float
    service_per_token_ms: float
    service_spread: Quantiles
    last_tool: str = ""


class _Reader:
    """Typed access to a parsed file; every fault names the file and the key."""

    def __init__(self, path: Path, data: object) -> None:
        self.path, self.data = path, data

    def fault(self, key: str, got: object, expected: str) -> TraceError:
        return TraceError(self.path, 0, key, shown(json.dumps(got)), expected)

    def entry(self, key: str) -> dict:
        entry = self.data.get(key) if isinstance(self.data, dict) else None
        if not isinstance(entry, dict):
            raise self.fault(key, entry, "an object with a source")
        if not isinstance(entry.get("source"), str) or not entry["source"].strip():
            raise self.fault(f"{key}.source", entry.get("source"), "where the number is from")
        return entry

    def number(self, key: str, low: float, high: float, name: str = "value") -> float:
        value = self.entry(key).get(name)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not low <= value <= high
        ):
            raise self.fault(f"{key}.{name}", value, f"a number in {low:g}..{high:g}")
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        value = self.number(key, low, high)
        if not isinstance(value, int):
            raise self.fault(f"{key}.value", value, "an integer")
        return value

    def quantiles(self, key: str, name: str = "quantiles") -> Quantiles:
        values = self.entry(key).get(name)
        good = isinstance(values, list) and len(values) == len(LEVELS)
        good = good and all(isinstance(v, int | float) and v > 0 for v in values)
        if not good or sorted(values) != values:
            raise self.fault(f"{key}.{name}", values, "[p10, p50, p90, p99], positive, rising")
        return Quantiles(*values)


def load_calibration(family: str, path: Path | None = None) -> Calibration:
    """Read and check a family's file. ValueError: unknown family. TraceError: a fault in it."""
    path = path or calibration_path(family)
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise TraceError(path, 0, "file", error.strerror or str(error), "a readable file") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", 0)
        raise TraceError(path, line, "json", str(error), "a JSON object") from None
    r = _Reader(path, data)
    sessions = r.integer("sessions", 1, 1_000_000)
    tools = r.data.get("tools")
    if not isinstance(tools, dict) or not tools:
        raise r.fault("tools", tools, "an object of tools")
    median = r.entry("median_wait_ms").get("value")
    return Calibration(
        family=family,
        label=f"{path.name} sha256:{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}",
        seed=r.integer("seed", 0, 2**31),
        sessions=sessions,
        turns=r.integer("turns", sessions, 100_000_000),
        turns_a_session=r.quantiles("turns_a_session"),
        first_prompt=r.quantiles("first_prompt"),
        growth=r.quantiles("growth"),
        output=r.quantiles("output"),
        output_growth_correlation=r.number("output_growth_correlation", 0, 1),
        context_limit=r.integer("context_limit", 1024, 2**20 - 1),
        compacted_share=r.number("compacted_share", 0.01, 0.9),
        median_wait_ms=None if median is None else r.number("median_wait_ms", 1, 600_000),
        pace_correlation=r.number("pace_correlation", 0, 1),
        tools=_tools(r, tools),
        service_base_ms=r.number("service", 1, 600_000, "base_ms"),
        service_per_token_ms=r.number("service", 0, 10_000, "per_token_ms"),
        service_spread=r.quantiles("service", "spread"),
        last_tool=_last_tool(r, tools),
    )


def _last_tool(r: _Reader, tools: dict) -> str:
    """The optional tool of the last turn: one of the family's."""
    if "last_tool" not in r.data:
        return ""
    value = r.entry("last_tool").get("value")
    if value not in tools:
        raise r.fault("last_tool.value", value, f"one of {', '.join(tools)}")
    return value


def _tools(reader: _Reader, tools: dict) -> tuple[Tool, ...]:
    r = _Reader(reader.path, tools)
    found = tuple(
        Tool(
            name,
            r.number(name, 0, 1, "share"),
            r.quantiles(name, "wait_ms"),
            bool(tools[name].get("levelled", False)),
        )
        for name in tools
    )
    total = sum(tool.share for tool in found)
    if abs(total - 1) > 1e-9:
        raise reader.fault("tools.share", total, "shares that add up to 1")
    return found
