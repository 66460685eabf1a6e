"""Three masters for one walk: back to back, with idle cycles and noise, and one not of ours."""

import logging
import random

from cocotb.triggers import FallingEdge
from cocotbext.apb import Apb4Bus, ApbMaster

from tb.block.bus import Apb
from tb.register_oracle import Answer, Step

_PINS = ("psel", "pwrite", "paddr", "pwdata", "pready", "prdata")
_OPTIONAL = ("penable", "pstrb", "pprot", "pslverr")


class BackToBack:
    """Our driver: the next setup phase follows the access phase at once."""

    def __init__(self, dut) -> None:
        self.dut, self.apb = dut, Apb(dut)

    async def access(self, step: Step, want: Answer) -> tuple[bool, int | None]:
        """PSLVERR and the data read."""
        if step.data is None:
            data, error = await self.apb.read(step.address)
            return error, data
        return await self.apb.write(step.address, step.data, step.strobe), None


class Idle(BackToBack):
    """None to four idle cycles before each transfer, the other pins at random."""

    async def access(self, step: Step, want: Answer) -> tuple[bool, int | None]:
        """PSLVERR and the data read."""
        dut = self.dut
        for _ in range(random.randrange(5)):
            dut.paddr_i.value = random.getrandbits(12)
            dut.pwdata_i.value = random.getrandbits(32)
            dut.pwrite_i.value = random.getrandbits(1)
            dut.pstrb_i.value = random.getrandbits(4)
            dut.penable_i.value = random.getrandbits(1)
            await FallingEdge(dut.clk_i)
            assert int(dut.pslverr_o.value) == 0, "PSLVERR without PSEL"
        return await super().access(step, want)


class Foreign:
    """cocotbext-apb's master. It raises by itself when PSLVERR is not the one expected."""

    def __init__(self, dut) -> None:
        pins = {n: f"{n}_o" if n in ("pready", "prdata") else f"{n}_i" for n in _PINS}
        more = {n: f"{n}_o" if n == "pslverr" else f"{n}_i" for n in _OPTIONAL}
        bus = Apb4Bus(dut, None, signals=pins, optional_signals=more)
        self.master = ApbMaster(bus, dut.clk_i)
        self.master.log.setLevel(logging.WARNING)

    async def access(self, step: Step, want: Answer) -> tuple[bool, int | None]:
        """As expected, or an exception; the data read."""
        if step.data is None:
            data = await self.master.read(step.address, error_expected=want.error)
            return want.error, int.from_bytes(data, "little")
        await self.master.write(
            step.address, step.data, strb=step.strobe, error_expected=want.error
        )
        return want.error, None


MASTERS = {"back_to_back": BackToBack, "idle": Idle, "foreign": Foreign}
