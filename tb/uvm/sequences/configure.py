"""Configuration over APB, and identification of the core that answers."""

from tb.settings import Settings
from tb.uvm.items import Transfer
from tb.uvm.sequences.registers import RegisterSequence
from tb.uvm.workload import Workload
from unison.contract import registers as reg


class Identify(RegisterSequence):
    """Compares the registers that say what the core is with the contract and the build."""

    def __init__(self, settings: Settings) -> None:
        super().__init__("identify")
        self.settings = settings

    async def body(self) -> None:
        built = self.settings.parameters
        values = {"ID": reg.ID_VALUE, "VERSION": reg.VERSION_VALUE}
        for name in ("PARAMS", "VARIANT"):
            values[name] = sum(built[f.parameter] << f.lsb for f in reg.BY_NAME[name].fields)
        for name, want in values.items():
            got = await self.read(name)
            assert got == want, f"{name}: got {got:#010x}, expected {want:#010x}"


class Rewriting(RegisterSequence):
    """Writes new tables and capacities into an idle core."""

    def __init__(self, rewrite) -> None:
        super().__init__("rewriting")
        self.rewrite = rewrite

    async def body(self) -> None:
        r = self.rewrite
        values = [("CAP_SRAM", 0, r.cap_sram), ("CAP_HBM", 0, r.cap_hbm), *_tables(r.fixed)]
        for t in await self.run([Transfer(reg.address(n, i), True, v) for n, i, v in values]):
            assert not t.error, f"rewrite of an idle core: {t}, expected it to be accepted"


def _tables(fixed) -> list[tuple[str, int, int]]:
    """(register, index, value) of every table entry."""
    tables = (("WEIGHT_W", fixed.weight_w), ("WEIGHT_Z", fixed.weight_z), ("TURN", fixed.turn))
    return [(name, i, v) for name, table in tables for i, v in enumerate(table)]


class Configure(RegisterSequence):
    """Writes every parameter and table of a workload, then enables the core."""

    def __init__(self, workload: Workload, ts_ext: bool = True) -> None:
        super().__init__("configure")
        self.workload = workload
        self.ts_ext = ts_ext

    async def body(self) -> None:
        config, fixed = self.workload.config, self.workload.fixed
        values = [
            ("CAP_SRAM", 0, config.cap_sram),
            ("CAP_HBM", 0, config.cap_hbm),
            ("GAP_PRIOR", 0, fixed.gap_prior),
            ("EMA_SHIFT", 0, fixed.ema_shift),
            ("DMA_BW", 0, fixed.dma_bw),
        ]
        values += _tables(fixed)
        done = await self.run([Transfer(reg.address(n, i), True, v) for n, i, v in values])
        done += await self.run([Transfer(reg.address(n, i), False) for n, i, v in values])
        for (name, index, value), t in zip(values * 2, done, strict=True):
            assert not t.error and t.data == value, f"{name}[{index}]: got {t}, expected {value:#x}"
        ctrl = 1 << reg.CTRL_ENABLE | self.ts_ext << reg.CTRL_TS_EXT | config.tide << reg.CTRL_TIDE
        await self.write("CTRL", ctrl)
