"""APB protocol checker: names the rules that tb/hdl/apb_rules.sv finds broken on the pins."""

from cocotb.triggers import RisingEdge, ValueChange
from pyuvm import uvm_analysis_port, uvm_monitor

from tb.uvm.handles import dut

#: By bit of `broken_o`.
RULES = (
    "PENABLE without PSEL",
    "access phase without a setup phase",
    "setup phase without an access phase",
    "access phase left before PREADY",
    "address, direction or protection moved",
    "write data or strobes moved",
    "strobes with a read",
    "PSLVERR outside the end of a transfer",
    "no PREADY for too long",
    "unknown control or response",
    "unknown data",
)


def broken_rules(bits: int) -> list[str]:
    """Names of the rules whose bits are set."""
    return [rule for i, rule in enumerate(RULES) if bits >> i & 1]


class ApbRules(uvm_monitor):
    """Publishes the first violation on `ap` as one line of text."""

    def build_phase(self) -> None:
        super().build_phase()
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        top = dut()
        edge, changed = RisingEdge(top.clk_i), ValueChange(top.apb_broken)
        # Before reset the bits are anything.
        await RisingEdge(top.rst_ni)
        await edge
        while not top.apb_broken.value.to_unsigned():
            await changed
            await edge
        rules = ", ".join(broken_rules(top.apb_broken.value.to_unsigned()))
        where = top.apb_broken_at.value.to_unsigned()
        self.ap.write(f"APB protocol: {rules} (PADDR 0x{where:03x})")
