"""What the register map says of any access, and walks through it; the drivers are others'."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from unison.contract import mask
from unison.contract.registers import CTRL_ENABLE, REGISTERS, Access, Register, address

END = 0x1000
WORD = mask(32)
MAPPED: dict[int, tuple[Register, int]] = {
    address(r.name, i): (r, i) for r in REGISTERS for i in range(r.count)
}
HOLES = tuple(a for a in range(0, END, 4) if a not in MAPPED)


@dataclass(frozen=True)
class Step:
    """One access: a write of `data`, or a read when it is None."""

    address: int
    data: int | None = None
    strobe: int = 0b1111

    def __str__(self) -> str:
        reg, i = MAPPED.get(self.address, (None, 0))
        name = f"{reg.name}[{i}]" if reg and reg.count > 1 else reg.name if reg else "unmapped"
        what = "read" if self.data is None else f"write {self.data:#010x} PSTRB {self.strobe:04b}"
        return f"{name} (0x{self.address:03x}) {what}"


@dataclass(frozen=True)
class Answer:
    """PSLVERR, and the read data in the bits of `known`."""

    error: bool
    data: int = 0
    known: int = 0

    def agrees(self, error: bool, data: int | None) -> bool:
        """Whether the core's answer is this one; data None: it has unknown bits, or is none."""
        if error != self.error:
            return False
        if data is None:
            return self.known != WORD
        return not (data ^ self.data) & self.known


def lanes(strobe: int) -> int:
    """Bits that a PSTRB lets in."""
    return sum(0xFF << 8 * b for b in range(4) if strobe >> b & 1)


class Oracle:
    """A core after reset that takes no events: what each access answers, and then holds.

    parameters: of the build, by their names in the RTL. Events may be written; while one waits,
    CTRL.ENABLE must stay 0.
    """

    def __init__(self, parameters: dict[str, int]) -> None:
        self.depth = parameters["EvDepth"]
        self.events = self.refused = 0
        #: Contents and known bits, by address.
        self.held: dict[int, int] = {}
        self.known: dict[int, int] = {}
        for at, (reg, _) in MAPPED.items():
            self.held[at], self.known[at] = 0, WORD & ~reg.bits
            for f in reg.fields:
                value = parameters[f.parameter] if f.parameter else f.reset
                if value is not None:
                    self.held[at] |= value << f.lsb
                    self.known[at] |= f.mask

    def answer(self, step: Step) -> Answer:
        """The answer to the next access."""
        reg, _ = MAPPED.get(step.address, (None, 0))
        if reg is None:
            return Answer(True, 0, 0 if step.data is not None else WORD)
        if step.data is None:
            if reg.access is Access.WO or reg.pop:
                return Answer(True, 0, WORD)
            return Answer(False, self.held[step.address], self.known[step.address])
        return Answer(not self._write(reg, step))

    def _write(self, reg: Register, step: Step) -> bool:
        let_in = lanes(step.strobe)
        if reg.push:
            return self._push(step)
        if reg.access is Access.W1C:
            for f in reg.fields:
                if f.access is Access.W1C:
                    self.held[step.address] &= ~(step.data & let_in & f.mask)
            return True
        if not reg.writable or (reg.access is Access.CFG and self.events):
            return False
        if step.data & let_in & ~reg.bits and not reg.ignores_beyond:
            return False
        held = self.held[step.address] & ~let_in | step.data & let_in
        self.held[step.address] = held & reg.bits
        self.known[step.address] |= let_in
        return True

    def _push(self, step: Step) -> bool:
        accepted = step.strobe == 0b1111 and self.events < self.depth
        if accepted:
            self.events += 1
            self._set("STATUS", "EVENTS", self.events)
            self._set("STATUS", "BUSY", 1)
        else:
            self.refused += 1
            self._set("CNT_REFUSED", "COUNT", self.refused)
            self._set("IRQ_STATUS", "REFUSED", 1)
        return accepted

    def _set(self, name: str, field: str, value: int) -> None:
        at = address(name)
        f = MAPPED[at][0].field(field)
        self.held[at] = self.held[at] & ~f.mask | value << f.lsb


