"""A line of the picture for every session: sessions that do not meet share one."""

import heapq
from collections.abc import Sequence

from unison.report.timeline import Timeline


def lanes(runs: Sequence[Timeline]) -> dict[int, int]:
    """Lane by session, the same in all `runs` of one event stream; lanes count from 0.

    A session needs its lane from its first request to its last decode, and as long as any run
    keeps it resident. Finished and gone, it leaves the lane to the next one.
    """
    spans: dict[int, tuple[int, int]] = {}

    def stretch(session: int, start: int, end: int) -> None:
        low, high = spans.get(session, (start, end))
        spans[session] = min(low, start), max(high, end)

    for run in runs:
        for p in run.phases:
            if p.state != "finished":
                stretch(p.session, p.start_us, p.end_us)
        for s in run.stays:
            stretch(s.session, s.start_us, s.end_us)
        # A session that is bypassed and ends at once has an instant, but no interval.
        for m in run.marks:
            stretch(m.session, m.time_us, m.time_us)
    found: dict[int, int] = {}
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    for session, (start, end) in sorted(spans.items(), key=lambda item: (item[1], item[0])):
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        found[session] = lane
        heapq.heappush(busy, (max(end, start + 1), lane))
    return found


def telling_window(runs: Sequence[Timeline], evictions: int = 45) -> tuple[int, int]:
    """The stretch, microseconds, where the last of `runs` throws away most beyond the first.

    Thrown away: evicted, and asked for again later. Its length is that in which about
    `evictions` evictions of the last run fall; the whole run when it has fewer.
    """
    first, last = runs[0], runs[-1]
    total = last.count("evict")
    span = last.end_us - last.start_us
    if total <= evictions or span <= 0:
        return last.start_us, max(last.end_us, last.start_us + 1)
    length = max(1, span * evictions // total)
    steps = 200
    best, best_at = None, last.start_us
    lost = [[m.time_us for m in run.thrown_away()] for run in (first, last)]
    for n in range(steps + 1):
        at = last.start_us + (span - length) * n // steps
        ours, theirs = (sum(at <= t < at + length for t in times) for times in lost)
        gain = theirs - ours if first is not last else theirs
        if best is None or gain > best:
            best, best_at = gain, at
    return best_at, best_at + length
