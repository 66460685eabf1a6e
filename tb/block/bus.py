"""A minimal APB master and clock for the block tests; pins named as in rtl/unison.sv."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from tb.uvm.agents.apb_bus import number

_clock: list = []


async def start(dut, **idle: int) -> None:
    """Start the clock, hold reset for a few cycles with the inputs in `idle` applied."""
    for name, value in idle.items():
        getattr(dut, name).value = value
    # One clock a test, however often it starts anew.
    if not _clock or _clock[0].done():
        _clock[:] = [cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())]
    dut.rst_ni.value = 0
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)


class Apb:
    """Drives on falling edges, so that nothing races with the clock."""

    def __init__(self, dut) -> None:
        self.dut = dut

    @staticmethod
    def idle() -> dict[str, int]:
        """Levels of an idle bus, and of a sideband port without a neighbour."""
        names = ("psel_i", "penable_i", "pwrite_i", "paddr_i", "pwdata_i", "pprot_i", "ev_valid_i")
        return dict.fromkeys(names, 0) | {"pstrb_i": 15}

    async def _transfer(self) -> tuple[int | None, bool]:
        dut = self.dut
        if int(dut.clk_i.value):
            await FallingEdge(dut.clk_i)
        dut.psel_i.value = 1
        dut.penable_i.value = 0
        await FallingEdge(dut.clk_i)
        assert int(dut.pslverr_o.value) == 0, "PSLVERR outside an access phase"
        dut.penable_i.value = 1
        # Outputs are registered in the setup phase; sample before the access edge.
        await RisingEdge(dut.clk_i)
        assert int(dut.pready_o.value) == 1
        got = number(dut.prdata_o), bool(dut.pslverr_o.value)
        await FallingEdge(dut.clk_i)
        dut.psel_i.value = 0
        dut.penable_i.value = 0
        return got

    async def write(self, address: int, data: int, strobe: int = 15) -> bool:
        """Write; True when PSLVERR answered."""
        self.dut.pwrite_i.value = 1
        self.dut.paddr_i.value = address
        self.dut.pwdata_i.value = data
        self.dut.pstrb_i.value = strobe
        return (await self._transfer())[1]

    async def read(self, address: int) -> tuple[int | None, bool]:
        """(data, PSLVERR); data None: the simulator gave unknown bits."""
        self.dut.pwrite_i.value = 0
        self.dut.paddr_i.value = address
        self.dut.pstrb_i.value = 0
        return await self._transfer()
