/// The controller: takes an event from the FIFO's head, runs Spear and Tide, writes the records.
///
/// Policy: contract sections 2, 4, 5, 9; one event at a time. Brings together the state machine
/// (unison_fsm), the legality check, the event's own slot, the accounts, Tide's arithmetic and the
/// latency meter.
module unison_ctrl #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// Bits of a gap average in the slot table.
  parameter int GhatW = unison_pkg::GapW,
  /// Bits of a ranking key.
  parameter int KeyW = unison_pkg::KeyW,
  /// Architecture: 0 rows, 1 linear, 2 sparse.
  parameter int Arch = 0,
  /// Tide's budget by a divider.
  parameter bit Divide = 1'b0,
  /// Derived: bits of a slot index.
  localparam int IdxW = $clog2(NumSlots),
  /// Derived: bits of a record.
  localparam int RecW = unison_pkg::KindW + unison_pkg::InfoW + unison_pkg::TierW +
      unison_pkg::SlotW + unison_pkg::SeqW + unison_pkg::TokW,
  /// Derived: bits of a DMA descriptor {promote, last, slot, tokens}.
  localparam int DmaW = 2 + unison_pkg::SlotW + unison_pkg::TokW
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Take events.
  input  logic                          enable_i,
  /// Tide is on.
  input  logic                          tide_i,
  /// G0.
  input  logic [unison_pkg::GapW-1:0]   prior_i,
  /// EMA shift a.
  input  logic [unison_pkg::ShiftW-1:0] shift_i,
  /// Bandwidth, Q8.8.
  input  logic [unison_pkg::BwW-1:0]    bw_i,
  /// Capacity of the SRAM.
  input  logic [unison_pkg::TokW-1:0]   cap_sram_i,
  /// Capacity of the HBM.
  input  logic [unison_pkg::TokW-1:0]   cap_hbm_i,
  /// Tokens resident in the SRAM.
  output logic [unison_pkg::TokW-1:0]   used_sram_o,
  /// Tokens resident in the HBM.
  output logic [unison_pkg::TokW-1:0]   used_hbm_o,
  /// A migration is under way.
  output logic                          outstanding_o,
  /// An event waits.
  input  logic                          ev_valid_i,
  /// Its word.
  input  logic [31:0]                   ev_word_i,
  /// Its time.
  input  logic [unison_pkg::TimeW-1:0]  ev_ts_i,
  /// The event is finished.
  output logic                          ev_pop_o,
  /// Enter a record.
  output logic                          rec_push_o,
  /// {kind, info, tier, slot, event number, tokens}.
  output logic [RecW-1:0]               rec_o,
  /// No room for a record.
  input  logic                          rec_full_i,
  /// Enter a DMA descriptor.
  output logic                          dma_push_o,
  /// {promote, last, slot, tokens}.
  output logic [DmaW-1:0]               dma_o,
  /// No room for a descriptor.
  input  logic                          dma_full_i,
  /// An event with a decision ends.
  output logic                          lat_o,
  /// Its latency, cycles.
  output logic [31:0]                   lat_cycles_o,
  /// Slot to read.
  output logic [IdxW-1:0]               rd_slot_o,
  /// Its turns.
  input  logic [unison_pkg::TurnW-1:0]  rd_k_i,
  /// Its size.
  input  logic [TokW-1:0]               rd_tok_i,
  /// Its onset.
  input  logic [unison_pkg::TimeW-1:0]  rd_t_on_i,
  /// Its gap average.
  input  logic [GhatW-1:0]              rd_ghat_i,
  /// It has had a gap.
  input  logic                          rd_seen_i,
  /// Its tier.
  input  logic [unison_pkg::TierW-1:0]  rd_tier_i,
  /// Its state.
  input  logic [unison_pkg::StateW-1:0] rd_state_i,
  /// It is in flight.
  input  logic                          rd_fly_i,
  /// Slot to write.
  output logic [IdxW-1:0]               wr_slot_o,
  /// Write turns, size, onset, average, seen and state.
  output logic                          wr_body_o,
  /// Write the tier.
  output logic                          wr_tier_o,
  /// Write the in-flight flag.
  output logic                          wr_fly_o,
  /// Clear all in-flight flags.
  output logic                          clear_fly_o,
  /// Turns to write.
  output logic [unison_pkg::TurnW-1:0]  wr_k_o,
  /// Size to write.
  output logic [TokW-1:0]               wr_tok_o,
  /// Onset to write.
  output logic [unison_pkg::TimeW-1:0]  wr_t_on_o,
  /// Average to write.
  output logic [GhatW-1:0]              wr_ghat_o,
  /// Seen flag to write.
  output logic                          wr_seen_o,
  /// State to write.
  output logic [unison_pkg::StateW-1:0] wr_state_o,
  /// Tier to write.
  output logic [unison_pkg::TierW-1:0]  wr_tier_val_o,
  /// In-flight flag to write.
  output logic                          wr_fly_val_o,
  /// Begin a ranking pass.
  output logic                          rank_start_o,
  /// The pass is for Tide.
  output logic                          rank_tide_o,
  /// Drop it.
  output logic                          rank_abort_o,
  /// The own slot's key is wanted.
  output logic                          rank_own_o,
  /// Tiers to choose the top from.
  output logic [1:0]                    rank_mask_o,
  /// Remove the top.
  output logic                          rank_pop_o,
  /// A pass is under way.
  input  logic                          rank_busy_i,
  /// Its results are valid.
  input  logic                          rank_done_i,
  /// Sum of the candidates in the SRAM.
  input  logic [unison_pkg::TokW-1:0]   sum_sram_i,
  /// Sum of the candidates in the HBM.
  input  logic [unison_pkg::TokW-1:0]   sum_hbm_i,
  /// There is a top.
  input  logic                          top_valid_i,
  /// Its key.
  input  logic [KeyW-1:0]               top_key_i,
  /// Its slot.
  input  logic [IdxW-1:0]               top_slot_i,
  /// It sits in the HBM.
  input  logic                          top_hbm_i,
  /// A lane has run dry, by tier.
  input  logic [1:0]                    dry_i,
  /// There is a promotion candidate.
  input  logic                          low_valid_i,
  /// Its key.
  input  logic [KeyW-1:0]               low_key_i,
  /// Its slot.
  input  logic [IdxW-1:0]               low_slot_i,
  /// Key of the own slot.
  input  logic [KeyW-1:0]               own_key_i
);
  logic [unison_pkg::CodeW-1:0] code;
  logic [unison_pkg::SlotW-1:0] slot_word;
  logic [unison_pkg::TokW-1:0] tokens;

  assign {code, slot_word, tokens} = ev_word_i;

  // Phases of the event, from the state machine.
  logic idle, check, prep, ema, merge, load_p, load_q, mig_done;

  assign rank_own_o  = code == unison_pkg::EvGapOpen;
  assign clear_fly_o = mig_done;

  // Legality.
  logic fault, outstanding_q;
  logic [unison_pkg::InfoW-1:0] cause;
  logic [unison_pkg::StateW-1:0] own_state;

  unison_check #(.NumSlots(NumSlots), .TokW(TokW)) u_check (
    .clk_i, .rst_ni, .accept_i(check),
    .code_i(code), .slot_i(slot_word), .tokens_i(tokens), .ts_i(ev_ts_i),
    .state_i(own_state), .outstanding_i(outstanding_q), .fault_o(fault), .cause_o(cause)
  );

  // The own slot.
  logic [unison_pkg::TierW-1:0] own_tier, new_tier;
  logic [TokW-1:0] own_tok;
  logic [unison_pkg::InfoW-1:0] outcome;
  logic [unison_pkg::GapW-1:0] own_ghat;

  unison_session #(.TokW(TokW), .GhatW(GhatW)) u_session (
    .clk_i, .load_i(idle), .update_i(ema),
    .code_i(code), .tokens_i(tokens), .ts_i(ev_ts_i), .prior_i, .shift_i,
    .rd_k_i, .rd_tok_i, .rd_t_on_i, .rd_ghat_i, .rd_seen_i, .rd_tier_i, .rd_state_i, .rd_fly_i,
    .state_o(own_state), .tier_o(own_tier), .tok_o(own_tok), .ghat_o(own_ghat), .outcome_o(outcome),
    .wr_k_o, .wr_tok_o, .wr_t_on_o, .wr_ghat_o, .wr_seen_o, .wr_state_o
  );

  // Accounts.
  logic [1:0] room, elig;
  logic sub, add, move, swap;
  logic [unison_pkg::TierW-1:0] sub_tier;
  logic [unison_pkg::TokW-1:0] sub_tok, p_size, q_size;

  unison_accounts u_accounts (
    .clk_i, .rst_ni, .cap_sram_i, .cap_hbm_i,
    .sub_i(sub), .sub_tier_i(sub_tier), .sub_tok_i(sub_tok),
    .add_i(add), .add_tier_i(new_tier),
    .move_i(move), .up_i(p_size), .down_i(swap ? q_size : '0),
    .need_i(tokens), .track_i(rank_busy_i), .sum_sram_i, .sum_hbm_i,
    .used_sram_o, .used_hbm_o, .room_o(room), .elig_o(elig)
  );

  // Tide.
  logic p_valid, direct, exchange, tested;
  logic [IdxW-1:0] p_slot, q_slot, own_slot;

  assign own_slot = slot_word[IdxW-1:0];

  unison_tide #(.IdxW(IdxW), .KeyW(KeyW), .Arch(Arch), .Divide(Divide)) u_tide (
    .clk_i, .ghat_i(own_ghat), .bw_i, .budget_hi_i(check), .budget_lo_i(prep),
    .low_valid_i, .low_key_i, .low_slot_i, .top_valid_i, .top_key_i, .top_slot_i,
    .own_key_i, .own_slot_i(own_slot), .own_tier_i(new_tier), .own_tok_i(tokens),
    .cap_sram_i, .cap_hbm_i, .used_sram_i(used_sram_o), .used_hbm_i(used_hbm_o),
    .merge_i(merge), .load_p_i(load_p), .load_q_i(load_q),
    .size_i(unison_pkg::TokW'(rd_tok_i)),
    .p_valid_o(p_valid), .tested_o(tested), .p_slot_o(p_slot), .q_slot_o(q_slot),
    .p_size_o(p_size), .q_size_o(q_size), .direct_o(direct), .swap_o(exchange)
  );

  // Records and descriptors share slot and tokens.
  logic [unison_pkg::KindW-1:0] kind;
  logic [unison_pkg::InfoW-1:0] info;
  logic [unison_pkg::TierW-1:0] rec_tier;
  logic [unison_pkg::SlotW-1:0] rec_slot;
  logic [unison_pkg::TokW-1:0] rec_tok;
  logic [unison_pkg::SeqW-1:0] seq_q;
  logic dma_promote, decision;

  assign rec_o    = {kind, info, rec_tier, rec_slot, seq_q, rec_tok};
  assign dma_o    = {dma_promote, dma_promote, rec_slot, rec_tok};
  assign decision = rec_push_o && kind != unison_pkg::RecOutcome &&
                    kind != unison_pkg::RecPlace && kind != unison_pkg::RecError;

  unison_latency u_latency (
    .clk_i, .rst_ni, .first_i(idle), .decision_i(decision), .end_i(ev_pop_o),
    .valid_o(lat_o), .cycles_o(lat_cycles_o)
  );

  unison_fsm #(.IdxW(IdxW)) u_fsm (
    .clk_i, .rst_ni, .go_i(ev_valid_i & enable_i), .code_i(code), .slot_i(slot_word),
    .tokens_i(tokens), .tide_i(tide_i & ~outstanding_q),
    .idle_o(idle), .check_o(check), .prep_o(prep), .ema_o(ema), .pop_o(ev_pop_o),
    .fault_i(fault), .cause_i(cause),
    .own_tier_i(own_tier), .own_tok_i(unison_pkg::TokW'(own_tok)), .outcome_i(outcome),
    .new_tier_o(new_tier), .room_i(room), .elig_i(elig),
    .sub_o(sub), .sub_tier_o(sub_tier), .sub_tok_o(sub_tok), .add_o(add),
    .move_o(move), .swap_o(swap),
    .rec_push_o, .kind_o(kind), .info_o(info), .rec_tier_o(rec_tier), .rec_slot_o(rec_slot),
    .rec_tok_o(rec_tok), .rec_full_i,
    .dma_push_o, .dma_promote_o(dma_promote), .dma_full_i, .mig_done_o(mig_done),
    .rank_start_o, .rank_tide_o, .rank_abort_o, .rank_mask_o, .rank_pop_o, .rank_busy_i,
    .rank_done_i,
    .top_slot_i, .top_hbm_i, .dry_i, .low_valid_i, .low_slot_i,
    .merge_o(merge), .load_p_o(load_p), .load_q_o(load_q), .p_valid_i(p_valid),
    .p_slot_i(p_slot), .q_slot_i(q_slot), .p_size_i(p_size), .q_size_i(q_size),
    .tested_i(tested), .direct_i(direct), .exchange_i(exchange),
    .rd_slot_o, .rd_tok_i(unison_pkg::TokW'(rd_tok_i)), .rd_tier_i,
    .wr_slot_o, .wr_body_o, .wr_tier_o, .wr_tier_val_o, .wr_fly_o, .wr_fly_val_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seq_q         <= '0;
      outstanding_q <= 1'b0;
    end else begin
      if (ev_pop_o) seq_q <= seq_q + 1'b1;
      if (move) outstanding_q <= 1'b1;
      else if (mig_done) outstanding_q <= 1'b0;
    end
  end

  assign outstanding_o = outstanding_q;
endmodule
