"""Samples for functional coverage: what happened, as short tuples that are only counted here.

The cover points and crosses over them are declared in `tb/coverage/model.py`, and sampled once the
run is over: in the simulator a sample costs a tuple and a count.
"""

import json
from collections import Counter
from pathlib import Path

from tb.register_oracle import MAPPED, lanes
from tb.settings import DEC_DEPTH, EV_DEPTH, Settings
from tb.uvm.items import FULL_STROBE, Transfer
from tb.uvm.scoreboard import ports
from tb.uvm.scoreboard.decisions import APB
from unison.contract import (
    Cause,
    CoreEvent,
    EventCode,
    Outcome,
    Record,
    RecordKind,
    SlotState,
    Tier,
    mask,
)
from unison.contract.records import is_known
from unison.contract.registers import REGISTERS, address
from unison.contract.widths import QUOTIENT_W, SCORE_W, TIME_W, WEIGHT_CENTRE
from unison.core import EventCore, Slot
from unison.scoring import Form, raw_key, turn_index

_CODE = {c.value: c.name for c in EventCode}
_CAUSE = {c.value: c.name for c in Cause}
_OUTCOME = {o.value: o.name for o in Outcome}
_KIND = {k: k.name for k in RecordKind}
_STATE = {s: s.name for s in SlotState}
_TIER = {t: t.name for t in Tier}
_SIZED = (EventCode.REQ, EventCode.GAP_OPEN)
_TIMED = (EventCode.REQ, EventCode.GAP_CLOSE)
_STATUS, _PUSH, _POP = address("STATUS"), address("EV_PUSH"), address("DEC_POP")
#: Interrupt registers: ones in bits that they do not have are ignored.
_LENIENT = {address(r.name): r for r in REGISTERS if r.ignores_beyond}
#: What each field of a sample stands for, by group.
FIELDS = {
    "config": ("form", "slots", "tok_w", "tide", "stamps"),
    "event": (
        "code", "state", "answer", "cause", "flight", "move", "kinds", "victims", "emptied",
        "step", "size", "tokens", "turn", "source",
    ),
    "choice": ("state", "tier", "eligible", "tie", "candidates"),
    "tide": ("end", "own", "spear", "tie_p", "tie_q"),
    "score": ("form", "state", "bin", "turn", "octave", "saturated"),
    "gap": ("shift", "first", "octave", "moves"),
    "levels": ("events", "records", "busy", "outstanding"),
    "refused": ("why", "locked"),
    "absent": ("register", "answer"),
    "port": ("apb", "room", "sideband", "case"),
}  # fmt: skip


def _level(level: int, depth: int) -> str:
    return "EMPTY" if not level else "FULL" if level == depth else "SOME"


def _several(n: int) -> str:
    return str(n) if n < 3 else "3+"


