"""Front door and passive prediction: the register model over the existing APB agent."""

from pyuvm import (
    uvm_access_e,
    uvm_predict_e,
    uvm_reg,
    uvm_reg_adapter,
    uvm_reg_bus_op,
    uvm_sequencer,
    uvm_status_e,
    uvm_subscriber,
)

from tb.register_oracle import lanes
from tb.uvm.items import ApbItem, Transfer
from tb.uvm.ral.unison_ral import unison


class ApbAdapter(uvm_reg_adapter):
    """One register operation is an item of one transfer; the driver fills in its response."""

    def reg2bus(self, rw: uvm_reg_bus_op) -> ApbItem:
        """The item of an operation."""
        write = rw.kind == uvm_access_e.UVM_WRITE
        return ApbItem([Transfer(rw.addr, write, rw.data if write else 0)])

    def bus2reg(self, bus_item: ApbItem, rw: uvm_reg_bus_op) -> None:
        """Response of an item; PSLVERR and unknown data are UVM_NOT_OK."""
        (transfer,) = bus_item.transfers
        good = not transfer.error and transfer.data is not None
        rw.status = uvm_status_e.UVM_IS_OK if good else uvm_status_e.UVM_NOT_OK
        if good:
            rw.data = transfer.data


class Predictor(uvm_subscriber):
    """Keeps the model's mirror up to date with what the monitor sees, whoever drove it.

    pyuvm 5's own predictor is not implemented, and its byte enables are by field, not by byte.
    `model`: set it before the first transfer. `seen`: transfers that reached the mirror.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.model: unison | None = None
        self.seen = 0

    def write(self, tt: Transfer) -> None:
        """Take one completed transfer; refused ones change nothing."""
        if tt.error or tt.data is None or self.model is None:
            return
        reg = self.model.get_default_map().get_reg_by_offset(tt.address)
        assert reg is not None, f"{tt}: accepted, but the model has no register there"
        self.seen += 1
        if tt.write:
            reg.predict(_merged(reg, tt), kind=uvm_predict_e.UVM_PREDICT_WRITE)
        else:
            reg.predict(tt.data, kind=uvm_predict_e.UVM_PREDICT_READ)


def _merged(reg: uvm_reg, tt: Transfer) -> int:
    """The word as the register takes it: bytes without strobe keep what a field holds."""
    let_in, word = lanes(tt.strobe), 0
    for field in reg.get_fields():
        bits = ((1 << field.get_n_bits()) - 1) << field.get_lsb_pos()
        old = 0
        if field.get_access() == "RW":
            old = field.get_mirrored_value() << field.get_lsb_pos()
        word |= (old & ~let_in | tt.data & let_in) & bits
    return word


def build(sequencer: uvm_sequencer) -> unison:
    """The model, reset and locked, with its front door on `sequencer`; prediction is passive."""
    model = unison("unison")
    model.build()
    model.lock_model()
    model.reset()
    reg_map = model.get_default_map()
    reg_map.set_sequencer(sequencer, ApbAdapter("adapter"))
    reg_map.set_auto_predict(False)
    return model
