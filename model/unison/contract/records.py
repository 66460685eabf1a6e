"""Events and records as the core sees them, and their packing into APB words."""

from dataclasses import dataclass

from unison.contract.encodings import EventCode, RecordKind, Tier
from unison.contract.registers import BY_NAME
from unison.contract.widths import INFO_W, KIND_W, SEQ_W, SLOT_W, TIER_W, TIME_W, TOK_W, mask


def _at(register: str, field: str) -> int:
    return BY_NAME[register].field(field).lsb


_PUSH_CODE, _PUSH_SLOT = _at("EV_PUSH", "CODE"), _at("EV_PUSH", "SLOT")
_PUSH_TOKENS = _at("EV_PUSH", "TOKENS")
_VALID, _KIND, _INFO = _at("DEC_HEAD", "VALID"), _at("DEC_HEAD", "KIND"), _at("DEC_HEAD", "INFO")
_TIER, _SLOT = _at("DEC_HEAD", "TIER"), _at("DEC_HEAD", "SLOT")
_SEQ, _TOKENS = _at("DEC_POP", "SEQ"), _at("DEC_POP", "TOKENS")


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
        return self.code << _PUSH_CODE | self.slot << _PUSH_SLOT | self.tokens << _PUSH_TOKENS

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
        head = 1 << _VALID | self.kind << _KIND | self.info << _INFO
        head |= self.tier << _TIER | self.slot << _SLOT
        return head, (self.seq & mask(SEQ_W)) << _SEQ | self.tokens << _TOKENS

    @classmethod
    def from_words(cls, head: int, pop: int) -> "Record":
        """Unpack; ValueError when the valid bit is 0 or the kind is unknown."""
        if not head >> _VALID & 1:
            raise ValueError(f"DEC_HEAD: got {head:#010x}, expected the valid bit set")
        return cls(
            kind=RecordKind(head >> _KIND & mask(KIND_W)),
            slot=head >> _SLOT & mask(SLOT_W),
            tier=Tier(head >> _TIER & mask(TIER_W)),
            tokens=pop >> _TOKENS & mask(TOK_W),
            info=head >> _INFO & mask(INFO_W),
            seq=pop >> _SEQ & mask(SEQ_W),
        )


def is_known(code: int) -> bool:
    """Whether `code` is an event code of the contract."""
    return EventCode.REQ <= code <= EventCode.MIG_DONE
