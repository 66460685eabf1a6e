"""State of the event core: its parameters, slots and counters."""

from dataclasses import dataclass, field
from enum import Enum, auto

from unison.contract import Cause, Outcome, RecordKind, SlotState, Tier
from unison.contract.widths import DEFAULT_SLOTS, MAX_SLOTS, MIN_SLOTS, TOK_W, mask


@dataclass(frozen=True)
class CoreConfig:
    """Parameters of a core: slots, capacities in tokens, token field width, Tide on or off.

    ValueError when a value is out of its range.
    """

    cap_sram: int
    cap_hbm: int
    slots: int = DEFAULT_SLOTS
    tok_w: int = TOK_W
    tide: bool = True

    def __post_init__(self) -> None:
        if not MIN_SLOTS <= self.slots <= MAX_SLOTS:
            raise ValueError(f"slots: got {self.slots}, expected {MIN_SLOTS}..{MAX_SLOTS}")
        if not 1 <= self.tok_w <= TOK_W:
            raise ValueError(f"tok_w: got {self.tok_w}, expected 1..{TOK_W}")
        for name in ("cap_sram", "cap_hbm"):
            if not 0 <= getattr(self, name) <= mask(self.tok_w):
                raise ValueError(
                    f"{name}: got {getattr(self, name)}, expected 0..{mask(self.tok_w)} tokens"
                )


@dataclass(slots=True)
class Slot:
    """One row of the slot table. `t_on` and `ghat` are in the scorer's own form."""

    state: SlotState = SlotState.FREE
    tier: Tier = Tier.NONE
    tokens: int = 0
    k: int = 0
    t_on: float = 0
    ghat: float = 0
    seen: bool = False
    in_flight: bool = False

    @property
    def candidate(self) -> bool:
        """Resident, waiting, not in flight: may be evicted or moved."""
        return (
            self.tier != Tier.NONE
            and self.state in (SlotState.GAP, SlotState.READY)
            and not self.in_flight
        )


class TideEnd(Enum):
    """How Tide's search after a GAP_OPEN ended: two ways to move, and why not."""

    FITS = auto()
    SWAP = auto()
    OUTSTANDING = auto()
    NO_CANDIDATE = auto()
    NO_DEMOTION = auto()
    NOT_WORSE = auto()
    NO_ROOM_SRAM = auto()
    NO_ROOM_HBM = auto()
    NO_BUDGET = auto()


@dataclass(frozen=True, slots=True)
class TideNote:
    """Tide's search: its end, the promotion candidates and p, the demotion candidates and q."""

    end: TideEnd
    fits: tuple[int, ...] = ()
    p: int | None = None
    tops: tuple[int, ...] = ()
    q: int | None = None


@dataclass
class Counters:
    """What the counter registers hold."""

    events: int = 0
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    records: dict[RecordKind, int] = field(default_factory=lambda: dict.fromkeys(RecordKind, 0))
    errors: dict[Cause, int] = field(default_factory=lambda: dict.fromkeys(Cause, 0))
