"""Events and records as the core sees them, and their packing into APB words."""

from dataclasses import dataclass

from unison.contract.encodings import EventCode, RecordKind, Tier
from unison.contract.widths import SEQ_W, SLOT_W, TIME_W, TOK_W, mask


@dataclass(frozen=True, slots=True)
class CoreEvent:
    """One event at the core's door.

    code, slot, tokens: raw fields (any value the bus can carry, legal or not).
    ts: ticks, not wrapped; the core sees it modulo 2**32.
    exact: the same instant in ticks as a float, for the float64 score; None: `ts`.
    """

    code: int
    slot: int
    tokens: int
    ts: int
    exact: float | None = None

    def word(self) -> int:
        """``EV_PUSH`` word. ValueError when a field does not fit the word."""
        for name, value, width in (
            ("code", self.code, 4),
            ("slot", self.slot, SLOT_W),
            ("tokens", self.tokens, TOK_W),
        ):
            if not 0 <= value <= mask(width):
                raise ValueError(f"{name}: got {value}, expected 0..{mask(width)}")
        return self.code << 28 | self.slot << TOK_W | self.tokens

    def time_word(self) -> int:
        """``EV_TIME`` word."""
        return self.ts & mask(TIME_W)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the decision FIFO (contract section 9)."""

    kind: RecordKind
    slot: int
    tier: Tier
    tokens: int
    info: int
    seq: int

    def words(self) -> tuple[int, int]:
        """(DEC_HEAD, DEC_POP) words."""
        head = 1 << 31 | self.kind << 28 | self.info << 24 | self.tier << 22 | self.slot
        return head, (self.seq & mask(SEQ_W)) << TOK_W | self.tokens

    @classmethod
    def from_words(cls, head: int, pop: int) -> "Record":
        """Unpack; ValueError when the valid bit is 0 or the kind is unknown."""
        if not head >> 31:
            raise ValueError(f"DEC_HEAD: got {head:#010x}, expected the valid bit set")
        return cls(
            kind=RecordKind(head >> 28 & 7),
            slot=head & mask(SLOT_W),
            tier=Tier(head >> 22 & 3),
            tokens=pop & mask(TOK_W),
            info=head >> 24 & 15,
            seq=pop >> TOK_W,
        )


def is_known(code: int) -> bool:
    """Whether `code` is an event code of the contract."""
    return EventCode.REQ <= code <= EventCode.MIG_DONE
