/// The event's own slot while its event is processed.
///
/// Policy: read once as the event is taken, moved on by the event (contract sections 2, 3), written
/// back once. Tokens, time and state of the write-back follow from the event's code; the tier is the
/// controller's business. `outcome_o` is what a REQ found before any change.
/// Timing: `load_i` registers the slot; `update_i`, two cycles later at the earliest, applies turn
/// count and gap average; `wr_*` are then ready.
module unison_session #(
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// Bits of a gap average in the slot table: GapW, or those of its code (unison_ghat_pack).
  parameter int GhatW = unison_pkg::GapW
) (
  /// Clock.
  input  logic                          clk_i,
  /// Take the slot in.
  input  logic                          load_i,
  /// Count the turn (REQ), average the gap (REQ in GAP, GAP_CLOSE).
  input  logic                          update_i,
  /// Event code.
  input  logic [unison_pkg::CodeW-1:0]  code_i,
  /// Its tokens.
  input  logic [unison_pkg::TokW-1:0]   tokens_i,
  /// Its time.
  input  logic [unison_pkg::TimeW-1:0]  ts_i,
  /// G0.
  input  logic [unison_pkg::GapW-1:0]   prior_i,
  /// EMA shift a.
  input  logic [unison_pkg::ShiftW-1:0] shift_i,
  /// Turns, from the slot table.
  input  logic [unison_pkg::TurnW-1:0]  rd_k_i,
  /// Size.
  input  logic [TokW-1:0]               rd_tok_i,
  /// Onset.
  input  logic [unison_pkg::TimeW-1:0]  rd_t_on_i,
  /// Gap average.
  input  logic [GhatW-1:0]              rd_ghat_i,
  /// It has had a gap.
  input  logic                          rd_seen_i,
  /// Tier.
  input  logic [unison_pkg::TierW-1:0]  rd_tier_i,
  /// State.
  input  logic [unison_pkg::StateW-1:0] rd_state_i,
  /// In flight.
  input  logic                          rd_fly_i,
  /// State before the event.
  output logic [unison_pkg::StateW-1:0] state_o,
  /// Tier before the event.
  output logic [unison_pkg::TierW-1:0]  tier_o,
  /// Size before the event.
  output logic [TokW-1:0]               tok_o,
  /// Gap average, ticks.
  output logic [unison_pkg::GapW-1:0]   ghat_o,
  /// What a REQ finds.
  output logic [unison_pkg::InfoW-1:0]  outcome_o,
  /// Turns to write.
  output logic [unison_pkg::TurnW-1:0]  wr_k_o,
  /// Size to write.
  output logic [TokW-1:0]               wr_tok_o,
  /// Onset to write.
  output logic [unison_pkg::TimeW-1:0]  wr_t_on_o,
  /// Gap average to write.
  output logic [GhatW-1:0]              wr_ghat_o,
  /// Seen flag to write.
  output logic                          wr_seen_o,
  /// State to write.
  output logic [unison_pkg::StateW-1:0] wr_state_o
);
  localparam int TimeW = unison_pkg::TimeW;
  localparam int GapW = unison_pkg::GapW;

  logic [unison_pkg::TurnW-1:0] k_q;
  logic [TokW-1:0] tok_q;
  logic [TimeW-1:0] t_on_q, waited;
  logic [GapW-1:0] ghat_q, gap_q, gap, ema, rd_ghat;
  logic seen_q, fly_q, is_req, is_open, is_close, cold;
  logic [unison_pkg::TierW-1:0] tier_q;
  logic [unison_pkg::StateW-1:0] state_q;

  assign is_req   = code_i == unison_pkg::EvReq;
  assign is_open  = code_i == unison_pkg::EvGapOpen;
  assign is_close = code_i == unison_pkg::EvGapClose;
  assign cold     = state_q == unison_pkg::StFree;

  // The gap is registered, so that subtraction and average fall in different cycles.
  assign waited = ts_i - t_on_q;
  assign gap    = (|waited[TimeW-1:GapW]) ? '1 : waited[GapW-1:0];

  unison_ema u_ema (
    .ghat_i(ghat_q), .gap_i(gap_q), .seen_i(seen_q), .shift_i, .ghat_o(ema)
  );

  always_ff @(posedge clk_i) begin
    gap_q <= gap;
    if (load_i) begin
      k_q     <= rd_k_i;
      tok_q   <= rd_tok_i;
      t_on_q  <= rd_t_on_i;
      ghat_q  <= rd_ghat;
      seen_q  <= rd_seen_i;
      tier_q  <= rd_tier_i;
      state_q <= rd_state_i;
      fly_q   <= rd_fly_i;
    end else if (update_i) begin
      if (is_req && cold) begin
        k_q    <= unison_pkg::TurnW'(1);
        ghat_q <= prior_i;
        seen_q <= 1'b0;
      end else begin
        if (is_req && k_q != '1) k_q <= k_q + 1'b1;
        if (state_q == unison_pkg::StGap) begin
          ghat_q <= ema;
          seen_q <= 1'b1;
        end
      end
    end
  end

  always_comb begin
    if (cold) outcome_o = unison_pkg::OutCold;
    else if (tier_q == unison_pkg::TierNone) outcome_o = unison_pkg::OutMiss;
    else if (tier_q == unison_pkg::TierHbm || fly_q) outcome_o = unison_pkg::OutHitHbm;
    else outcome_o = unison_pkg::OutHitSram;
  end

  always_comb begin
    if (is_req) wr_state_o = unison_pkg::StActive;
    else if (is_open) wr_state_o = unison_pkg::StGap;
    else if (is_close) wr_state_o = unison_pkg::StReady;
    else wr_state_o = unison_pkg::StFree;
  end

  assign state_o   = state_q;
  assign tier_o    = tier_q;
  assign tok_o     = tok_q;
  assign wr_k_o    = k_q;
  // A legal event's tokens fit TokW bits.
  logic unused_tokens;
  assign unused_tokens = ^tokens_i;

  assign wr_tok_o  = (is_req | is_open) ? tokens_i[TokW-1:0] : tok_q;
  assign wr_t_on_o = (is_open | is_close) ? ts_i : t_on_q;
  assign ghat_o    = ghat_q;
  assign wr_seen_o = seen_q;

  if (GhatW == GapW) begin : gen_plain
    assign rd_ghat   = rd_ghat_i;
    assign wr_ghat_o = ghat_q;
  end else begin : gen_code
    unison_ghat_unpack u_unpack (.code_i(rd_ghat_i), .ghat_o(rd_ghat));
    unison_ghat_pack u_pack (.ghat_i(ghat_q), .code_o(wr_ghat_o));
  end
endmodule
