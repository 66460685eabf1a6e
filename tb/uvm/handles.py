"""The simulator's top level, for components that touch pins or probes."""

import cocotb


def dut():
    """Handle of tb_top."""
    return cocotb.top
