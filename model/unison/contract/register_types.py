"""What a register is; the registers themselves are in `registers`, generated from the RDL."""

from dataclasses import dataclass
from enum import Enum


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
class Field:
    """Bits `lsb` to `lsb + width - 1` of a register.

    access: as the register's, but RO within a W1C register is a level that only the core clears.
    reset: None when it is not a constant. volatile: the core changes it by itself.
    parameter: name of the RTL parameter it shows. codes: name by value, where it is enumerated.
    """

    name: str
    lsb: int
    width: int
    access: Access
    reset: int | None
    doc: str
    volatile: bool = False
    parameter: str | None = None
    codes: tuple[tuple[str, int], ...] = ()

    @property
    def mask(self) -> int:
        """Its bits within the register."""
        return ((1 << self.width) - 1) << self.lsb


@dataclass(frozen=True)
class Register:
    """One 32-bit register, or `count` of them at consecutive addresses.

    width: bits up to the highest field; all bits without a field read as zero.
    reset: None when the value is live state, not a constant.
    not_below: register whose value a written one must reach.
    push: a whole-word write enters an event. pop: reading removes a record.
    ignores_beyond: ones in bits without a field are ignored; elsewhere they answer PSLVERR.
    """

    name: str
    address: int
    access: Access
    width: int
    reset: int | None
    doc: str
    count: int = 1
    fields: tuple[Field, ...] = ()
    not_below: str | None = None
    push: bool = False
    pop: bool = False
    ignores_beyond: bool = False

    @property
    def bits(self) -> int:
        """Implemented bits, as a mask."""
        return sum(f.mask for f in self.fields)

    @property
    def writable(self) -> bool:
        """Whether it holds what is written to it (RW, CFG)."""
        return self.access in (Access.RW, Access.CFG)

    def field(self, name: str) -> Field:
        """A field by name. KeyError."""
        for f in self.fields:
            if f.name == name:
                return f
        raise KeyError(f"{self.name} has no field {name!r}")
