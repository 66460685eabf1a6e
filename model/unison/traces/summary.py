"""What a trace holds in figures, beside what its calibration asked for."""

import itertools

from unison.traces.calibration import Calibration
from unison.traces.envelopes import ENVELOPES
from unison.traces.load import derive_load, mean_duration_us, mean_prefix
from unison.traces.model import Trace
from unison.traces.quantiles import LEVELS, Quantiles, measure


def samples(trace: Trace) -> dict[str, list[float]]:
    """Named samples of a trace: turns a session, tokens, and milliseconds by tool.

    A wait belongs to the tool called at the end of the turn before it.
    """
    result: dict[str, list[float]] = {
        "turns a session": [len(s.turns) for s in trace.sessions],
        "first prompt": [s.turns[0].prompt_tokens for s in trace.sessions],
        "prompt growth": [],
        "output": [t.output_tokens for t in trace.turns()],
        "service ms": [t.service_us / 1000 for t in trace.turns()],
        "wait ms": [],
    }
    for session in trace.sessions:
        for before, turn in itertools.pairwise(session.turns):
            # A compacted context shrinks; that is not growth.
            if turn.prompt_tokens > before.prompt_tokens:
                result["prompt growth"].append(turn.prompt_tokens - before.prompt_tokens)
            wait = (turn.wait_us or 0) / 1000
            result["wait ms"].append(wait)
            result.setdefault(f"wait ms {before.tool or '(no name)'}", []).append(wait)
    return result


def targets(cal: Calibration) -> dict[str, Quantiles]:
    """What each sample of a family was drawn from.

    The turns are scaled to the family's total, and a levelled tool to the family's median
    wait, so these differ from the measured ones by a factor.
    """
    return {
        "turns a session": cal.turns_a_session,
        "first prompt": cal.first_prompt,
        "prompt growth": cal.growth,
        "output": cal.output,
    } | {f"wait ms {tool.name}": tool.wait_ms for tool in cal.tools}


def summary(trace: Trace, cal: Calibration | None) -> dict:
    """A JSON-ready summary: header, quantiles with their targets, load on each envelope."""
    wanted = targets(cal) if cal else {}
    rows = {}
    for name, values in samples(trace).items():
        if values:
            rows[name] = {"count": len(values), "measured": _row(measure(values))}
            if name in wanted:
                rows[name]["target"] = _row(wanted[name])
    if cal and cal.median_wait_ms:
        rows["wait ms"]["target_median"] = cal.median_wait_ms
    header = trace.header
    loads = {}
    for name, pool in ENVELOPES.items():
        load = derive_load(trace, pool.pool_tokens)
        loads[name] = {
            "pool_tokens": pool.pool_tokens,
            "agents": load.agents,
            "servers": load.servers,
            "linger_s": round(load.linger_us / 1e6, 1),
        }
    return {
        "header": {key: getattr(header, key) for key in header.__slots__},
        "quantiles": list(LEVELS),
        "samples": rows,
        "mean_prefix_tokens": round(mean_prefix(trace), 1),
        "mean_duration_s": round(mean_duration_us(trace) / 1e6, 1),
        "load": loads,
    }


def _row(q: Quantiles) -> list[float]:
    return [round(value, 3) for value in (q.p10, q.p50, q.p90, q.p99)]


def table(result: dict) -> str:
    """The summary as text for a terminal."""
    header = result["header"]
    out = [f"{key:12} {value}" for key, value in header.items()]
    out += ["", f"{'':26}{'count':>7}  {'p10 / p50 / p90 / p99':34}target"]
    for name, row in result["samples"].items():
        target = _slashes(row["target"]) if "target" in row else ""
        if "target_median" in row:
            target = f"p50 {row['target_median']:g}"
        out.append(f"{name:26}{row['count']:7}  {_slashes(row['measured']):34}{target}".rstrip())
    prefix, duration = result["mean_prefix_tokens"], result["mean_duration_s"]
    out += ["", f"mean prefix {prefix} tokens, mean session {duration} s"]
    out += ["", f"{'envelope':14}{'pool':>9}{'agents':>8}{'servers':>9}{'linger s':>10}"]
    for name, load in result["load"].items():
        out.append(
            f"{name:14}{load['pool_tokens']:9}{load['agents']:8}{load['servers']:9}{load['linger_s']:10}"
        )
    return "\n".join(out)


def _slashes(values: list[float]) -> str:
    return " / ".join(f"{v:.0f}" if v >= 100 else f"{v:.3g}" for v in values)
