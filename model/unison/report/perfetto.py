"""A run as a Chrome trace (JSON Array/Object Format), for ui.perfetto.dev or chrome://tracing.

Processes are the fast tier, the slow tier, and "not resident"; threads are slots. Perfetto gives
thread 0 a meaning of its own, so slot n is thread n + 1.
"""

from typing import Any

from unison.contract import Tier
from unison.report.timeline import Mark, Phase, Stay, Timeline

FAST, SLOW, AWAY = 1, 2, 3
_NAMES = {FAST: "fast tier (SRAM)", SLOW: "slow tier (HBM)", AWAY: "waiting / not resident"}
_PID = {Tier.SRAM: FAST, Tier.HBM: SLOW, Tier.NONE: AWAY}


def chrome_trace(run: Timeline, about: dict[str, str] | None = None) -> dict[str, Any]:
    """The trace as a JSON object; events by time, outer slices before what they hold.

    about: kept as `otherData`, e.g. the trace and the policy.
    """
    events = [_stay(s) for s in run.stays]
    events += [_away(p, start, end) for p, start, end in absences(run)]
    events += [_instant(m) for m in run.marks]
    for time_us, fast, slow, finished in run.used:
        events.append(_counter(FAST, time_us, "used tokens", fast))
        events.append(_counter(SLOW, time_us, "used tokens", slow))
        events.append(_counter(AWAY, time_us, "held for finished sessions", finished))
    events.sort(key=lambda e: (e["ts"], -e.get("dur", 0), e["pid"], e["tid"]))
    threads = sorted({(e["pid"], e["tid"]) for e in events if e["ph"] in "Xi"})
    return {
        "traceEvents": [*_metadata(threads), *events],
        "displayTimeUnit": "ms",
        "otherData": about or {},
    }


def absences(run: Timeline) -> list[tuple[Phase, int, int]]:
    """(phase, start_us, end_us) of every part of a phase that its session was not resident."""
    held: dict[int, list[Stay]] = {}
    for s in run.stays:
        held.setdefault(s.session, []).append(s)
    out = []
    first = dict.fromkeys(held, 0)
    for p in run.phases:
        if p.state == "finished":
            continue
        stays = held.get(p.session, [])
        at, n = p.start_us, first.get(p.session, 0)
        # Both lists are in time order: what ended before this phase is of no use to the next.
        while n < len(stays) and stays[n].end_us <= at:
            n += 1
        first[p.session] = n
        for s in stays[n:]:
            if s.start_us >= p.end_us:
                break
            if s.start_us > at:
                out.append((p, at, s.start_us))
            at = max(at, s.end_us)
        if at < p.end_us:
            out.append((p, at, p.end_us))
    return out


def _stay(s: Stay) -> dict[str, Any]:
    return {
        "name": f"session {s.session}",
        "cat": "resident",
        "ph": "X",
        "ts": s.start_us,
        "dur": s.end_us - s.start_us,
        "pid": _PID[s.tier],
        "tid": s.slot + 1,
        "args": {
            "session": s.session,
            "tokens": s.steps[0][1],
            "tokens at the end": s.steps[-1][1],
            "ended": str(s.ended),
        },
    }


def _away(p: Phase, start: int, end: int) -> dict[str, Any]:
    return {
        "name": f"session {p.session}: {p.state}",
        "cat": "not resident",
        "ph": "X",
        "ts": start,
        "dur": end - start,
        "pid": AWAY,
        "tid": p.slot + 1,
        "args": {"session": p.session, "state": p.state},
    }


def _instant(m: Mark) -> dict[str, Any]:
    args = {"session": m.session, "tokens": m.tokens}
    if m.kind in ("evict", "bypass"):
        args["returns after, s"] = (
            None if m.returns_us is None else (m.returns_us - m.time_us) / 1e6
        )
    return {
        "name": m.kind,
        "cat": "decision" if m.kind not in ("miss", "cold") else "request",
        "ph": "i",
        "s": "t",
        "ts": m.time_us,
        "pid": _PID[m.tier],
        "tid": m.slot + 1,
        "args": args,
    }


def _counter(pid: int, time_us: int, name: str, value: int) -> dict[str, Any]:
    return {
        "name": name,
        "ph": "C",
        "ts": time_us,
        "pid": pid,
        "tid": 0,
        "args": {"tokens": value},
    }


def _metadata(threads: list[tuple[int, int]]) -> list[dict[str, Any]]:
    def meta(kind: str, pid: int, tid: int, **args: Any) -> dict[str, Any]:
        return {"name": kind, "ph": "M", "ts": 0, "pid": pid, "tid": tid, "args": args}

    out = []
    for pid, name in _NAMES.items():
        out.append(meta("process_name", pid, 0, name=name))
        out.append(meta("process_sort_index", pid, 0, sort_index=pid))
    for pid, tid in threads:
        out.append(meta("thread_name", pid, tid, name=f"slot {tid - 1}"))
        out.append(meta("thread_sort_index", pid, tid, sort_index=tid))
    return out
