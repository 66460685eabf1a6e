"""The register map: the one source of addresses, access types and reset values.

``rtl/unison_pkg.sv`` and ``docs/registers.md`` are generated from `REGISTERS` and the
APB tests walk it.
"""

from dataclasses import dataclass
from enum import Enum

from unison.contract.encodings import Cause
from unison.contract.widths import (
    BW_W,
    GAP_W,
    ODDS_W,
    SHIFT_W,
    TOK_W,
    TURN_ENTRIES,
    WEIGHT_ENTRIES,
    WEIGHT_W,
)


class Access(Enum):
    """RO: writes answer PSLVERR. WO: reads answer PSLVERR. W1C: writing 1 clears.

    CFG: read-write, but a write answers PSLVERR while the core is not idle.
    """

    RO = "RO"
    RW = "RW"
    WO = "WO"
    W1C = "W1C"
    CFG = "CFG"


@dataclass(frozen=True)
class Register:
    """One 32-bit register, or `count` of them at consecutive addresses.

    `width` is the number of implemented low bits; the rest read as zero and ignore writes.
    `reset` None: the value is live state, not a constant.
    """

    name: str
    address: int
    access: Access
    width: int
    reset: int | None
    doc: str
    count: int = 1


ID_VALUE = 0x554E4953  # "UNIS"
VERSION_VALUE = 0x0000_0100  # 0.1.0: major, minor, patch in bytes 2, 1, 0

#: Counters, in address order, 32 bits each; saturating.
COUNTERS = (
    ("CNT_EVENTS", "events taken from the event FIFO, erroneous ones included"),
    ("CNT_COLD", "requests of a new session"),
    ("CNT_MISS", "requests whose session was not resident"),
    ("CNT_HIT_SRAM", "requests served from the fast tier"),
    ("CNT_HIT_HBM", "requests served from the slow tier"),
    ("CNT_EVICT", "EVICT decisions"),
    ("CNT_BYPASS", "BYPASS decisions"),
    ("CNT_PROMOTE", "PROMOTE decisions"),
    ("CNT_DEMOTE", "DEMOTE decisions"),
    ("CNT_REFUSED", "event writes refused: FIFO full or PSTRB partial"),
    ("CNT_PASSES", "ranking passes"),
    ("LAT_EVENTS", "events that yielded at least one decision"),
    ("LAT_SUM", "sum of their latencies, cycles"),
    ("LAT_MAX", "largest of their latencies, cycles"),
)

CTRL_ENABLE, CTRL_TS_EXT, CTRL_TIDE = 0, 1, 2
IRQ_RECORD, IRQ_ERROR, IRQ_REFUSED = 0, 1, 2


def _counters() -> tuple[Register, ...]:
    base = 0x080
    regs = [
        Register(name, base + 4 * i, Access.RO, 32, 0, doc)
        for i, (name, doc) in enumerate(COUNTERS)
    ]
    regs.append(
        Register(
            "CNT_ERROR",
            0x0C0,
            Access.RO,
            16,
            0,
            "ERROR records by cause: entry i counts cause i + 1 ("
            + ", ".join(c.name for c in Cause)
            + ")",
            count=len(Cause),
        )
    )
    return tuple(regs)


