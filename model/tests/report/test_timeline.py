"""Intervals against the simulator's own state, and the rules they obey."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.report.runs import kept, scenario
from unison.contract import Outcome, RecordKind, Tier
from unison.policies import placing, policy
from unison.report.lanes import lanes, telling_window
from unison.report.perfetto import absences
from unison.report.timeline import Ended, timeline
from unison.sim.simulate import Run, _Simulator

RUNS = [
    ("spear", "tide", "whole", "cloud"),
    ("lru", "none", "whole", "cloud"),
    ("spear", "hint", "whole", "cloud"),
    ("spear", "tide", "trim", "cloud"),
    ("spear-hw", "tide", "whole", "edge-tight"),
]


def sums(run):
    """Resident tokens by instant and tier, from the intervals: {time_us: (fast, slow)}."""
    changes = {}
    for s in run.stays:
        points = [*s.steps, (s.end_us, 0)]
        before = 0
        for at, tokens in points:
            changes.setdefault(at, [0, 0])[s.tier - 1] += tokens - before
            before = tokens
    # What is open is still held at the end.
    for s in run.stays:
        if s.ended == Ended.OPEN:
            changes[s.end_us][s.tier - 1] += s.steps[-1][1]
    total, out = [0, 0], {}
    for at in sorted(changes):
        total = [a + b for a, b in zip(total, changes[at], strict=True)]
        out[at] = tuple(total)
    return out


@pytest.mark.parametrize("which", RUNS, ids="-".join)
def test_sum_of_residents_is_the_simulators_account_at_every_event(which):
    evict, place, residency, envelope = which
    point, (_, run) = scenario(envelope), kept(*which)
    simulator = _Simulator(point, policy(evict), placing(place), residency == "trim", False)
    held = {}

    def one_by_one():
        for n in range(len(point.rows)):
            yield point.rows[n : n + 1]
            slots = simulator.pool.slots
            by_tier = (int(slots["kept"][slots["tier"] == t].sum()) for t in (Tier.SRAM, Tier.HBM))
            held[int(point.rows[n]["time_us"])] = tuple(by_tier)

    simulator.run(one_by_one())
    ours, at, used = sums(run), (0, 0), {u[0]: u[1:3] for u in run.used}
    level = (0, 0)
    for time_us in sorted(held):
        at, level = ours.get(time_us, at), used.get(time_us, level)
        assert at == held[time_us] == level, time_us
        assert at[0] <= run.capacity[0]
        assert at[1] <= run.capacity[1]
    assert set(ours) <= set(held)


@pytest.mark.parametrize("which", RUNS, ids="-".join)
def test_intervals_do_not_overlap_and_say_how_they_ended(which):
    run, lines = kept(*which)
    by_session, by_slot = {}, {}
    for s in lines.stays:
        assert s.end_us >= s.start_us
        assert s.steps[0][0] == s.start_us
        assert all(a < b for (a, _), (b, _) in pairwise(s.steps))
        assert all(tokens > 0 for _, tokens in s.steps)
        by_session.setdefault(s.session, []).append(s)
        by_slot.setdefault(s.slot, []).append(s)
    for stays in (*by_session.values(), *by_slot.values()):
        assert all(a.end_us <= b.start_us for a, b in pairwise(stays))
    for stays in by_session.values():
        for a, b in pairwise(stays):
            if a.ended == Ended.MOVED:
                assert a.end_us == b.start_us
                assert a.tier != b.tier
            assert a.ended not in (Ended.DONE, Ended.OPEN)
    kinds = run.records["kind"]
    count = {k: int((kinds == k).sum()) for k in RecordKind}
    for kind in ("evict", "bypass", "promote", "demote"):
        assert lines.count(kind) == count[RecordKind[kind.upper()]]
    misses = (kinds == RecordKind.OUTCOME) & (run.records["info"] == Outcome.MISS)
    assert lines.count("miss") == misses.sum() == run.totals.outcomes["MISS"]
    if which[2] == "whole":
        assert sum(s.ended == Ended.EVICTED for s in lines.stays) == count[RecordKind.EVICT]


def test_every_miss_was_thrown_away_or_had_no_room():
    _, run = kept()
    gone = {(m.session, m.returns_us) for m in run.marks if m.kind in ("evict", "bypass")}
    assert all((m.session, m.time_us) in gone for m in run.marks if m.kind == "miss")
    assert len(run.thrown_away()) <= run.count("miss")


def test_phases_and_absences_cover_the_life_of_a_session():
    _, run = kept()
    of = {}
    for p in run.phases:
        assert p.end_us > p.start_us
        of.setdefault(p.session, []).append(p)
    assert set(of) == {s.id for s in scenario().trace.sessions}
    for phases in of.values():
        assert all(a.end_us == b.start_us for a, b in pairwise(phases))
        assert phases[0].state == "active"
        assert [p.state for p in phases].count("finished") <= 1
    alive = sum(p.end_us - p.start_us for p in run.phases if p.state != "finished")
    away = sum(end - start for _, start, end in absences(run))
    over = {p.session: p.start_us for p in run.phases if p.state == "finished"}
    held = sum(max(0, min(s.end_us, over.get(s.session, s.end_us)) - s.start_us) for s in run.stays)
    assert alive == away + held


def test_window_cuts_and_keeps_sums():
    _, run = kept()
    start, end = 1_000_000_000, 1_300_000_000
    part = run.clipped(start, end)
    assert all(start <= s.start_us <= s.end_us <= end for s in part.stays)
    assert all(start <= m.time_us <= end for m in part.marks)
    whole, cut = sums(run), sums(part)
    inside = [t for t in cut if start < t < end]
    assert len(inside) > 20
    assert all(cut[t] == whole[t] for t in inside)
    assert part.used[0][0] == start
    assert run.clipped(run.start_us, run.end_us).count("evict") == run.count("evict")
    for a, b in ((5, 5), (9, 3), (run.end_us + 1, run.end_us + 2)):
        with pytest.raises(ValueError, match="window: got"):
            run.clipped(a, b)


def test_foreign_records_are_refused():
    point, (run, _) = scenario(), kept()
    with pytest.raises(ValueError, match="keep=True"):
        timeline(point, Run(run.totals))
    late = np.concatenate((run.records, run.records[-1:]))
    late["seq"][-1] += 10**6
    with pytest.raises(ValueError, match="records: got event"):
        timeline(point, replace(run, records=late))
    with pytest.raises(ValueError, match="records: "):
        timeline(scenario("edge-tight"), run)
    missing = run.records[run.records["kind"] != RecordKind.EVICT]
    with pytest.raises(ValueError, match="records: at "):
        timeline(point, replace(run, records=missing))


def test_an_empty_run():
    point = scenario()
    _ = point.rows  # computed once, then replaced on a copy
    empty = replace(point)
    empty.__dict__["rows"] = point.rows[:0]
    run, _ = kept()
    lines = timeline(empty, replace(run, records=run.records[:0]))
    assert (lines.stays, lines.phases, lines.marks, lines.used) == ([], [], [], [])
    assert lanes([lines]) == {}
    assert telling_window([lines]) == (0, 1)


def test_lanes_hold_one_session_at_a_time_and_the_window_tells():
    ours, lru = kept()[1], kept("lru", "none")[1]
    lane = lanes([ours, lru])
    assert set(lane) == {s.id for s in scenario().trace.sessions}
    for run in (ours, lru):
        busy = {}
        for s in run.stays:
            busy.setdefault(lane[s.session], []).append((s.start_us, s.end_us, s.session))
        for spans in busy.values():
            spans.sort()
            assert all(a[1] <= b[0] or a[2] == b[2] for a, b in pairwise(spans))
    start, end = telling_window([ours, lru])
    assert lru.start_us <= start < end <= lru.end_us
    gone = [len(r.clipped(start, end).thrown_away()) for r in (ours, lru)]
    assert gone[1] > gone[0]
    assert isinstance(np.int64(start).item(), int)
