/// The writable registers but the tables: control, interrupt, prescale, capacities, score
/// parameters, event time.
///
/// Policy: byte lanes follow PSTRB; bits beyond a register's width are not there. Whether a write is
/// allowed is decided by unison_apb: `write_i` is then a write that happens.
/// Timing: a write shows in the next cycle. `merged_o` is the addressed register as it would be
/// after the write, combinational, for the checks of a capacity against what is used and of bits
/// that are not there.
module unison_config (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Register address.
  input  logic [11:0]                   addr_i,
  /// Write it.
  input  logic                          write_i,
  /// Value to write.
  input  logic [31:0]                   data_i,
  /// Byte lanes to write.
  input  logic [3:0]                    be_i,
  /// The addressed register, 0 if it is none of these.
  output logic [31:0]                   rdata_o,
  /// The addressed register after the write.
  output logic [31:0]                   merged_o,
  /// [0] enable, [1] TS_EXT, [2] Tide.
  output logic [2:0]                    ctrl_o,
  /// Interrupt enables.
  output logic [2:0]                    irq_enable_o,
  /// Cycles per tick minus one.
  output logic [15:0]                   prescale_o,
  /// Capacity of the SRAM.
  output logic [unison_pkg::TokW-1:0]   cap_sram_o,
  /// Capacity of the HBM.
  output logic [unison_pkg::TokW-1:0]   cap_hbm_o,
  /// G0.
  output logic [unison_pkg::GapW-1:0]   gap_prior_o,
  /// EMA shift a.
  output logic [unison_pkg::ShiftW-1:0] ema_shift_o,
  /// Bandwidth, Q8.8.
  output logic [unison_pkg::BwW-1:0]    dma_bw_o,
  /// Time of the next event in TS_EXT mode.
  output logic [unison_pkg::TimeW-1:0]  ev_time_o
);
  logic [2:0] ctrl_q, irq_enable_q;
  logic [15:0] prescale_q;
  logic [unison_pkg::TokW-1:0] cap_sram_q, cap_hbm_q;
  logic [unison_pkg::GapW-1:0] gap_prior_q;
  logic [unison_pkg::ShiftW-1:0] ema_shift_q;
  logic [unison_pkg::BwW-1:0] dma_bw_q;
  logic [unison_pkg::TimeW-1:0] ev_time_q;

  always_comb begin
    unique case (addr_i)
      unison_pkg::AddrCtrl:      rdata_o = 32'(ctrl_q);
      unison_pkg::AddrIrqEnable: rdata_o = 32'(irq_enable_q);
      unison_pkg::AddrPrescale:  rdata_o = 32'(prescale_q);
      unison_pkg::AddrCapSram:   rdata_o = 32'(cap_sram_q);
      unison_pkg::AddrCapHbm:    rdata_o = 32'(cap_hbm_q);
      unison_pkg::AddrGapPrior:  rdata_o = 32'(gap_prior_q);
      unison_pkg::AddrEmaShift:  rdata_o = 32'(ema_shift_q);
      unison_pkg::AddrDmaBw:     rdata_o = 32'(dma_bw_q);
      unison_pkg::AddrEvTime:    rdata_o = ev_time_q;
      default:                   rdata_o = '0;
    endcase
  end

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign merged_o[8*b+:8] = be_i[b] ? data_i[8*b+:8] : rdata_o[8*b+:8];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctrl_q       <= unison_pkg::ResetCtrl[2:0];
      irq_enable_q <= '0;
      prescale_q   <= unison_pkg::ResetPrescale[15:0];
      cap_sram_q   <= '0;
      cap_hbm_q    <= '0;
      gap_prior_q  <= '0;
      ema_shift_q  <= unison_pkg::ResetEmaShift[unison_pkg::ShiftW-1:0];
      dma_bw_q     <= '0;
      ev_time_q    <= '0;
    end else if (write_i) begin
      unique case (addr_i)
        unison_pkg::AddrCtrl:      ctrl_q <= merged_o[2:0];
        unison_pkg::AddrIrqEnable: irq_enable_q <= merged_o[2:0];
        unison_pkg::AddrPrescale:  prescale_q <= merged_o[15:0];
        unison_pkg::AddrCapSram:   cap_sram_q <= merged_o[unison_pkg::TokW-1:0];
        unison_pkg::AddrCapHbm:    cap_hbm_q <= merged_o[unison_pkg::TokW-1:0];
        unison_pkg::AddrGapPrior:  gap_prior_q <= merged_o[unison_pkg::GapW-1:0];
        unison_pkg::AddrEmaShift:  ema_shift_q <= merged_o[unison_pkg::ShiftW-1:0];
        unison_pkg::AddrDmaBw:     dma_bw_q <= merged_o[unison_pkg::BwW-1:0];
        unison_pkg::AddrEvTime:    ev_time_q <= merged_o;
        default: ;
      endcase
    end
  end

  assign ctrl_o       = ctrl_q;
  assign irq_enable_o = irq_enable_q;
  assign prescale_o   = prescale_q;
  assign cap_sram_o   = cap_sram_q;
  assign cap_hbm_o    = cap_hbm_q;
  assign gap_prior_o  = gap_prior_q;
  assign ema_shift_o  = ema_shift_q;
  assign dma_bw_o     = dma_bw_q;
  assign ev_time_o    = ev_time_q;
endmodule
