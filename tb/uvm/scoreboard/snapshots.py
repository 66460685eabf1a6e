"""Fidelity: at each eviction, the RTL's own ranking of the candidates against float64's."""

from unison.contract import Record, RecordKind, Tier
from unison.core import EventCore
from unison.core.fidelity import FloatShadow
from unison.metrics import Fidelity
from unison.scoring import raw_key


class Snapshots:
    """Judges the RTL's ranking passes; `fidelity` holds the means.

    golden: the integer core, stepped by the caller; shadow: float64 of the same events.
    key_checks: keys compared. unseen: evictions for which no pass was seen.
    """

    def __init__(self, golden: EventCore, shadow: FloatShadow) -> None:
        self.golden, self.shadow = golden, shadow
        self.fidelity = Fidelity()
        self.key_checks = self.unseen = 0

    def check(
        self, own: int, records: list[Record], keys: dict[int, int], first: bool
    ) -> str | None:
        """What is wrong with a pass that ranked `keys` in the event that yielded `records`.

        Call after the golden core took the event: keys rest on states and times, which its
        evictions and migrations do not change. own: the event's slot, never a candidate.
        first: the event's first pass, which ranks all candidates there were.
        """
        # A pass begun for an event that proves illegal may end while its ERROR waits for room;
        # nothing reads it, and its time is not the golden core's.
        if records and records[0].kind == RecordKind.ERROR:
            return None
        for slot, got in keys.items():
            want = raw_key(self.golden.key(slot))
            self.key_checks += 1
            if got != want:
                return f"key of slot {slot}: got {got:#x}, expected {want:#x}"
        left = {RecordKind.EVICT, RecordKind.PROMOTE, RecordKind.DEMOTE}
        want_set = {i for t in (Tier.SRAM, Tier.HBM) for i in self.golden.candidates(t)}
        want_set = (want_set | {r.slot for r in records if r.kind in left}) - {own}
        if first and set(keys) != want_set:
            return (
                f"candidates: got {sorted(keys)}, expected {sorted(want_set)} "
                f"(missing {sorted(want_set - set(keys))}, extra {sorted(set(keys) - want_set)})"
            )
        return None

    def take(self, keys: dict[int, int] | None) -> None:
        """Compare the rankings at each eviction of the event that the golden core just took.

        keys: the RTL's own, by candidate, of the event's first pass; None: there was none.
        """
        for candidates in self.golden.choices:
            if keys is None:
                self.unseen += 1
                continue
            got = {slot: keys[slot] for slot in candidates}
            self.fidelity.add(got, self.shadow.keys(candidates))