def reads() -> Iterator[Step]:
    """Every register."""
    return map(Step, MAPPED)


def holes() -> Iterator[Step]:
    """Every address without a register, read and written; unaligned ones next to registers."""
    beside = [at + offset for at in MAPPED for offset in (1, 2, 3)]
    for at in (*HOLES, *beside):
        yield Step(at)
        yield Step(at, WORD)


def _values(reg: Register, rng: Random) -> Iterator[int]:
    yield from (0, WORD, reg.bits, WORD & ~reg.bits)
    yield from (f.mask for f in reg.fields)
    yield from (1 << b for b in range(32))
    yield from (rng.getrandbits(32), rng.getrandbits(32) & reg.bits)


def _probe(at: int, reg: Register, rng: Random) -> Iterator[Step]:
    """Every field and bit alone, every strobe, each followed by a read."""
    for value in _values(reg, rng):
        yield Step(at, value)
        yield Step(at)
    for strobe in range(16):
        for value in (rng.getrandbits(32), rng.getrandbits(32) & reg.bits, WORD & ~reg.bits):
            yield Step(at, value, strobe)
            yield Step(at)


def fields(rng: Random) -> Iterator[Step]:
    """Every register but EV_PUSH: resets, fields, bits, strobes; then all at once; then resets.

    Of an array the first, the last and some more are probed, and all are written and read.
    """
    yield from reads()
    some = {at for at, (r, i) in MAPPED.items() if i in (0, r.count - 1) or rng.random() < 0.05}
    for at, (reg, _) in MAPPED.items():
        if at in some and not reg.push:
            yield from _probe(at, reg, rng)
    held = [(at, reg) for at, (reg, _) in MAPPED.items() if reg.writable]
    yield from (Step(at, rng.getrandbits(32) & reg.bits) for at, reg in held)
    yield from reads()
    yield from (Step(at, reg.reset) for at, reg in held if reg.reset is not None)
    yield from reads()


def pushes(rng: Random, depth: int) -> Iterator[Step]:
    """Events into a core that takes none: strobes, room; then CFG refused, W1C by field."""
    yield Step(address("CTRL"), 0)
    push, status = address("EV_PUSH"), address("IRQ_STATUS")
    yield from (Step(push, rng.getrandbits(32), strobe) for strobe in range(15))
    yield from reads()
    for _ in range(depth + 2):
        yield Step(push, rng.getrandbits(32))
        yield from reads()
    for at, (reg, _) in MAPPED.items():
        if reg.access is Access.CFG:
            yield from _probe(at, reg, rng)
    for value in (0, WORD, *(1 << b for b in range(32)), *(WORD ^ 1 << b for b in range(3))):
        for strobe in (0b1110, 0b0001, 0b1111):
            yield Step(push, rng.getrandbits(32), rng.randrange(15))
            yield Step(status, value, strobe)
            yield Step(status)


def random_steps(rng: Random, count: int, push: bool = True) -> Iterator[Step]:
    """Anything anywhere; the core stays disabled."""
    mapped = list(MAPPED)
    small = [at for at in mapped if at < 0x80]
    for _ in range(count):
        pool = rng.choice((mapped, small, small, HOLES))
        at = rng.choice(pool) if rng.random() < 0.95 else rng.randrange(END)
        reg, _ = MAPPED.get(at, (None, 0))
        if rng.random() < 0.5 or (reg and reg.push and not push):
            yield Step(at)
            continue
        data = rng.getrandbits(32)
        if reg and rng.random() < 0.7:
            data &= reg.bits
        if reg and reg.name == "CTRL":
            data &= ~(1 << CTRL_ENABLE)
        yield Step(at, data, 15 if rng.random() < 0.5 else rng.randrange(16))
