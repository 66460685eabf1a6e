"""Register access by name, for every sequence."""

import cocotb
from pyuvm import uvm_sequence

from tb.uvm.items import FULL_STROBE, ApbItem, Transfer
from unison.contract.registers import address


class RegisterSequence(uvm_sequence):
    """Base: reads and writes registers of the contract by name."""

    async def run(self, transfers: list[Transfer]) -> list[Transfer]:
        """Drive transfers back to back; returns them with their responses."""
        # A task of its own: a sequence that is cancelled must not leave the driver half an item.
        await cocotb.start_soon(self._submit(ApbItem(transfers)))
        return transfers

    async def _submit(self, item: ApbItem) -> None:
        await self.start_item(item)
        await self.finish_item(item)

    async def write(self, name: str, value: int, index: int = 0) -> None:
        """Write one register. AssertionError when it is refused."""
        (t,) = await self.run([Transfer(address(name, index), True, value)])
        assert not t.error, f"{name}[{index}]: {t}, expected it to be accepted"

    async def read(self, name: str, index: int = 0) -> int:
        """Read one register. AssertionError when it is refused or unknown."""
        (t,) = await self.run([Transfer(address(name, index), False)])
        assert not t.error and t.data is not None, f"{name}[{index}]: {t}, expected data"
        return t.data

    async def attempt(
        self, where: int, value: int | None = None, strobe: int = FULL_STROBE
    ) -> Transfer:
        """One raw access to a byte address: a write of `value`, or a read when it is None."""
        (t,) = await self.run([Transfer(where, value is not None, value or 0, strobe)])
        return t
