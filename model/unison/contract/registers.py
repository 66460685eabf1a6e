"""The register map. Do not edit: `python -m tools.regs` makes it from rtl/unison.rdl."""

from unison.contract.register_types import Access, Field, Register

__all__ = [
    "BY_NAME",
    "COUNTERS",
    "ID_VALUE",
    "REGISTERS",
    "VERSION_VALUE",
    "Access",
    "Field",
    "Register",
    "address",
]

ID_VALUE = 0x554E4953
VERSION_VALUE = 0x00000200

#: Bit numbers.
CTRL_ENABLE = 0
CTRL_TS_EXT = 1
CTRL_TIDE = 2
IRQ_RECORD = 0
IRQ_ERROR = 1
IRQ_REFUSED = 2

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

REGISTERS: tuple[Register, ...] = (
    Register(
        "ID",
        0x000,
        Access.RO,
        32,
        0x554E4953,
        'the letters "UNIS"',
        fields=(
            Field("LETTERS", 0, 32, Access.RO, 0x554E4953, "constant"),
        ),
    ),
    Register(
        "VERSION",
        0x004,
        Access.RO,
        24,
        0x200,
        "version of the core",
        fields=(
            Field("PATCH", 0, 8, Access.RO, 0x0, "patch"),
            Field("MINOR", 8, 8, Access.RO, 0x2, "minor"),
            Field("MAJOR", 16, 8, Access.RO, 0x0, "major"),
        ),
    ),
    Register(
        "PARAMS",
        0x008,
        Access.RO,
        32,
        None,
        "parameters the core was built with",
        fields=(
            Field("SLOTS", 0, 9, Access.RO, None, "slots", volatile=True, parameter="NumSlots"),
            Field("LANES", 9, 5, Access.RO, None, "lanes", volatile=True, parameter="NumLanes"),
            Field("TOK_W", 14, 5, Access.RO, None, "token width", volatile=True, parameter="TokW"),
            Field("EV_DEPTH", 20, 6, Access.RO, None, "event FIFO depth", volatile=True, parameter="EvDepth"),
            Field("DEC_DEPTH", 26, 6, Access.RO, None, "decision FIFO depth", volatile=True, parameter="DecDepth"),
        ),
    ),
    Register(
        "CTRL",
        0x00C,
        Access.RW,
        3,
        0x4,
        "control",
        fields=(
            Field("ENABLE", 0, 1, Access.RW, 0x0, "take events from the FIFO"),
            Field("TS_EXT", 1, 1, Access.RW, 0x0, "events carry EV_TIME instead of the core's own counter"),
            Field("TIDE", 2, 1, Access.RW, 0x1, "Tide on"),
        ),
    ),
    Register(
        "STATUS",
        0x010,
        Access.RO,
        18,
        0x0,
        "levels and state",
        fields=(
            Field("EVENTS", 0, 8, Access.RO, 0x0, "events in the event FIFO", volatile=True),
            Field("RECORDS", 8, 8, Access.RO, 0x0, "records in the decision FIFO", volatile=True),
            Field("BUSY", 16, 1, Access.RO, 0x0, "an event is waiting or under way", volatile=True),
            Field("MIGRATION", 17, 1, Access.RO, 0x0, "migration outstanding", volatile=True),
        ),
    ),
    Register(
        "IRQ_STATUS",
        0x014,
        Access.W1C,
        3,
        0x0,
        "interrupt status",
        fields=(
            Field("RECORD", 0, 1, Access.RO, 0x0, "a record waits (level: not cleared by writing)", volatile=True),
            Field("ERROR", 1, 1, Access.W1C, 0x0, "an ERROR record was written", volatile=True),
            Field("REFUSED", 2, 1, Access.W1C, 0x0, "an event write was refused", volatile=True),
        ),
        ignores_beyond=True,
    ),
    Register(
        "IRQ_ENABLE",
        0x018,
        Access.RW,
        3,
        0x0,
        "interrupt output = OR of status AND enable",
        fields=(
            Field("RECORD", 0, 1, Access.RW, 0x0, "a record waits"),
            Field("ERROR", 1, 1, Access.RW, 0x0, "an ERROR record was written"),
            Field("REFUSED", 2, 1, Access.RW, 0x0, "an event write was refused"),
        ),
        ignores_beyond=True,
    ),
    Register(
        "PRESCALE",
        0x01C,
        Access.CFG,
        16,
        0x249E,
        "clock cycles per tick minus one (9374: 1/16 ms at 150 MHz)",
        fields=(
            Field("CYCLES", 0, 16, Access.RW, 0x249E, "cycles per tick minus one"),
        ),
    ),
    Register(
        "TIME",
        0x020,
        Access.RO,
        32,
        None,
        "the core's own time, ticks",
        fields=(
            Field("TICKS", 0, 32, Access.RO, None, "ticks", volatile=True),
        ),
    ),
    Register(
        "CAP_SRAM",
        0x024,
        Access.CFG,
        20,
        0x0,
        "fast tier, tokens",
        fields=(
            Field("TOKENS", 0, 20, Access.RW, 0x0, "tokens"),
        ),
        not_below="USED_SRAM",
    ),
    Register(
        "CAP_HBM",
        0x028,
        Access.CFG,
        20,
        0x0,
        "slow tier, tokens",
        fields=(
            Field("TOKENS", 0, 20, Access.RW, 0x0, "tokens"),
        ),
        not_below="USED_HBM",
    ),
    Register(
        "USED_SRAM",
        0x02C,
        Access.RO,
        20,
        0x0,
        "tokens resident in the fast tier",
        fields=(
            Field("TOKENS", 0, 20, Access.RO, 0x0, "tokens", volatile=True),
        ),
    ),
    Register(
        "USED_HBM",
        0x030,
        Access.RO,
        20,
        0x0,
        "tokens resident in the slow tier",
        fields=(
            Field("TOKENS", 0, 20, Access.RO, 0x0, "tokens", volatile=True),
        ),
    ),
    Register(
        "GAP_PRIOR",
        0x034,
        Access.CFG,
        24,
        0x0,
        "G0: average before the first gap, ticks",
        fields=(
            Field("TICKS", 0, 24, Access.RW, 0x0, "ticks"),
        ),
    ),
    Register(
        "EMA_SHIFT",
        0x038,
        Access.CFG,
        3,
        0x2,
        "a: a new gap weighs 1/2^a",
        fields=(
            Field("SHIFT", 0, 3, Access.RW, 0x2, "a"),
        ),
    ),
    Register(
        "DMA_BW",
        0x03C,
        Access.CFG,
        16,
        0x0,
        "migration bandwidth, tokens per tick, Q8.8",
        fields=(
            Field("RATE", 0, 16, Access.RW, 0x0, "tokens per tick, Q8.8"),
        ),
    ),
    Register(
        "EV_TIME",
        0x040,
        Access.RW,
        32,
        0x0,
        "timestamp of the next event in TS_EXT mode",
        fields=(
            Field("TICKS", 0, 32, Access.RW, 0x0, "ticks"),
        ),
    ),
    Register(
        "EV_PUSH",
        0x044,
        Access.WO,
        32,
        0x0,
        "writing enters the event. PSLVERR when the FIFO is full or PSTRB is not 1111",
        fields=(
            Field("TOKENS", 0, 20, Access.WO, 0x0, "size of the session's prefix"),
            Field("SLOT", 20, 8, Access.WO, 0x0, "handle of the session"),
            Field("CODE", 28, 4, Access.WO, 0x0, "what happened; other codes are errors", codes=(("REQ", 1), ("GAP_OPEN", 2), ("GAP_CLOSE", 3), ("DONE", 4), ("MIG_DONE", 5),)),
        ),
        push=True,
    ),
    Register(
        "DEC_HEAD",
        0x048,
        Access.RO,
        32,
        0x0,
        "oldest record, first word; 0 when there is none",
        fields=(
            Field("SLOT", 0, 8, Access.RO, 0x0, "slot", volatile=True),
            Field("TIER", 22, 2, Access.RO, 0x0, "tier", volatile=True, codes=(("NONE", 0), ("SRAM", 1), ("HBM", 2),)),
            Field("INFO", 24, 4, Access.RO, 0x0, "info: outcome or cause", volatile=True),
            Field("KIND", 28, 3, Access.RO, 0x0, "kind", volatile=True, codes=(("OUTCOME", 1), ("EVICT", 2), ("BYPASS", 3), ("PLACE", 4), ("PROMOTE", 5), ("DEMOTE", 6), ("ERROR", 7),)),
            Field("VALID", 31, 1, Access.RO, 0x0, "there is a record", volatile=True),
        ),
    ),
    Register(
        "DEC_POP",
        0x04C,
        Access.RO,
        32,
        None,
        "oldest record, second word; reading removes it. PSLVERR when there is none",
        fields=(
            Field("TOKENS", 0, 20, Access.RO, None, "tokens", volatile=True),
            Field("SEQ", 20, 12, Access.RO, None, "event number", volatile=True),
        ),
        pop=True,
    ),
    Register(
        "VARIANT",
        0x050,
        Access.RO,
        5,
        None,
        "variant of the ranking the core was built with",
        fields=(
            Field("SCORER", 0, 3, Access.RO, None, "form of the score", volatile=True, parameter="Scorer", codes=(("PRODUCT", 0), ("QUOTIENT", 1), ("RATIO", 2), ("RECIPROCAL", 3), ("COMPACT", 4),)),
            Field("ARCH", 3, 2, Access.RO, None, "architecture", volatile=True, parameter="Arch", codes=(("ROWS", 0), ("LINEAR", 1), ("SPARSE", 2),)),
        ),
    ),
    Register(
        "CNT_EVENTS",
        0x080,
        Access.RO,
        32,
        0x0,
        "events taken from the event FIFO, erroneous ones included",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_COLD",
        0x084,
        Access.RO,
        32,
        0x0,
        "requests of a new session",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_MISS",
        0x088,
        Access.RO,
        32,
        0x0,
        "requests whose session was not resident",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_HIT_SRAM",
        0x08C,
        Access.RO,
        32,
        0x0,
        "requests served from the fast tier",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_HIT_HBM",
        0x090,
        Access.RO,
        32,
        0x0,
        "requests served from the slow tier",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_EVICT",
        0x094,
        Access.RO,
        32,
        0x0,
        "EVICT decisions",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_BYPASS",
        0x098,
        Access.RO,
        32,
        0x0,
        "BYPASS decisions",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_PROMOTE",
        0x09C,
        Access.RO,
        32,
        0x0,
        "PROMOTE decisions",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_DEMOTE",
        0x0A0,
        Access.RO,
        32,
        0x0,
        "DEMOTE decisions",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_REFUSED",
        0x0A4,
        Access.RO,
        32,
        0x0,
        "event writes refused: FIFO full or PSTRB partial",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_PASSES",
        0x0A8,
        Access.RO,
        32,
        0x0,
        "ranking passes",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "LAT_EVENTS",
        0x0AC,
        Access.RO,
        32,
        0x0,
        "events that yielded at least one decision",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "LAT_SUM",
        0x0B0,
        Access.RO,
        32,
        0x0,
        "sum of their latencies, cycles",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "LAT_MAX",
        0x0B4,
        Access.RO,
        32,
        0x0,
        "largest of their latencies, cycles",
        fields=(
            Field("COUNT", 0, 32, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "CNT_ERROR",
        0x0C0,
        Access.RO,
        16,
        0x0,
        "ERROR records by cause: entry i counts cause i + 1 (UNKNOWN_CODE, BAD_SLOT, TIME_BACK, TOKENS_ZERO, TOKENS_OVER, SLOT_FREE, REQ_ACTIVE, OPEN_NOT_ACTIVE, CLOSE_NOT_GAP, MIG_NOT_OUTSTANDING)",
        count=10,
        fields=(
            Field("COUNT", 0, 16, Access.RO, 0x0, "saturating", volatile=True),
        ),
    ),
    Register(
        "WEIGHT_W",
        0x100,
        Access.RW,
        16,
        None,
        "W[b], Q12.4; not reset",
        count=16,
        fields=(
            Field("WEIGHT", 0, 16, Access.RW, None, "Q12.4"),
        ),
    ),
    Register(
        "WEIGHT_Z",
        0x140,
        Access.RW,
        16,
        None,
        "Z[b], Q12.4; not reset",
        count=16,
        fields=(
            Field("WEIGHT", 0, 16, Access.RW, None, "Q12.4"),
        ),
    ),
    Register(
        "TURN",
        0x200,
        Access.RW,
        16,
        None,
        "turn table: o(k), Q4.12 (product) or h(k), 8 bits (quotient); not reset",
        count=64,
        fields=(
            Field("ODDS", 0, 16, Access.RW, None, "o(k), Q4.12, or h(k)"),
        ),
    ),
)

BY_NAME = {r.name: r for r in REGISTERS}


def address(name: str, index: int = 0) -> int:
    """Byte address of a register (entry `index` of an array). KeyError, IndexError."""
    reg = BY_NAME[name]
    if not 0 <= index < reg.count:
        raise IndexError(f"{name}[{index}]: expected an index in 0..{reg.count - 1}")
    return reg.address + 4 * index
