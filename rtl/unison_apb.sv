/// The APB4 slave: protocol, address decode, errors, read data.
///
/// Policy: PSLVERR answers an unmapped or unaligned address, a write to RO, a read of WO, a write
/// of ones to bits that a register does not have (but IRQ_STATUS and IRQ_ENABLE), of a CFG register
/// while not idle or of a capacity below what is used, an event write with the FIFO full or with
/// partial PSTRB, and a read of DEC_POP without a record; nothing then changes (a refused event
/// write is counted).
/// Timing: no wait states. Answer and error are decided in the setup phase and registered; what
/// happens, happens in the access phase. That is safe as only this bus enters events and removes
/// records: idle stays idle, room stays room, a record stays until it is read.
module unison_apb #(
  /// Value of PARAMS.
  parameter logic [31:0] Params = '0,
  /// Value of VARIANT.
  parameter logic [31:0] Variant = '0
) (
  /// Clock.
  input  logic                                     clk_i,
  /// Asynchronous reset, active low.
  input  logic                                     rst_ni,
  /// APB select.
  input  logic                                     psel_i,
  /// APB access phase.
  input  logic                                     penable_i,
  /// APB direction, 1 write.
  input  logic                                     pwrite_i,
  /// APB address.
  input  logic [11:0]                              paddr_i,
  /// APB write strobes.
  input  logic [3:0]                               pstrb_i,
  /// APB protection, ignored.
  input  logic [2:0]                               pprot_i,
  /// APB read data.
  output logic [31:0]                              prdata_o,
  /// APB ready, always.
  output logic                                     pready_o,
  /// APB error.
  output logic                                     pslverr_o,
  /// Write a register of unison_config.
  output logic                                     cfg_write_o,
  /// The addressed configuration register.
  input  logic [31:0]                              cfg_rdata_i,
  /// The same, after the write; for any other register the byte lanes written, the others zero.
  input  logic [31:0]                              cfg_merged_i,
  /// Write W, Z, TURN: [0], [1], [2].
  output logic [2:0]                               table_write_o,
  /// Table W.
  input  logic [15:0][15:0]                        w_i,
  /// Table Z.
  input  logic [15:0][15:0]                        z_i,
  /// Turn table.
  input  logic [63:0][15:0]                        turn_i,
  /// Enter an event.
  output logic                                     ev_push_o,
  /// The event FIFO is full.
  input  logic                                     ev_full_i,
  /// Events in the event FIFO.
  input  logic [7:0]                               ev_level_i,
  /// Remove the oldest record.
  output logic                                     rec_pop_o,
  /// There is none.
  input  logic                                     rec_empty_i,
  /// Records in the decision FIFO.
  input  logic [7:0]                               rec_level_i,
  /// The oldest record, DEC_HEAD form.
  input  logic [31:0]                              rec_head_i,
  /// The oldest record, DEC_POP form.
  input  logic [31:0]                              rec_tail_i,
  /// A migration is under way.
  input  logic                                     outstanding_i,
  /// The core's time.
  input  logic [31:0]                              time_i,
  /// Tokens resident in the SRAM.
  input  logic [unison_pkg::TokW-1:0]              used_sram_i,
  /// Tokens resident in the HBM.
  input  logic [unison_pkg::TokW-1:0]              used_hbm_i,
  /// Counters from CNT_EVENTS on.
  input  logic [13:0][31:0]                        cnt_i,
  /// Error counters.
  input  logic [unison_pkg::NumCauses-1:0][15:0]   err_i,
  /// Interrupt status.
  input  logic [2:0]                               irq_status_i,
  /// Clear the interrupt bits that are 1 in the write data.
  output logic                                     irq_clear_o,
  /// An event write was refused.
  output logic                                     refused_o
);
  logic setup, access, busy;
  assign setup  = psel_i & ~penable_i;
  assign access = psel_i & penable_i;
  assign busy   = ev_level_i != '0;  // an event under way is still in the FIFO

  logic unused_pprot;
  assign unused_pprot = ^pprot_i;

  // Decode: what is there, what may be done with it. CFG registers are RW ones with a condition.
  logic ro, rw, cfg, w1c, ev_push, dec_pop, in_cnt, in_err, in_w, in_z, in_turn, aligned;
  logic [5:0] idx;

  assign aligned = paddr_i[1:0] == 2'b00;
  assign idx     = paddr_i[7:2];
  assign in_cnt  = paddr_i >= unison_pkg::AddrCntEvents && paddr_i <= unison_pkg::AddrLatMax;
  assign in_err  = paddr_i >= unison_pkg::AddrCntError &&
                   paddr_i < unison_pkg::AddrCntError + 12'(4 * unison_pkg::NumCauses);
  assign in_w    = paddr_i[11:6] == unison_pkg::AddrWeightW[11:6];
  assign in_z    = paddr_i[11:6] == unison_pkg::AddrWeightZ[11:6];
  assign in_turn = paddr_i[11:8] == unison_pkg::AddrTurn[11:8];
  assign ev_push = paddr_i == unison_pkg::AddrEvPush;
  assign dec_pop = paddr_i == unison_pkg::AddrDecPop;
  assign w1c     = paddr_i == unison_pkg::AddrIrqStatus;

  always_comb begin
    ro  = in_cnt | in_err;
    rw  = in_w | in_z | in_turn;
    cfg = 1'b0;
    unique case (paddr_i)
      unison_pkg::AddrId, unison_pkg::AddrVersion, unison_pkg::AddrParams, unison_pkg::AddrVariant,
      unison_pkg::AddrStatus, unison_pkg::AddrTime, unison_pkg::AddrUsedSram,
      unison_pkg::AddrUsedHbm, unison_pkg::AddrDecHead, unison_pkg::AddrDecPop: ro = 1'b1;
      unison_pkg::AddrCtrl, unison_pkg::AddrIrqEnable, unison_pkg::AddrEvTime: rw = 1'b1;
      unison_pkg::AddrPrescale, unison_pkg::AddrCapSram, unison_pkg::AddrCapHbm,
      unison_pkg::AddrGapPrior, unison_pkg::AddrEmaShift, unison_pkg::AddrDmaBw: cfg = 1'b1;
      default: ;
    endcase
  end

  // Bits of the addressed register; ones beyond them would be lost.
  logic [31:0] bits;

  always_comb begin
    bits = '1;
    if (in_w) bits = unison_pkg::BitsWeightW;
    if (in_z) bits = unison_pkg::BitsWeightZ;
    if (in_turn) bits = unison_pkg::BitsTurn;
    unique case (paddr_i)
      unison_pkg::AddrCtrl:     bits = unison_pkg::BitsCtrl;
      unison_pkg::AddrPrescale: bits = unison_pkg::BitsPrescale;
      unison_pkg::AddrCapSram:  bits = unison_pkg::BitsCapSram;
      unison_pkg::AddrCapHbm:   bits = unison_pkg::BitsCapHbm;
      unison_pkg::AddrGapPrior: bits = unison_pkg::BitsGapPrior;
      unison_pkg::AddrEmaShift: bits = unison_pkg::BitsEmaShift;
      unison_pkg::AddrDmaBw:    bits = unison_pkg::BitsDmaBw;
      default: ;
    endcase
  end

  // Errors.
  logic err, err_q, below, beyond, bad_push;
  logic [unison_pkg::TokW-1:0] new_cap;

  assign new_cap = cfg_merged_i[unison_pkg::TokW-1:0];
  assign beyond = |(cfg_merged_i & ~bits);
  assign below = (paddr_i == unison_pkg::AddrCapSram && new_cap < used_sram_i) ||
                 (paddr_i == unison_pkg::AddrCapHbm && new_cap < used_hbm_i);
  assign bad_push = ev_full_i || pstrb_i != 4'b1111;

  always_comb begin
    if (!aligned) err = 1'b1;
    else if (pwrite_i) begin
      err = !((rw && !beyond) || w1c || (cfg && !busy && !below && !beyond) ||
              (ev_push && !bad_push));
    end else err = !(rw || w1c || cfg || (ro && !(dec_pop && rec_empty_i)));
  end

  // Read data.
  logic [31:0] rdata, prdata_q;

  always_comb begin
    rdata = cfg_rdata_i;
    if (in_cnt) rdata = cnt_i[idx[3:0]];
    if (in_err) rdata = 32'(err_i[idx[3:0]]);
    if (in_w) rdata = 32'(w_i[idx[3:0]]);
    if (in_z) rdata = 32'(z_i[idx[3:0]]);
    if (in_turn) rdata = 32'(turn_i[idx]);
    unique case (paddr_i)
      unison_pkg::AddrId:        rdata = unison_pkg::ResetId;
      unison_pkg::AddrVersion:   rdata = unison_pkg::ResetVersion;
      unison_pkg::AddrParams:    rdata = Params;
      unison_pkg::AddrVariant:   rdata = Variant;
      unison_pkg::AddrStatus:    rdata = {14'b0, outstanding_i, busy, rec_level_i, ev_level_i};
      unison_pkg::AddrIrqStatus: rdata = 32'(irq_status_i);
      unison_pkg::AddrTime:      rdata = time_i;
      unison_pkg::AddrUsedSram:  rdata = 32'(used_sram_i);
      unison_pkg::AddrUsedHbm:   rdata = 32'(used_hbm_i);
      unison_pkg::AddrDecHead:   rdata = rec_empty_i ? '0 : rec_head_i;
      unison_pkg::AddrDecPop:    rdata = rec_tail_i;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      err_q    <= 1'b0;
      prdata_q <= '0;
    end else if (setup) begin
      err_q    <= err;
      prdata_q <= (err || pwrite_i) ? '0 : rdata;
    end
  end

  assign prdata_o  = prdata_q;
  assign pready_o  = 1'b1;
  assign pslverr_o = access & err_q;

  // Actions.
  logic write, read;
  assign write = access & pwrite_i & ~err_q;
  assign read  = access & ~pwrite_i & ~err_q;

  assign cfg_write_o   = write & (rw | cfg);
  assign table_write_o = {in_turn, in_z, in_w} & {3{write}};
  assign ev_push_o     = write & ev_push;
  assign rec_pop_o     = read & dec_pop;
  assign irq_clear_o   = write & w1c & pstrb_i[0];
  assign refused_o     = access & pwrite_i & ev_push & err_q;
endmodule
