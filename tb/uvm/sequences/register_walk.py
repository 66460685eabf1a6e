"""Walks the register map: resets, access types, byte strobes, aliases, addresses beside it."""

from random import Random

from tb.uvm.items import FULL_STROBE
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract import mask
from unison.contract.registers import REGISTERS, Access, Register, address

_WRITABLE = (Access.RW, Access.CFG)
END = 0x1000


class RegisterWalk(RegisterSequence):
    """Run it after reset, with the core idle; it leaves every register at its reset value."""

    def __init__(self, seed: int) -> None:
        super().__init__("register_walk")
        self.rng = Random(seed)
        self.accesses = 0

    async def attempt(self, where, value=None, strobe=FULL_STROBE):
        self.accesses += 1
        return await super().attempt(where, value, strobe)

    async def body(self) -> None:
        await self._resets()
        for reg in REGISTERS:
            for index in range(reg.count):
                await self._access(reg, index)
        for reg in REGISTERS:
            if reg.access in _WRITABLE:
                await self._strobes(reg)
        await self._aliases()
        await self._beside()
        await self._restore()
        await self._resets()

    async def _expect(self, reg: Register, index: int, value: int, when: str) -> None:
        t = await self.attempt(address(reg.name, index))
        assert not t.error and t.data == value, (
            f"{reg.name}[{index}] {when}: got {t}, expected {value:#x}"
        )

    async def _resets(self) -> None:
        for reg in REGISTERS:
            if reg.reset is not None and reg.access is not Access.WO:
                for index in range(reg.count):
                    await self._expect(reg, index, reg.reset, "after reset")

    async def _access(self, reg: Register, index: int) -> None:
        where = address(reg.name, index)
        if reg.access is Access.WO:
            t = await self.attempt(where)
            assert t.error, f"{reg.name}: read {t}, expected PSLVERR"
        elif reg.access is Access.RO:
            before = await self.attempt(where)
            t = await self.attempt(where, 0xFFFFFFFF)
            assert t.error, f"{reg.name}[{index}]: write {t}, expected PSLVERR"
            after = await self.attempt(where)
            if reg.reset is not None:
                assert after.data == before.data, f"{reg.name}[{index}]: a refused write changed it"
        elif reg.access in _WRITABLE:
            for value in (0xFFFFFFFF, 0, self.rng.getrandbits(32)):
                t = await self.attempt(where, value)
                assert not t.error, f"{reg.name}[{index}]: write {t}, expected it accepted"
                await self._expect(reg, index, value & mask(reg.width), "after a write")

    async def _strobes(self, reg: Register) -> None:
        index = self.rng.randrange(reg.count)
        where, held = address(reg.name, index), self.rng.getrandbits(32)
        await self.attempt(where, held)
        for strobe in range(16):
            value = self.rng.getrandbits(32)
            lanes = sum(0xFF << 8 * b for b in range(4) if strobe >> b & 1)
            held = held & ~lanes | value & lanes
            t = await self.attempt(where, value, strobe)
            assert not t.error, f"{reg.name}: write with PSTRB {strobe:04b} {t}"
            await self._expect(reg, index, held & mask(reg.width), f"PSTRB {strobe:04b}")

    async def _aliases(self) -> None:
        """Fill all, then read all: a write that lands elsewhere shows."""
        held = {}
        for reg in REGISTERS:
            if reg.access in _WRITABLE:
                for index in range(reg.count):
                    value = self.rng.getrandbits(32)
                    await self.attempt(address(reg.name, index), value)
                    held[reg, index] = value & mask(reg.width)
        for (reg, index), value in held.items():
            await self._expect(reg, index, value, "after all were written")

    async def _beside(self) -> None:
        mapped = {address(r.name, i) for r in REGISTERS for i in range(r.count)}
        for where in range(0, END, 4):
            if where not in mapped:
                for value in (None, 0xFFFFFFFF):
                    t = await self.attempt(where, value)
                    assert t.error, f"unmapped: {t}, expected PSLVERR"
        for reg in REGISTERS:
            for offset in (1, 2, 3):
                for value in (None, 0xFFFFFFFF):
                    t = await self.attempt(reg.address + offset, value)
                    assert t.error, f"unaligned: {t}, expected PSLVERR"

    async def _restore(self) -> None:
        for reg in REGISTERS:
            if reg.access in _WRITABLE and reg.reset is not None:
                await self.attempt(reg.address, reg.reset)
