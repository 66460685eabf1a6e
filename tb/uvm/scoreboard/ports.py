"""Names for what tb/hdl/port_watch.sv counts: both event ports in one cycle."""

from collections.abc import Iterator

#: What APB does: nothing; an event write in its setup phase, entering, refused; a write of a CFG
#: register in its setup phase, done, refused; anything else.
APB = (
    "IDLE", "EV_SETUP", "EV_ENTERS", "EV_REFUSED", "CFG_SETUP", "CFG_DONE", "CFG_REFUSED", "OTHER"
)  # fmt: skip
#: Room in the event FIFO: all, some, for one event, none.
ROOM = ("EMPTY", "SOME", "LAST", "FULL")
SIDEBAND = ("IDLE", "WAITS", "ENTERS")
COUNTS = len(APB) * len(ROOM) * len(SIDEBAND)
#: What the arbiter and the lock of the configuration are for.
CASES = (
    # The last place goes to the sideband as APB decides, so APB is told that the FIFO is full.
    "LAST_TO_SIDEBAND",
    # It goes to APB, and the sideband waits.
    "LAST_TO_APB",
    # It is kept for APB, which is about to ask again or does something else.
    "LAST_KEPT",
    # Room enough for both: the sideband waits for one cycle.
    "SIDEBAND_AFTER_APB",
    # Both want to enter a full FIFO.
    "BOTH_AT_FULL",
    # The sideband alone waits for room.
    "SIDEBAND_AT_FULL",
    # A CFG write meets a sideband event: in one cycle, a cycle earlier, a cycle or more later.
    "CFG_WITH_EVENT", "CFG_BEFORE_EVENT", "CFG_AFTER_EVENT",
)  # fmt: skip


def case(apb: str, room: str, sideband: str) -> str:
    """The case that a cycle is, NONE where it is no one's."""
    waits = sideband == "WAITS"
    if apb == "EV_ENTERS" and waits:
        return "LAST_TO_APB" if room == "LAST" else "SIDEBAND_AFTER_APB"
    if room == "FULL" and waits:
        return "BOTH_AT_FULL" if apb == "EV_SETUP" else "SIDEBAND_AT_FULL"
    if room == "LAST" and waits:
        return "LAST_KEPT"
    if room == "LAST" and apb == "EV_SETUP" and sideband == "ENTERS":
        return "LAST_TO_SIDEBAND"
    if apb == "CFG_SETUP" and room != "EMPTY":
        return "CFG_AFTER_EVENT"
    if sideband == "ENTERS" and apb in ("CFG_SETUP", "CFG_DONE"):
        return "CFG_WITH_EVENT" if apb == "CFG_SETUP" else "CFG_BEFORE_EVENT"
    return "NONE"


def samples(counts: list[int]) -> Iterator[tuple[tuple[str, ...], int]]:
    """(sample of the group `port`, how often) of the counts in their order."""
    cells = ((a, r, s) for a in APB for r in ROOM for s in SIDEBAND)
    for cell, count in zip(cells, counts, strict=True):
        if count:
            yield ("port", *cell, case(*cell)), count
