"""Functional coverage: event types crossed with what the core answered."""

from collections import Counter

from unison.contract import Cause, CoreEvent, EventCode, Outcome, Record, RecordKind, Tier

_RESIDENT = ("SRAM", "HBM")


def _bins() -> list[tuple[str, str]]:
    spear = [f"EVICT {t}" for t in _RESIDENT] + ["EVICT twice or more", "BYPASS"]
    spear += [f"PLACE {t}" for t in _RESIDENT]
    found = [("REQ", o.name) for o in Outcome]
    found += [("REQ", name) for name in spear]
    found += [("GAP_OPEN", name) for name in (*spear, "PROMOTE", "DEMOTE and PROMOTE", "nothing")]
    found += [(code, "nothing") for code in ("GAP_CLOSE", "DONE", "MIG_DONE")]
    found += [("any event", f"ERROR {c.name}") for c in Cause]
    return found


class Coverage:
    """Counts bins event type x outcome, decision kind or fault cause."""

    BINS = _bins()

    def __init__(self) -> None:
        self.hits: Counter[tuple[str, str]] = Counter()

    def sample(self, event: CoreEvent, records: list[Record]) -> None:
        """One event and all its records."""
        if records and records[0].kind == RecordKind.ERROR:
            self.hits["any event", f"ERROR {Cause(records[0].info).name}"] += 1
            return
        code = EventCode(event.code).name
        kinds = [r.kind for r in records]
        if not records:
            self.hits[code, "nothing"] += 1
        for r in records:
            if r.kind == RecordKind.OUTCOME:
                self.hits[code, Outcome(r.info).name] += 1
            elif r.kind in (RecordKind.EVICT, RecordKind.PLACE):
                self.hits[code, f"{r.kind.name} {Tier(r.tier).name}"] += 1
            elif r.kind == RecordKind.BYPASS:
                self.hits[code, "BYPASS"] += 1
        if kinds.count(RecordKind.EVICT) > 1:
            self.hits[code, "EVICT twice or more"] += 1
        if RecordKind.DEMOTE in kinds:
            self.hits[code, "DEMOTE and PROMOTE"] += 1
        elif RecordKind.PROMOTE in kinds:
            self.hits[code, "PROMOTE"] += 1

    def missed(self) -> list[tuple[str, str]]:
        """Bins that nothing has hit."""
        return [b for b in self.BINS if not self.hits[b]]

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Counts by event type and answer, for the result file."""
        out: dict[str, dict[str, int]] = {}
        for code, answer in self.BINS:
            out.setdefault(code, {})[answer] = self.hits[code, answer]
        return out
