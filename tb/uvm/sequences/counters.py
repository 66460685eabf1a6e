"""Reads every counter and account of the core."""

from tb.uvm.items import Transfer
from tb.uvm.sequences.registers import RegisterSequence
from unison.contract.registers import COUNTERS, address

_PLAIN = [name for name, _ in COUNTERS] + ["USED_SRAM", "USED_HBM", "STATUS"]


class ReadCounters(RegisterSequence):
    """`values`: contents by register name; CNT_ERROR as one name an entry, `CNT_ERROR[i]`."""

    def __init__(self, causes: int) -> None:
        super().__init__("counters")
        self.values: dict[str, int] = {}
        self._where = {name: address(name) for name in _PLAIN}
        self._where |= {f"CNT_ERROR[{i}]": address("CNT_ERROR", i) for i in range(causes)}

    async def body(self) -> None:
        done = await self.run([Transfer(a, False) for a in self._where.values()])
        for name, t in zip(self._where, done, strict=True):
            assert not t.error and t.data is not None, f"{name}: {t}, expected data"
            self.values[name] = t.data