class Sampler:
    """`samples`: how often each (group, *fields) was seen.

    before: just before the golden core takes an event; after: when the event's passes are in.
    """

    def __init__(self) -> None:
        self.samples: Counter[tuple] = Counter()
        self.form = ""
        self._packed: dict[int, int] = {}
        self._last_ts: int | None = None
        self.golden: EventCore | None = None

    def start(self, golden: EventCore, settings: Settings, stamped: bool) -> None:
        """A run begins."""
        self.golden, self.scorer = golden, golden.scorer
        self._settings, self._stamped = settings, stamped
        self._last_ts = None
        self.configured()

    def configured(self) -> None:
        """The golden core's configuration or scorer is another one from here on."""
        if self.golden is None:
            return
        golden, settings = self.golden, self._settings
        if self._packed:
            self._unpack()
        self.scorer = golden.scorer
        self.form = self.scorer.form.name
        self._top = mask(SCORE_W if self.scorer.form is Form.PRODUCT else QUOTIENT_W)
        tide = "ON" if golden.config.tide else "OFF"
        stamps = "CORE" if self._stamped else "EVENT"
        self.samples["config", self.form, settings.slots, settings.tok_w, tide, stamps] += 1

    def bus(self, t: Transfer) -> None:
        """A transfer has completed: FIFO levels, and what was refused."""
        if t.address == _STATUS and not t.write and t.data is not None:
            word = t.data
            self.samples[
                "levels",
                _level(word & 0xFF, EV_DEPTH),
                _level(word >> 8 & 0xFF, DEC_DEPTH),
                word >> 16 & 1,
                word >> 17 & 1,
            ] += 1
        elif t.error:
            self._refused(t)
        elif t.write and t.address in _LENIENT:
            self._lenient(t)

    def _lenient(self, t: Transfer) -> None:
        reg = _LENIENT[t.address]
        if t.data & lanes(t.strobe) & ~reg.bits:
            self.samples["absent", reg.name, "IGNORED"] += 1

    def _refused(self, t: Transfer) -> None:
        reg, _ = MAPPED.get(t.address, (None, 0))
        locked = "NA"
        if reg is None:
            why = "UNALIGNED" if t.address & 3 else "UNMAPPED"
        elif not t.write:
            why = "NO_RECORD" if t.address == _POP else "WRITE_ONLY"
        elif t.address == _PUSH:
            why = "FULL" if t.strobe == FULL_STROBE else "STROBE"
        elif not reg.writable:
            why = "READ_ONLY"
        elif t.data & lanes(t.strobe) & ~reg.bits:
            why = "ABSENT_BITS"
            self.samples["absent", reg.name, "REFUSED"] += 1
        else:
            # An event waits, or a capacity would fall below what is used.
            why, locked = "LOCKED", reg.name
        self.samples["refused", why, locked] += 1

    def ports(self, counts: list[int]) -> None:
        """What the ports did, as tb/hdl/port_watch.sv has counted it."""
        for sample, count in ports.samples(counts):
            self.samples[sample] += count

    def before(self, event: CoreEvent, slot: Slot | None, source: str = APB) -> None:
        """The golden core is about to take `event`; `slot`: a copy of its slot."""
        self._event, self._slot, self._source = event, slot, source

    def after(self, records: list[Record], keys: dict[int, int] | None) -> None:
        """The event is over; keys: of its first ranking pass."""
        event, slot, golden = self._event, self._slot, self.golden
        if golden is None:
            return
        if records and records[0].kind == RecordKind.ERROR:
            self._sample_event(records, event, slot, _CAUSE[records[0].info])
            return
        self._sample_event(records, event, slot, "NONE")
        self._last_ts = event.ts & mask(TIME_W)
        if event.code in _TIMED and slot.state == SlotState.GAP:
            self._sample_gap(event, slot)
        if golden.choices and keys is not None:
            self._sample_choices(records, keys)
        if golden.tide is not None:
            self._sample_tide(event.slot, records, keys or {})
        if keys:
            self._sample_scores(event, keys)

    def _sample_event(
        self, records: list[Record], event: CoreEvent, slot: Slot | None, cause: str
    ) -> None:
        code = _CODE.get(event.code, "UNKNOWN")
        sized = event.code in _SIZED
        state = flight = move = size = turn = "NA"
        if code not in ("UNKNOWN", "MIG_DONE"):
            state = "NO_SLOT" if slot is None else _STATE[slot.state]
            flight = int(slot is not None and slot.in_flight)
            if slot is not None and sized and cause == "NONE":
                move = f"{_TIER[slot.tier]}>{_TIER[self.golden.slots[event.slot].tier]}"
                turn = "TOP" if slot.k == 255 else "BELOW"
                if slot.tier != Tier.NONE:
                    size = (slot.tokens < event.tokens) - (slot.tokens > event.tokens)
                    size = ("SAME", "GROWS", "SHRINKS")[size]
        answer, kinds, emptied, victims = "ACCEPTED", set(), set(), 0
        if cause != "NONE":
            answer = "ERROR"
        else:
            for r in records:
                if r.kind == RecordKind.OUTCOME:
                    answer = _OUTCOME[r.info]
                    continue
                kinds.add(_KIND[r.kind])
                if r.kind == RecordKind.EVICT:
                    victims += 1
                    emptied.add(_TIER[r.tier])
        self.samples[
            "event", code, state, answer, cause, flight, move, "+".join(sorted(kinds)) or "NONE",
            _several(victims), "+".join(sorted(emptied)) or "NONE", self._step(event, cause),
            size, self._tokens(event.tokens) if sized else "NA", turn, self._source,
        ] += 1  # fmt: skip

    def _step(self, event: CoreEvent, cause: str) -> str:
        if not is_known(event.code) or cause == "BAD_SLOT":
            return "NA"
        if self._last_ts is None:
            return "FIRST"
        now = event.ts & mask(TIME_W)
        step = (now - self._last_ts) & mask(TIME_W)
        if step >> (TIME_W - 1):
            return "BACK"
        if step < 2:
            return ("ZERO", "ONE")[step]
        return "WRAPS" if now < self._last_ts else "ON"

    def _tokens(self, tokens: int) -> str:
        top = mask(self.golden.config.tok_w)
        if tokens < 2:
            return ("ZERO", "ONE")[tokens]
        return "OVER" if tokens > top else "TOP" if tokens == top else "SOME"

    def _sample_gap(self, event: CoreEvent, slot: Slot) -> None:
        scorer, now = self.scorer, self.golden.slots[event.slot]
        gap = scorer.elapsed(scorer.stamp(event), slot.t_on)
        moves = ("STAYS", "RISES", "FALLS")[(slot.ghat < now.ghat) - (slot.ghat > now.ghat)]
        octave = min(gap.bit_length(), 25)
        first = "LATER" if slot.seen else "FIRST"
        self.samples["gap", scorer.ema_shift, first, octave, moves] += 1

    def _sample_choices(self, records: list[Record], keys: dict[int, int]) -> None:
        slots = self.golden.slots
        victims = [r for r in records if r.kind == RecordKind.EVICT]
        tiers = {r.slot: r.tier.name for r in victims}
        for options, victim in zip(self.golden.choices, victims, strict=True):
            key = keys[victim.slot]
            same = sum(keys[i] == key for i in options)
            seen = {tiers.get(i) or slots[i].tier.name for i in options}
            # A promoted slot was in the other tier when the victim was chosen.
            if self.golden.tide is not None and records[-1].kind == RecordKind.PROMOTE:
                seen |= {"HBM"} if records[-1].slot in options else set()
            self.samples[
                "choice",
                "GAP" if key >> SCORE_W else "READY",
                victim.tier.name,
                "+".join(sorted(seen)),
                "TIE" if same > 1 else "ALONE",
                _several(len(options)),
            ] += 1

    def _sample_tide(self, own: int, records: list[Record], keys: dict[int, int]) -> None:
        note = self.golden.tide
        spear = int(any(r.kind == RecordKind.EVICT for r in records))
        mine = "P" if note.p == own else "Q" if note.q == own else "OTHER"
        # The event's own slot is no candidate of the pass: its key is the golden core's.
        mine_key = raw_key(self.golden.key(own)) if note.p is not None else 0
        get, ties = keys.get, []
        for chosen, options in ((note.p, note.fits), (note.q, note.tops)):
            if chosen is None:
                ties.append("NA")
                continue
            key = get(chosen, mine_key)
            same = [get(i, mine_key) for i in options].count(key)
            ties.append("TIE" if same > 1 else "ALONE")
        where = mine if note.p is not None else "NA"
        self.samples["tide", note.end.name, where, spear, *ties] += 1

    def _sample_scores(self, event: CoreEvent, keys: dict[int, int]) -> None:
        """The costliest sample, one a key: packed into a number, unpacked by `_unpack`."""
        slots, packed = self.golden.slots, self._packed
        now, top = self.scorer.stamp(event), self._top | 1 << SCORE_W
        for i, key in keys.items():
            if key >> SCORE_W:
                s = slots[i]
                octave = (s.ghat | 1).bit_length()
                b = (((now - s.t_on) & 0xFFFFFFFF) | 1).bit_length() - octave + WEIGHT_CENTRE
                b = 0 if b < 0 else 15 if b > 15 else b
                code = (key == top) << 17 | s.k << 9 | octave << 4 | b
            else:
                code = -1
            packed[code] = packed.get(code, 0) + 1

    def _unpack(self) -> None:
        for code, count in self._packed.items():
            fields: tuple = ("READY", "NA", "NA", "NA", "NA")
            if code >= 0:
                b = "NA" if self.scorer.form.by_hazard else code & 15
                fields = ("GAP", b, turn_index(code >> 9 & 255), (code >> 4 & 31) - 1, code >> 17)
            self.samples["score", self.form, *fields] += count
        self._packed.clear()

    def save(self, path: Path) -> None:
        """Write `[group, field, ..., count]` rows."""
        self._unpack()
        rows = [[*key, n] for key, n in self.samples.items()]
        path.write_text(json.dumps(rows) + "\n")
