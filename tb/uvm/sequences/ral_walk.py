"""The register model by its front door: resets, writes, refusals, the mirror against the core."""

from random import Random

from pyuvm import uvm_check_e, uvm_reg, uvm_reg_field, uvm_status_e

from tb.register_oracle import WORD
from tb.uvm.ral.front_door import Predictor
from tb.uvm.ral.unison_ral import unison
from tb.uvm.sequences.registers import RegisterSequence

_OK = uvm_status_e.UVM_IS_OK
#: Registers whose reading changes the core, or is refused.
_NOT_READ = ("EV_PUSH", "DEC_POP")
#: Registers that ignore ones in bits they do not have.
_LENIENT = ("IRQ_ENABLE",)


def _mask(field: uvm_reg_field) -> int:
    return ((1 << field.get_n_bits()) - 1) << field.get_lsb_pos()


class RalSequence(RegisterSequence):
    """Base: has the model, and its registers in address order. `checked`: comparisons made."""

    def __init__(self, name: str, model: unison) -> None:
        super().__init__(name)
        self.model = model
        self.checked = 0
        regs = model.get_registers()
        self.regs: list[uvm_reg] = sorted(regs, key=lambda r: r.get_address())

    def readable(self) -> list[uvm_reg]:
        """Registers that may be read freely."""
        return [r for r in self.regs if r.get_name() not in _NOT_READ]

    def writable(self) -> list[uvm_reg]:
        """Registers that hold what is written."""
        return [r for r in self.regs if {f.get_access() for f in r.get_fields()} == {"RW"}]

    async def value(self, reg: uvm_reg) -> int:
        """Read by the front door."""
        status, value = await reg.read()
        assert status == _OK, f"{reg.get_name()}: read {status}"
        return value


class RalReset(RalSequence):
    """Right after reset: every field with a reset value has it."""

    async def body(self) -> None:
        for reg in self.readable():
            if not reg.has_reset():
                continue
            got = await self.value(reg)
            for f in reg.get_fields():
                if f.has_reset():
                    want = f.get_reset()
                    have = (got & _mask(f)) >> f.get_lsb_pos()
                    assert have == want, f"{reg.get_name()}.{f.get_name()}: {have:#x}, {want:#x}"
                    self.checked += 1


class RalMirror(RalSequence):
    """The mirror, kept by the predictor alone, equals the core where the core changes nothing."""

    async def body(self) -> None:
        for reg in self.readable():
            if any(f.is_volatile() for f in reg.get_fields()):
                continue
            want = reg.get_mirrored_value()
            got = await self.value(reg)
            assert got == want, f"{reg.get_name()}: core {got:#x}, mirror {want:#x}"
            # The model's own check only logs.
            assert await reg.mirror(uvm_check_e.UVM_CHECK) == _OK
            self.checked += 1


class RalWrites(RalSequence):
    """Writes every read-write register and field; bits beyond are refused; resets at the end."""

    def __init__(self, model: unison, predictor: Predictor, seed: int) -> None:
        super().__init__("ral_writes", model)
        self.predictor, self.rng = predictor, Random(seed)

    async def body(self) -> None:
        for reg in self.writable():
            bits = sum(map(_mask, reg.get_fields()))
            for value in (bits, 0, self.rng.getrandbits(32) & bits):
                await self._write(reg, value, value)
            if beyond := WORD & ~bits:
                held = reg.get_mirrored_value()
                lenient = reg.get_name() in _LENIENT
                await self._write(reg, held | beyond, held, refused=not lenient)
        assert self.predictor.seen > 0, "the predictor saw nothing"
        for reg in self.writable():
            if reg.has_reset():
                await self._write(reg, reg.get_reset(), reg.get_reset())

    async def _write(self, reg: uvm_reg, value: int, want: int, refused: bool = False) -> None:
        status = await reg.write(value)
        assert (status != _OK) == refused, f"{reg.get_name()} = {value:#x}: {status}"
        mirror, got = reg.get_mirrored_value(), await self.value(reg)
        assert mirror == got == want, (
            f"{reg.get_name()} = {value:#x}: core {got:#x}, mirror {mirror:#x}, expected {want:#x}"
        )
        self.checked += 1