REGISTERS: tuple[Register, ...] = (
    Register("ID", 0x000, Access.RO, 32, ID_VALUE, 'the letters "UNIS"'),
    Register("VERSION", 0x004, Access.RO, 32, VERSION_VALUE, "major, minor, patch: bytes 2, 1, 0"),
    Register(
        "PARAMS",
        0x008,
        Access.RO,
        32,
        None,
        "[8:0] slots, [13:9] lanes, [18:14] token width, [19] scorer (0 product, 1 quotient), "
        "[25:20] event FIFO depth, [31:26] decision FIFO depth",
    ),
    Register(
        "CTRL",
        0x00C,
        Access.RW,
        3,
        0x4,
        "[0] enable: take events from the FIFO; [1] TS_EXT: events carry EV_TIME instead of the "
        "core's own counter; [2] Tide on",
    ),
    Register(
        "STATUS",
        0x010,
        Access.RO,
        18,
        0,
        "[7:0] events in the event FIFO, [15:8] records in the decision FIFO, "
        "[16] busy (an event is waiting or under way), [17] migration outstanding",
    ),
    Register(
        "IRQ_STATUS",
        0x014,
        Access.W1C,
        3,
        0,
        "[0] a record waits (level: not cleared by writing), [1] an ERROR record was written, "
        "[2] an event write was refused",
    ),
    Register("IRQ_ENABLE", 0x018, Access.RW, 3, 0, "interrupt output = OR of status AND enable"),
    Register(
        "PRESCALE",
        0x01C,
        Access.CFG,
        16,
        9374,
        "clock cycles per tick minus one (9374: 1/16 ms at 150 MHz)",
    ),
    Register("TIME", 0x020, Access.RO, 32, None, "the core's own time, ticks"),
    Register("CAP_SRAM", 0x024, Access.CFG, TOK_W, 0, "fast tier, tokens; not below USED_SRAM"),
    Register("CAP_HBM", 0x028, Access.CFG, TOK_W, 0, "slow tier, tokens; not below USED_HBM"),
    Register("USED_SRAM", 0x02C, Access.RO, TOK_W, 0, "tokens resident in the fast tier"),
    Register("USED_HBM", 0x030, Access.RO, TOK_W, 0, "tokens resident in the slow tier"),
    Register("GAP_PRIOR", 0x034, Access.CFG, GAP_W, 0, "G0: average before the first gap, ticks"),
    Register("EMA_SHIFT", 0x038, Access.CFG, SHIFT_W, 2, "a: a new gap weighs 1/2^a"),
    Register("DMA_BW", 0x03C, Access.CFG, BW_W, 0, "migration bandwidth, tokens per tick, Q8.8"),
    Register("EV_TIME", 0x040, Access.RW, 32, 0, "timestamp of the next event in TS_EXT mode"),
    Register(
        "EV_PUSH",
        0x044,
        Access.WO,
        32,
        0,
        "[31:28] code, [27:20] slot, [19:0] tokens; writing enters the event. PSLVERR when the "
        "FIFO is full or PSTRB is not 1111",
    ),
    Register(
        "DEC_HEAD",
        0x048,
        Access.RO,
        32,
        0,
        "oldest record: [31] valid, [30:28] kind, [27:24] info (outcome or cause), [23:22] tier, "
        "[7:0] slot; 0 when there is none",
    ),
    Register(
        "DEC_POP",
        0x04C,
        Access.RO,
        32,
        None,
        "oldest record: [31:20] event number, [19:0] tokens; reading removes it. PSLVERR when "
        "there is none",
    ),
    *_counters(),
    Register(
        "WEIGHT_W", 0x100, Access.RW, WEIGHT_W, None, "W[b], Q12.4; not reset", WEIGHT_ENTRIES
    ),
    Register(
        "WEIGHT_Z", 0x140, Access.RW, WEIGHT_W, None, "Z[b], Q12.4; not reset", WEIGHT_ENTRIES
    ),
    Register(
        "TURN",
        0x200,
        Access.RW,
        ODDS_W,
        None,
        "turn table: o(k), Q4.12 (product) or h(k), 8 bits (quotient); not reset",
        TURN_ENTRIES,
    ),
)

BY_NAME = {r.name: r for r in REGISTERS}


def address(name: str, index: int = 0) -> int:
    """Byte address of a register (entry `index` of an array). KeyError, IndexError."""
    reg = BY_NAME[name]
    if not 0 <= index < reg.count:
        raise IndexError(f"{name}[{index}]: expected an index in 0..{reg.count - 1}")
    return reg.address + 4 * index
