/// The slot table, in flip-flops.
///
/// Per slot: turns seen (8 bits), tokens (TokW), gap onset (32), gap average (GhatW), "a gap was
/// measured" (1); and tier (2), state (2), in flight (1), which also leave as one candidate bit.
/// Ports: one read port by slot, one read port by row (NumLanes neighbouring slots, slot = row *
/// NumLanes + lane), one write port with an enable per field group, and a clear of all in-flight
/// flags. Reads are combinational, a write is visible in the next cycle.
/// Only tier, state and in-flight are reset: the rest is written before it is ever used.
module unison_slot_table #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Slots in a row.
  parameter int NumLanes = unison_pkg::DefaultLanes,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// Bits of a gap average.
  parameter int GhatW = unison_pkg::GapW,
  /// Derived: bits of a slot index.
  localparam int IdxW = $clog2(NumSlots),
  /// Derived: bits of a row index.
  localparam int RowW = (NumSlots > NumLanes) ? $clog2(NumSlots / NumLanes) : 1
) (
  /// Clock.
  input  logic                                            clk_i,
  /// Asynchronous reset, active low.
  input  logic                                            rst_ni,
  /// Slot to read.
  input  logic [IdxW-1:0]                                 rd_slot_i,
  /// Its turns.
  output logic [unison_pkg::TurnW-1:0]                    rd_k_o,
  /// Its size.
  output logic [TokW-1:0]                                 rd_tok_o,
  /// Its gap onset, or the time its gap closed.
  output logic [unison_pkg::TimeW-1:0]                    rd_t_on_o,
  /// Its gap average.
  output logic [GhatW-1:0]                                rd_ghat_o,
  /// Whether it has had a gap.
  output logic                                            rd_seen_o,
  /// Its tier.
  output logic [unison_pkg::TierW-1:0]                    rd_tier_o,
  /// Its state.
  output logic [unison_pkg::StateW-1:0]                   rd_state_o,
  /// Whether a migration moves it.
  output logic                                            rd_fly_o,
  /// Row to read.
  input  logic [RowW-1:0]                                 row_i,
  /// Turns of the row's slots.
  output logic [NumLanes-1:0][unison_pkg::TurnW-1:0]      row_k_o,
  /// Sizes of the row's slots.
  output logic [NumLanes-1:0][TokW-1:0]                   row_tok_o,
  /// Onsets of the row's slots.
  output logic [NumLanes-1:0][unison_pkg::TimeW-1:0]      row_t_on_o,
  /// Gap averages of the row's slots.
  output logic [NumLanes-1:0][GhatW-1:0]                  row_ghat_o,
  /// Whether each of the row's slots is in GAP (else READY, if a candidate).
  output logic [NumLanes-1:0]                             row_gap_o,
  /// Whether each of the row's slots sits in the SRAM.
  output logic [NumLanes-1:0]                             row_sram_o,
  /// Every slot: resident, in GAP or READY, not in flight.
  output logic [NumSlots-1:0]                             cand_o,
  /// Slot to write.
  input  logic [IdxW-1:0]                                 wr_slot_i,
  /// Write turns, size, onset, average, seen and state.
  input  logic                                            wr_body_i,
  /// Write the tier.
  input  logic                                            wr_tier_i,
  /// Write the in-flight flag.
  input  logic                                            wr_fly_i,
  /// Clear all in-flight flags.
  input  logic                                            clear_fly_i,
  /// Turns to write.
  input  logic [unison_pkg::TurnW-1:0]                    wr_k_i,
  /// Size to write.
  input  logic [TokW-1:0]                                 wr_tok_i,
  /// Onset to write.
  input  logic [unison_pkg::TimeW-1:0]                    wr_t_on_i,
  /// Gap average to write.
  input  logic [GhatW-1:0]                                wr_ghat_i,
  /// Seen flag to write.
  input  logic                                            wr_seen_i,
  /// State to write.
  input  logic [unison_pkg::StateW-1:0]                   wr_state_i,
  /// Tier to write.
  input  logic [unison_pkg::TierW-1:0]                    wr_tier_val_i,
  /// In-flight flag to write.
  input  logic                                            wr_fly_val_i
);
  localparam int BodyW = unison_pkg::TurnW + TokW + unison_pkg::TimeW + GhatW + 1;

  logic [BodyW-1:0] body_q [NumSlots];
  logic [unison_pkg::TierW-1:0] tier_q [NumSlots];
  logic [unison_pkg::StateW-1:0] state_q [NumSlots];
  logic [NumSlots-1:0] fly_q;

  always_ff @(posedge clk_i) begin
    if (wr_body_i) body_q[wr_slot_i] <= {wr_k_i, wr_tok_i, wr_t_on_i, wr_ghat_i, wr_seen_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < NumSlots; i++) begin
        tier_q[i]  <= unison_pkg::TierNone;
        state_q[i] <= unison_pkg::StFree;
      end
      fly_q <= '0;
    end else begin
      if (wr_tier_i) tier_q[wr_slot_i] <= wr_tier_val_i;
      if (wr_body_i) state_q[wr_slot_i] <= wr_state_i;
      if (clear_fly_i) fly_q <= '0;
      else if (wr_fly_i) fly_q[wr_slot_i] <= wr_fly_val_i;
    end
  end

  assign {rd_k_o, rd_tok_o, rd_t_on_o, rd_ghat_o, rd_seen_o} = body_q[rd_slot_i];
  assign rd_tier_o  = tier_q[rd_slot_i];
  assign rd_state_o = state_q[rd_slot_i];
  assign rd_fly_o   = fly_q[rd_slot_i];

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    logic [IdxW-1:0] slot;
    logic unused_seen;
    assign slot = IdxW'(int'(row_i) * NumLanes + l);
    assign {row_k_o[l], row_tok_o[l], row_t_on_o[l], row_ghat_o[l], unused_seen} = body_q[slot];
    assign row_gap_o[l]  = state_q[slot] == unison_pkg::StGap;
    assign row_sram_o[l] = tier_q[slot] == unison_pkg::TierSram;
  end

  for (genvar i = 0; i < NumSlots; i++) begin : gen_cand
    assign cand_o[i] = (tier_q[i] != unison_pkg::TierNone) && !fly_q[i] &&
        (state_q[i] == unison_pkg::StGap || state_q[i] == unison_pkg::StReady);
  end
endmodule
