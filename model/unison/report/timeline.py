"""Who was resident where, and when: intervals rebuilt from a kept run.

Records tell who came, left and moved; the scenario's events tell sizes (a session that grows
where it sits writes no record) and when it ended. Both are walked together, and everything the
accounts must obey is checked on the way, so a timeline that exists is a true one.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from unison.contract import EventCode, Outcome, RecordKind, SlotState, Tier
from unison.contract.widths import BW_F, TICKS_PER_MS
from unison.report.intervals import Ended, Mark, Phase, Stay, Timeline
from unison.sim.scenario import Scenario
from unison.sim.simulate import Run

_REQ, _OPEN, _CLOSE, _DONE = (int(c) for c in tuple(EventCode)[:4])
_EVICT, _BYPASS, _PLACE = int(RecordKind.EVICT), int(RecordKind.BYPASS), int(RecordKind.PLACE)
_OUTCOME = int(RecordKind.OUTCOME)
_MOVES = {int(RecordKind.PROMOTE), int(RecordKind.DEMOTE)}
_LEGAL = {
    _REQ: {SlotState.FREE, SlotState.GAP, SlotState.READY},
    _OPEN: {SlotState.ACTIVE},
    _CLOSE: {SlotState.GAP},
    _DONE: {SlotState.ACTIVE, SlotState.GAP, SlotState.READY},
}


def timeline(scenario: Scenario, run: Run) -> Timeline:
    """The intervals of a run made with `keep=True`.

    ValueError: a run without records, or records that are not this scenario's.
    """
    if run.records is None:
        raise ValueError("timeline: got a run without records, expected one with keep=True")
    return _Walk(scenario).over(scenario.rows, run.records)


class _Walk:
    """The walk over events and records."""

    def __init__(self, scenario: Scenario) -> None:
        e = scenario.envelope
        self.bw = e.dma_bw_q8
        self.out = Timeline((e.sram.tokens, e.hbm.tokens))
        self.used = [0, 0, 0]
        self.idle = 0
        self.stay: dict[int, Stay] = {}
        self.phase: dict[int, Phase] = {}
        self.state: dict[int, SlotState] = {}
        self.returns: dict[int, int | None] = {}
        self.now = 0

    def over(self, rows: np.ndarray, records: np.ndarray) -> Timeline:
        groups = _groups(records)
        pending = next(groups, None)
        seq, due = 0, None
        if len(rows):
            self.out.start_us, self.out.end_us = int(rows[0]["time_us"]), int(rows[-1]["time_us"])
        for code, slot, tokens, _, session, _, time_us, next_us in rows.tolist():
            ts = time_us * TICKS_PER_MS // 1000
            if due is not None and due <= ts:
                seq, due = seq + 1, None
            group: Sequence[tuple] = ()
            if pending is not None and pending[0] == seq:
                group, pending = pending[1], next(groups, None)
            self.now = time_us
            moved = self._event(code, slot, tokens, session, next_us, group)
            if moved:
                due = ts + max(1, -((-(moved << BW_F)) // self.bw))
            self._account()
            seq += 1
        if pending is not None:
            raise ValueError(f"records: got event {pending[0]}, which the scenario does not have")
        for slot in list(self.stay):
            self._leave(slot, Ended.OPEN)
        for slot in list(self.phase):
            self._enter(slot, -1, None)
        self.out.stays.sort(key=lambda s: (s.start_us, s.slot, s.end_us))
        self.out.phases.sort(key=lambda p: (p.start_us, p.slot, p.end_us))
        return self.out

    def _event(
        self, code: int, slot: int, tokens: int, session: int, next_us: int, group: Sequence[tuple]
    ) -> int:
        """One event with its records; returns the tokens that began to migrate."""
        if self.state.get(slot, SlotState.FREE) not in _LEGAL[code]:
            return 0
        returns = None if next_us < 0 else next_us
        self.returns[slot] = returns
        tier: int | None = None
        for record in group:
            kind, info, who, where, size = record[2:7]
            if kind == _EVICT:
                self._evict(who, where, size)
            elif kind == _BYPASS:
                tier = Tier.NONE
            elif kind == _PLACE:
                tier = where
            elif kind == _OUTCOME and info in (Outcome.MISS, Outcome.COLD):
                name = "miss" if info == Outcome.MISS else "cold"
                self._mark(name, session, slot, Tier.NONE, size)
        if code in (_REQ, _OPEN):
            self._hold(slot, session, tokens, tier)
        if code == _REQ:
            self._enter(slot, session, "active")
            self.state[slot] = SlotState.ACTIVE
        elif code == _OPEN:
            self._enter(slot, session, "gap" if returns is not None else "finished")
            self.state[slot] = SlotState.GAP
        elif code == _CLOSE:
            self._enter(slot, session, "ready")
            self.state[slot] = SlotState.READY
        else:
            self._leave(slot, Ended.DONE)
            self._enter(slot, session, None)
            self.state[slot] = SlotState.FREE
        return sum(self._move(*record[2:7]) for record in group if record[2] in _MOVES)

    def _hold(self, slot: int, session: int, tokens: int, tier: int | None) -> None:
        """The session holds `tokens`: in `tier` (NONE: bypassed), or where it is (None)."""
        stay = self.stay.get(slot)
        if tier is None:
            if stay is not None:
                self._resize(stay, tokens)
        elif tier == Tier.NONE:
            self._leave(slot, Ended.BYPASSED)
            self._mark("bypass", session, slot, Tier.NONE, tokens, self.returns[slot])
        else:
            self._leave(slot, Ended.MOVED)
            self._come(slot, session, Tier(tier), tokens)

    def _evict(self, slot: int, tier: int, tokens: int) -> None:
        stay = self._resident(slot, "EVICT")
        if stay.tier != tier:
            raise ValueError(
                f"records: EVICT of slot {slot} from tier {tier}, it is in {stay.tier}"
            )
        self._mark("evict", stay.session, slot, stay.tier, tokens, self.returns[slot])
        held = stay.steps[-1][1]
        if tokens < held:  # only its tail
            self._resize(stay, held - tokens)
        else:
            self._leave(slot, Ended.EVICTED)

    def _move(self, kind: int, _info: int, slot: int, tier: int, tokens: int) -> int:
        stay = self._resident(slot, RecordKind(kind).name)
        if tokens != stay.steps[-1][1]:
            raise ValueError(
                f"records: slot {slot} moves {tokens} tokens, it holds {stay.steps[-1][1]}"
            )
        self._leave(slot, Ended.MOVED)
        self._come(slot, stay.session, Tier(tier), tokens)
        self._mark(RecordKind(kind).name.lower(), stay.session, slot, Tier(tier), tokens)
        return tokens

    def _resident(self, slot: int, what: str) -> Stay:
        if slot not in self.stay:
            raise ValueError(f"records: {what} of slot {slot}, which is in no tier")
        return self.stay[slot]

    def _come(self, slot: int, session: int, tier: Tier, tokens: int) -> None:
        self.stay[slot] = Stay(session, slot, tier, self.now, [(self.now, tokens)])
        self._book(slot, tier, tokens)

    def _leave(self, slot: int, how: Ended) -> None:
        stay = self.stay.pop(slot, None)
        if stay is not None:
            stay.end_us, stay.ended = self.now, how
            self._book(slot, stay.tier, -stay.steps[-1][1])
            self.out.stays.append(stay)

    def _resize(self, stay: Stay, tokens: int) -> None:
        change = tokens - stay.steps[-1][1]
        if change:
            if stay.steps[-1][0] == self.now:
                stay.steps.pop()
            stay.steps.append((self.now, tokens))
            self._book(stay.slot, stay.tier, change)

    def _book(self, slot: int, tier: Tier, change: int) -> None:
        self.used[tier] += change
        if slot in self.phase and self.phase[slot].state == "finished":
            self.idle += change

    def _enter(self, slot: int, session: int, state: str | None) -> None:
        """Begin a phase, or end the last one."""
        old = self.phase.pop(slot, None)
        held = self.stay[slot].steps[-1][1] if slot in self.stay else 0
        if old is not None:
            old.end_us = self.now
            if old.end_us > old.start_us:
                self.out.phases.append(old)
            self.idle -= held if old.state == "finished" else 0
        if state is not None:
            self.phase[slot] = Phase(session, slot, state, self.now)
            self.idle += held if state == "finished" else 0

    def _mark(
        self, kind: str, session: int, slot: int, tier: Tier, tokens: int, back: int | None = None
    ) -> None:
        self.out.marks.append(Mark(self.now, kind, session, slot, tier, tokens, back))

    def _account(self) -> None:
        fast, slow = self.used[Tier.SRAM], self.used[Tier.HBM]
        if not (0 <= fast <= self.out.capacity[0] and 0 <= slow <= self.out.capacity[1]):
            raise ValueError(
                f"records: at {self.now} us the tiers hold {fast} and {slow} tokens, "
                f"expected at most {self.out.capacity[0]} and {self.out.capacity[1]}"
            )
        row = (self.now, fast, slow, self.idle)
        used = self.out.used
        if used and used[-1][0] == self.now:
            used[-1] = row
        elif not used or used[-1][1:] != row[1:]:
            used.append(row)


def _groups(records: np.ndarray) -> Iterator[tuple[int, list[tuple]]]:
    """Records of each event: (event number, rows)."""
    group: list[tuple] = []
    for row in records.tolist():
        if group and group[0][0] != row[0]:
            yield group[0][0], group
            group = []
        group.append(row)
    if group:
        yield group[0][0], group


__all__ = ["Ended", "Mark", "Phase", "Stay", "Timeline", "timeline"]
