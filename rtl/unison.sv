/// Unison: near-memory scheduler of the KV caches of LLM agents. Top of the core.
///
/// Policy: docs/contract.md. Events enter over APB and the sideband port, decisions leave over APB,
/// migrations also by the DMA descriptor port; docs/design.md draws the blocks and the pipeline.
/// Timing: one event at a time, strictly in order; one clock; every output comes from flip-flops or
/// a few gates behind them; `ev_ready_o` and `pslverr_o` also see the APB phase.
module unison #(
  /// Slots, 16..256.
  parameter int NumSlots = 64,
  /// Slots ranked a cycle: a power of two, 1..16, that divides NumSlots.
  parameter int NumLanes = 4,
  /// Bits of a session's size, 8..20.
  parameter int TokW = 20,
  /// Events that may wait, 2..63.
  parameter int EvDepth = 8,
  /// Records that may wait, 2..63.
  parameter int DecDepth = 16,
  /// Form of the score: 0 product, 1 quotient by a divider, 2 ratio (not with Arch 0), 3 quotient
  /// by reciprocals.
  parameter int Scorer = 0,
  /// Architecture: 0 rows of NumLanes slots; of one lane: 1 linear, every slot in turn, 2 sparse, the
  /// candidates in turn.
  parameter int Arch = 0
) (
  /// Clock.
  input  logic        clk_i,
  /// Asynchronous reset, active low.
  input  logic        rst_ni,
  /// APB select.
  input  logic        psel_i,
  /// APB access phase.
  input  logic        penable_i,
  /// APB direction, 1 write.
  input  logic        pwrite_i,
  /// APB address.
  input  logic [11:0] paddr_i,
  /// APB write data.
  input  logic [31:0] pwdata_i,
  /// APB write strobes.
  input  logic [3:0]  pstrb_i,
  /// APB protection, ignored.
  input  logic [2:0]  pprot_i,
  /// APB read data.
  output logic [31:0] prdata_o,
  /// APB ready, always 1.
  output logic        pready_o,
  /// APB error.
  output logic        pslverr_o,
  /// A sideband event is offered; tie to 0 where there is no hardware neighbour.
  input  logic        ev_valid_i,
  /// It is taken.
  output logic        ev_ready_o,
  /// Its code.
  input  logic [3:0]  ev_code_i,
  /// Its slot.
  input  logic [7:0]  ev_slot_i,
  /// Its tokens.
  input  logic [19:0] ev_tokens_i,
  /// Its time in TS_EXT mode.
  input  logic [31:0] ev_time_i,
  /// A DMA descriptor waits.
  output logic        dma_valid_o,
  /// The DMA engine takes it.
  input  logic        dma_ready_i,
  /// 1: HBM to SRAM, 0: SRAM to HBM.
  output logic        dma_promote_o,
  /// Slot that moves.
  output logic [7:0]  dma_slot_o,
  /// Its size.
  output logic [19:0] dma_tokens_o,
  /// Last descriptor of this migration.
  output logic        dma_last_o,
  /// Interrupt, level.
  output logic        irq_o
);
  initial begin
    if (NumSlots < unison_pkg::MinSlots || NumSlots > unison_pkg::MaxSlots) begin
      $fatal(1, "unison: NumSlots: got %0d, expected %0d..%0d", NumSlots, unison_pkg::MinSlots,
             unison_pkg::MaxSlots);
    end
    if (NumLanes < 1 || NumLanes > 16 || (NumLanes & (NumLanes - 1)) != 0) begin
      $fatal(1, "unison: NumLanes: got %0d, expected 1, 2, 4, 8 or 16", NumLanes);
    end
    if (NumSlots % NumLanes != 0) begin
      $fatal(1, "unison: NumSlots: got %0d, expected a multiple of NumLanes = %0d", NumSlots,
             NumLanes);
    end
    if (TokW < unison_pkg::MinTokW || TokW > unison_pkg::TokW) begin
      $fatal(1, "unison: TokW: got %0d, expected %0d..%0d", TokW, unison_pkg::MinTokW,
             unison_pkg::TokW);
    end
    if (EvDepth < 2 || EvDepth > 63) begin
      $fatal(1, "unison: EvDepth: got %0d, expected 2..63", EvDepth);
    end
    if (DecDepth < 2 || DecDepth > 63) begin
      $fatal(1, "unison: DecDepth: got %0d, expected 2..63", DecDepth);
    end
    if (Scorer < 0 || Scorer > 3) $fatal(1, "unison: Scorer: got %0d, expected 0..3", Scorer);
    if (Arch < 0 || Arch > 2) $fatal(1, "unison: Arch: got %0d, expected 0..2", Arch);
    if (Arch != 0 && NumLanes != 1) begin
      $fatal(1, "unison: NumLanes: got %0d, expected 1 with Arch = %0d", NumLanes, Arch);
    end
    if (Arch == 0 && Scorer == 2) $fatal(1, "unison: Scorer: 2 (ratio) needs Arch 1 or 2");
  end

  localparam int IdxW = $clog2(NumSlots);
  localparam int RowW = (NumSlots > NumLanes) ? $clog2(NumSlots / NumLanes) : 1;
  localparam int RecW = unison_pkg::KindW + unison_pkg::InfoW + unison_pkg::TierW +
      unison_pkg::SlotW + unison_pkg::SeqW + unison_pkg::TokW;
  localparam int DmaW = 2 + unison_pkg::SlotW + unison_pkg::TokW;
  localparam logic [31:0] Params =
      {6'(DecDepth), 6'(EvDepth), 1'b0, 5'(TokW), 5'(NumLanes), 9'(NumSlots)};
  localparam logic [31:0] Variant = {28'b0, 2'(Arch), 2'(Scorer)};

  // Registers and tables.
  logic cfg_write, ev_push, rec_pop, refused, outstanding, irq_clear;
  logic [31:0] cfg_rdata, cfg_merged;
  logic [2:0] table_write, ctrl, irq_enable, irq_status;
  logic [15:0] prescale;
  logic [unison_pkg::TokW-1:0] cap_sram, cap_hbm, used_sram, used_hbm;
  logic [unison_pkg::GapW-1:0] gap_prior;
  logic [unison_pkg::ShiftW-1:0] ema_shift;
  logic [unison_pkg::BwW-1:0] dma_bw;
  logic [unison_pkg::TimeW-1:0] ev_time, now;
  logic [15:0][15:0] w, z;
  logic [63:0][15:0] turn;
  logic [13:0][31:0] cnt;
  logic [unison_pkg::NumCauses-1:0][15:0] err_cnt;

  // FIFOs.
  logic ev_enter, ev_last, ev_apb_full;
  logic ev_full, ev_empty, ev_pop, rec_push, rec_full, rec_empty, dma_push, dma_full, dma_empty;
  logic [$clog2(EvDepth+1)-1:0] ev_level;
  logic [$clog2(DecDepth+1)-1:0] rec_level;
  logic [31:0] ev_word, enter_word;
  logic [unison_pkg::TimeW-1:0] ev_ts, enter_ts;
  logic [RecW-1:0] rec_in, rec_out;
  logic [DmaW-1:0] dma_in;
  logic [1:0] unused_dma_level;

  // The oldest record's fields, and those of the one that enters.
  logic [unison_pkg::KindW-1:0] kind_out, kind_in;
  logic [unison_pkg::InfoW-1:0] info_out, info_in;
  logic [unison_pkg::TierW-1:0] tier_out;
  logic [unison_pkg::SlotW-1:0] slot_out;
  logic [unison_pkg::SeqW-1:0] seq_out;
  logic [unison_pkg::TokW-1:0] tok_out;
  assign {kind_out, info_out, tier_out, slot_out, seq_out, tok_out} = rec_out;
  assign {kind_in, info_in} = rec_in[RecW-1-:unison_pkg::KindW+unison_pkg::InfoW];

  unison_apb #(.Params(Params), .Variant(Variant)) u_apb (
    .clk_i, .rst_ni,
    .psel_i, .penable_i, .pwrite_i, .paddr_i, .pstrb_i, .pprot_i,
    .prdata_o, .pready_o, .pslverr_o,
    .cfg_write_o(cfg_write), .cfg_rdata_i(cfg_rdata), .cfg_merged_i(cfg_merged),
    .table_write_o(table_write), .w_i(w), .z_i(z), .turn_i(turn),
    .ev_push_o(ev_push), .ev_full_i(ev_apb_full), .ev_level_i(8'(ev_level)),
    .rec_pop_o(rec_pop), .rec_empty_i(rec_empty), .rec_level_i(8'(rec_level)),
    .rec_head_i({1'b1, kind_out, info_out, tier_out, 14'b0, slot_out}),
    .rec_tail_i({seq_out, tok_out}),
    .outstanding_i(outstanding), .time_i(now),
    .used_sram_i(used_sram), .used_hbm_i(used_hbm), .cnt_i(cnt), .err_i(err_cnt),
    .irq_status_i(irq_status), .irq_clear_o(irq_clear), .refused_o(refused)
  );

  unison_config u_config (
    .clk_i, .rst_ni, .addr_i(paddr_i), .write_i(cfg_write), .data_i(pwdata_i), .be_i(pstrb_i),
    .rdata_o(cfg_rdata), .merged_o(cfg_merged),
    .ctrl_o(ctrl), .irq_enable_o(irq_enable), .prescale_o(prescale),
    .cap_sram_o(cap_sram), .cap_hbm_o(cap_hbm), .gap_prior_o(gap_prior),
    .ema_shift_o(ema_shift), .dma_bw_o(dma_bw), .ev_time_o(ev_time)
  );

  unison_tables u_tables (
    .clk_i, .we_w_i(table_write[0]), .we_z_i(table_write[1]), .we_turn_i(table_write[2]),
    .idx_i(paddr_i[7:2]), .be_i(pstrb_i[1:0]), .data_i(pwdata_i[15:0]),
    .w_o(w), .z_o(z), .turn_o(turn)
  );

  unison_timebase u_timebase (.clk_i, .rst_ni, .prescale_i(prescale), .time_o(now));

  assign ev_last = ev_level == ($clog2(EvDepth + 1))'(EvDepth - 1);

  unison_ev_arb u_ev_arb (
    .clk_i, .rst_ni, .ts_ext_i(ctrl[unison_pkg::CtrlTsExt]), .now_i(now),
    .apb_push_i(ev_push), .apb_refused_i(refused & (&pstrb_i)), .apb_word_i(pwdata_i),
    .apb_time_i(ev_time), .apb_full_o(ev_apb_full),
    .ev_valid_i, .ev_ready_o, .ev_code_i, .ev_slot_i, .ev_tokens_i, .ev_time_i,
    .full_i(ev_full), .last_i(ev_last),
    .push_o(ev_enter), .word_o(enter_word), .ts_o(enter_ts)
  );

  unison_fifo #(.Width(64), .Depth(EvDepth)) u_events (
    .clk_i, .rst_ni, .push_i(ev_enter), .data_i({enter_word, enter_ts}), .full_o(ev_full),
    .pop_i(ev_pop), .data_o({ev_word, ev_ts}), .empty_o(ev_empty), .level_o(ev_level)
  );

  unison_fifo #(.Width(RecW), .Depth(DecDepth)) u_records (
    .clk_i, .rst_ni, .push_i(rec_push), .data_i(rec_in), .full_o(rec_full),
    .pop_i(rec_pop), .data_o(rec_out), .empty_o(rec_empty), .level_o(rec_level)
  );

  unison_fifo #(.Width(DmaW), .Depth(2)) u_dma (
    .clk_i, .rst_ni, .push_i(dma_push), .data_i(dma_in), .full_o(dma_full),
    .pop_i(dma_ready_i), .data_o({dma_promote_o, dma_last_o, dma_slot_o, dma_tokens_o}),
    .empty_o(dma_empty), .level_o(unused_dma_level)
  );
  assign dma_valid_o = ~dma_empty;

  // Slot table and ranking.
  logic [IdxW-1:0] rd_slot, wr_slot, top_slot, low_slot;
  logic [unison_pkg::TurnW-1:0] rd_k, wr_k;
  logic [TokW-1:0] rd_tok, wr_tok;
  logic [unison_pkg::TimeW-1:0] rd_t_on, wr_t_on;
  logic [unison_pkg::GapW-1:0] rd_ghat, wr_ghat;
  logic rd_seen, rd_fly, wr_seen, wr_fly_val, wr_body, wr_tier, wr_fly, clear_fly;
  logic [unison_pkg::TierW-1:0] rd_tier, wr_tier_val;
  logic [unison_pkg::StateW-1:0] rd_state, wr_state;
  logic [RowW-1:0] row;
  logic [NumLanes-1:0][unison_pkg::TurnW-1:0] row_k;
  logic [NumLanes-1:0][TokW-1:0] row_tok;
  logic [NumLanes-1:0][unison_pkg::TimeW-1:0] row_t_on;
  logic [NumLanes-1:0][unison_pkg::GapW-1:0] row_ghat;
  logic [NumLanes-1:0] row_gap, row_sram;
  logic [NumSlots-1:0] cand;
  logic rank_start, rank_tide, rank_abort, rank_own, rank_pop, rank_busy, rank_done, rank_pass;
  logic [1:0] rank_mask, dry;
  logic top_valid, top_hbm, low_valid, lat_valid;
  logic [unison_pkg::KeyW-1:0] top_key, low_key, own_key;
  logic [unison_pkg::TokW-1:0] sum_sram, sum_hbm;
  logic [31:0] lat_cycles;

  unison_slot_table #(.NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW)) u_slots (
    .clk_i, .rst_ni,
    .rd_slot_i(rd_slot), .rd_k_o(rd_k), .rd_tok_o(rd_tok), .rd_t_on_o(rd_t_on),
    .rd_ghat_o(rd_ghat), .rd_seen_o(rd_seen), .rd_tier_o(rd_tier), .rd_state_o(rd_state),
    .rd_fly_o(rd_fly),
    .row_i(row), .row_k_o(row_k), .row_tok_o(row_tok), .row_t_on_o(row_t_on),
    .row_ghat_o(row_ghat), .row_gap_o(row_gap), .row_sram_o(row_sram), .cand_o(cand),
    .wr_slot_i(wr_slot), .wr_body_i(wr_body), .wr_tier_i(wr_tier), .wr_fly_i(wr_fly),
    .clear_fly_i(clear_fly), .wr_k_i(wr_k), .wr_tok_i(wr_tok), .wr_t_on_i(wr_t_on),
    .wr_ghat_i(wr_ghat), .wr_seen_i(wr_seen), .wr_state_i(wr_state),
    .wr_tier_val_i(wr_tier_val), .wr_fly_val_i(wr_fly_val)
  );

  if (Arch == 0) begin : gen_rank
    logic unused_tide;
    assign unused_tide = rank_tide;
    unison_rank #(
      .NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW), .Scorer(Scorer)
    ) u_rank (
      .clk_i, .rst_ni, .start_i(rank_start), .abort_i(rank_abort),
      .own_slot_i(ev_word[unison_pkg::TokW+:IdxW]), .own_en_i(rank_own), .ts_i(ev_ts),
      .cap_sram_i(cap_sram), .w_i(w), .z_i(z), .turn_i(turn), .cand_i(cand),
      .row_o(row), .row_k_i(row_k), .row_tok_i(row_tok), .row_t_on_i(row_t_on),
      .row_ghat_i(row_ghat), .row_gap_i(row_gap), .row_sram_i(row_sram),
      .busy_o(rank_busy), .done_o(rank_done), .pass_o(rank_pass),
      .sum_sram_o(sum_sram), .sum_hbm_o(sum_hbm), .mask_i(rank_mask), .pop_i(rank_pop),
      .top_valid_o(top_valid), .top_key_o(top_key), .top_slot_o(top_slot), .top_hbm_o(top_hbm),
      .dry_o(dry), .low_valid_o(low_valid), .low_key_o(low_key), .low_slot_o(low_slot),
      .own_key_o(own_key)
    );
  end else begin : gen_rank
    unison_rank_linear #(
      .NumSlots(NumSlots), .TokW(TokW), .Scorer(Scorer), .Sparse(Arch == 2)
    ) u_rank (
      .clk_i, .rst_ni, .start_i(rank_start), .tide_i(rank_tide), .abort_i(rank_abort),
      .own_slot_i(ev_word[unison_pkg::TokW+:IdxW]), .own_en_i(rank_own), .ts_i(ev_ts),
      .cap_sram_i(cap_sram), .w_i(w), .z_i(z), .turn_i(turn), .cand_i(cand),
      .row_o(row), .row_k_i(row_k), .row_tok_i(row_tok), .row_t_on_i(row_t_on),
      .row_ghat_i(row_ghat), .row_gap_i(row_gap), .row_sram_i(row_sram),
      .busy_o(rank_busy), .done_o(rank_done), .pass_o(rank_pass),
      .sum_sram_o(sum_sram), .sum_hbm_o(sum_hbm), .mask_i(rank_mask), .pop_i(rank_pop),
      .top_valid_o(top_valid), .top_key_o(top_key), .top_slot_o(top_slot), .top_hbm_o(top_hbm),
      .dry_o(dry), .low_valid_o(low_valid), .low_key_o(low_key), .low_slot_o(low_slot),
      .own_key_o(own_key)
    );
  end

  unison_ctrl #(
    .NumSlots(NumSlots), .TokW(TokW), .Arch(Arch),
    .Divide(Arch == 1 && (Scorer == 1 || Scorer == 3))
  ) u_ctrl (
    .clk_i, .rst_ni,
    .enable_i(ctrl[unison_pkg::CtrlEnable]), .tide_i(ctrl[unison_pkg::CtrlTide]),
    .prior_i(gap_prior), .shift_i(ema_shift), .bw_i(dma_bw),
    .cap_sram_i(cap_sram), .cap_hbm_i(cap_hbm),
    .used_sram_o(used_sram), .used_hbm_o(used_hbm), .outstanding_o(outstanding),
    .ev_valid_i(~ev_empty), .ev_word_i(ev_word), .ev_ts_i(ev_ts), .ev_pop_o(ev_pop),
    .rec_push_o(rec_push), .rec_o(rec_in), .rec_full_i(rec_full),
    .dma_push_o(dma_push), .dma_o(dma_in), .dma_full_i(dma_full),
    .lat_o(lat_valid), .lat_cycles_o(lat_cycles),
    .rd_slot_o(rd_slot), .rd_k_i(rd_k), .rd_tok_i(rd_tok), .rd_t_on_i(rd_t_on),
    .rd_ghat_i(rd_ghat), .rd_seen_i(rd_seen), .rd_tier_i(rd_tier), .rd_state_i(rd_state),
    .rd_fly_i(rd_fly),
    .wr_slot_o(wr_slot), .wr_body_o(wr_body), .wr_tier_o(wr_tier), .wr_fly_o(wr_fly),
    .clear_fly_o(clear_fly), .wr_k_o(wr_k), .wr_tok_o(wr_tok), .wr_t_on_o(wr_t_on),
    .wr_ghat_o(wr_ghat), .wr_seen_o(wr_seen), .wr_state_o(wr_state),
    .wr_tier_val_o(wr_tier_val), .wr_fly_val_o(wr_fly_val),
    .rank_start_o(rank_start), .rank_tide_o(rank_tide), .rank_abort_o(rank_abort),
    .rank_own_o(rank_own),
    .rank_mask_o(rank_mask), .rank_pop_o(rank_pop),
    .rank_busy_i(rank_busy), .rank_done_i(rank_done),
    .sum_sram_i(sum_sram), .sum_hbm_i(sum_hbm),
    .top_valid_i(top_valid), .top_key_i(top_key), .top_slot_i(top_slot), .top_hbm_i(top_hbm),
    .dry_i(dry), .low_valid_i(low_valid), .low_key_i(low_key), .low_slot_i(low_slot),
    .own_key_i(own_key)
  );

  unison_counters u_counters (
    .clk_i, .rst_ni, .event_i(ev_pop), .rec_i(rec_push), .kind_i(kind_in), .info_i(info_in),
    .refused_i(refused), .pass_i(rank_pass), .lat_i(lat_valid), .lat_cycles_i(lat_cycles),
    .cnt_o(cnt), .err_o(err_cnt)
  );

  // Interrupt: a record waits (level), an error was reported, an event was refused (until cleared).
  logic error_q, refused_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q   <= 1'b0;
      refused_q <= 1'b0;
    end else begin
      if (rec_push && kind_in == unison_pkg::RecError) error_q <= 1'b1;
      else if (irq_clear && pwdata_i[unison_pkg::IrqError]) error_q <= 1'b0;
      if (refused) refused_q <= 1'b1;
      else if (irq_clear && pwdata_i[unison_pkg::IrqRefused]) refused_q <= 1'b0;
    end
  end
  assign irq_status = {refused_q, error_q, ~rec_empty};
  assign irq_o      = |(irq_status & irq_enable);
endmodule
