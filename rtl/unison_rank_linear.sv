/// The ranking unit of the linear and the sparse architecture: a scan of all slots, or of the
/// candidates alone, one a cycle, by one scorer and one comparator. Same ports as unison_rank.
///
/// Policy: contract section 3; ties go to the lowest slot. A scan is of one of two kinds, by `tide_i`:
///   victims     the largest key of each tier among the candidates but the event's own slot, and the
///               sums of their sizes; there are no runners-up, so after a pop `dry_o` asks for another
///   placement   the SRAM's largest and the HBM's smallest key, the own slot among the candidates: it
///               is in the table by then, so its key is not wanted apart and `own_key_o` is 0
/// A slot is in one tier, so one comparator serves both best entries, and in the end puts the two in
/// order. `top_key_o` and `low_key_o` only tell that order: 1 and 0 if the SRAM's best is above the
/// HBM's, else 0 and 0.
/// Timing: `start_i` in cycle t gives `done_o` in cycle t + V + ScoreLat + 1, V slots visited (all, or
/// with Sparse the candidates, at least 1): + 7 for the product and (6 bits a stage) the quotient,
/// + 6 for the reciprocal, + 3 for the ratio. The results of a scan of the other kind than `tide_i`
/// do not count as done. `mask_i` only selects. The shortest scan, a ratio's of one slot, takes four
/// cycles, which the controller's accounts need to settle (Prep).
/// Held stable by the owner during a scan: own_slot_i, ts_i, the table.
module unison_rank_linear #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// 0 product, 1 quotient, 2 ratio, 3 reciprocal.
  parameter int Scorer = 1,
  /// Visit the candidates alone.
  parameter bit Sparse = 1'b0,
  /// Quotient bits a stage of the divider.
  parameter int Steps = 6,
  /// Derived: bits of a slot index.
  localparam int IdxW = $clog2(NumSlots),
  /// Derived: one slot a row.
  localparam int NumLanes = 1,
  /// Derived: bits of a row index.
  localparam int RowW = IdxW
) (
  /// Clock.
  input  logic                                                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                                                          rst_ni,
  /// Begin a pass.
  input  logic                                                          start_i,
  /// The scan is for Tide's placement, else for victims.
  input  logic                                                          tide_i,
  /// End the pass, or drop its results.
  input  logic                                                          abort_i,
  /// The event's own slot, never among the candidates.
  input  logic [IdxW-1:0]                                               own_slot_i,
  /// Score the own slot too, as in GAP since now.
  input  logic                                                          own_en_i,
  /// Time of the ranking.
  input  logic [unison_pkg::TimeW-1:0]                                  ts_i,
  /// Capacity of the SRAM: larger sessions are not promoted.
  input  logic [unison_pkg::TokW-1:0]                                   cap_sram_i,
  /// Table W.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] w_i,
  /// Table Z.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] z_i,
  /// Turn table.
  input  logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0]     turn_i,
  /// Resident, waiting, not in flight; every slot.
  input  logic [NumSlots-1:0]                                           cand_i,
  /// Row to read.
  output logic [RowW-1:0]                                               row_o,
  /// Turns of the row's slots.
  input  logic [NumLanes-1:0][unison_pkg::TurnW-1:0]                    row_k_i,
  /// Their sizes.
  input  logic [NumLanes-1:0][TokW-1:0]                                 row_tok_i,
  /// Their onsets.
  input  logic [NumLanes-1:0][unison_pkg::TimeW-1:0]                    row_t_on_i,
  /// Their gap averages.
  input  logic [NumLanes-1:0][unison_pkg::GapW-1:0]                     row_ghat_i,
  /// Whether they are in GAP.
  input  logic [NumLanes-1:0]                                           row_gap_i,
  /// Whether they sit in the SRAM.
  input  logic [NumLanes-1:0]                                           row_sram_i,
  /// A pass is under way.
  output logic                                                          busy_o,
  /// The results below are valid; until the next start or abort.
  output logic                                                          done_o,
  /// A pass finishes; `done_o` follows in the next cycle.
  output logic                                                          pass_o,
  /// Sum of the candidates' sizes in the SRAM.
  output logic [unison_pkg::TokW-1:0]                                   sum_sram_o,
  /// Sum of the candidates' sizes in the HBM.
  output logic [unison_pkg::TokW-1:0]                                   sum_hbm_o,
  /// Tiers that `top_*` considers: [0] SRAM, [1] HBM.
  input  logic [1:0]                                                    mask_i,
  /// Remove the top.
  input  logic                                                          pop_i,
  /// There is a top.
  output logic                                                          top_valid_o,
  /// Its key.
  output logic [unison_pkg::KeyW-1:0]                                   top_key_o,
  /// Its slot.
  output logic [IdxW-1:0]                                               top_slot_o,
  /// It sits in the HBM (else the SRAM).
  output logic                                                          top_hbm_o,
  /// By tier: a lane has run dry, the top may be wrong. [0] SRAM, [1] HBM.
  output logic [1:0]                                                    dry_o,
  /// There is a promotion candidate.
  output logic                                                          low_valid_o,
  /// Its key.
  output logic [unison_pkg::KeyW-1:0]                                   low_key_o,
  /// Its slot.
  output logic [IdxW-1:0]                                               low_slot_o,
  /// Key of the own slot, when wanted.
  output logic [unison_pkg::KeyW-1:0]                                   own_key_o
);
  localparam int KeyW = unison_pkg::KeyW;
  localparam int ScoreLat = (Scorer == 0) ? 6 : (Scorer == 1) ? 2 + unison_pkg::QuotientW / Steps :
                            (Scorer == 2) ? 2 : 5;
  // Bits of a key that differ: a quotient leaves the ready times' 32, a ratio is {1, ghat, divisor}.
  localparam int OrdW = (Scorer == 0) ? KeyW : (Scorer == 2) ? 2 + unison_pkg::GapW +
                        unison_pkg::HazardW : 1 + unison_pkg::TimeW;

  // The scan.
  logic [NumSlots-1:0] wanted;
  logic [IdxW-1:0] slot;
  logic kind_q, kind, issue, last, cand, cand_sram, cand_hbm, fits, unused_own;

  assign kind      = start_i ? tide_i : kind_q;
  assign wanted    = cand_i & ~((NumSlots'(1) << own_slot_i) & {NumSlots{~kind}});
  assign row_o     = slot;
  assign cand      = issue & wanted[slot];
  assign cand_sram = cand & row_sram_i[0];
  assign cand_hbm  = cand & ~row_sram_i[0];
  assign fits      = ~kind | (unison_pkg::TokW'(row_tok_i[0]) <= cap_sram_i);
  assign unused_own = own_en_i;

  unison_walk #(.NumSlots(NumSlots), .Sparse(Sparse)) u_walk (
    .clk_i, .rst_ni, .start_i, .abort_i, .wanted_i(wanted), .slot_o(slot), .issue_o(issue),
    .last_o(last)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kind_q <= 1'b0;
    else kind_q <= kind;
  end

  // Sums of the candidates' sizes; a tier never holds more than its capacity, so the width does.
  logic [unison_pkg::TokW-1:0] sum_sram_q, sum_hbm_q;

  always_ff @(posedge clk_i) begin
    sum_sram_q <= (start_i ? '0 : sum_sram_q) +
                  unison_pkg::TokW'(row_tok_i[0] & {TokW{cand_sram}});
    sum_hbm_q  <= (start_i ? '0 : sum_hbm_q) +
                  unison_pkg::TokW'(row_tok_i[0] & {TokW{cand_hbm}});
  end

  assign sum_sram_o = sum_sram_q;
  assign sum_hbm_o  = sum_hbm_q;

  // Beside the scorer: what the key counts for, [0] SRAM, [1] HBM; its slot; the last slot's token.
  logic [ScoreLat-1:0][1:0] use_q;
  logic [ScoreLat-1:0][IdxW-1:0] slot_q;
  logic [ScoreLat:0] last_q;
  logic [1:0] use_key;
  logic [IdxW-1:0] slot_key;
  logic final_cmp, busy_q, done_q, popped_q;

  assign use_key   = use_q[ScoreLat-1];
  assign slot_key  = slot_q[ScoreLat-1];
  assign final_cmp = last_q[ScoreLat];
  assign pass_o    = final_cmp & ~start_i & ~abort_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      use_q    <= '0;
      last_q   <= '0;
      busy_q   <= 1'b0;
      done_q   <= 1'b0;
      popped_q <= 1'b0;
    end else begin
      use_q  <= start_i ? {{2 * (ScoreLat - 1) {1'b0}}, cand_hbm & fits, cand_sram} :
                {use_q[ScoreLat-2:0], cand_hbm & fits, cand_sram};
      last_q <= (start_i || abort_i) ? (ScoreLat + 1)'(last) : {last_q[ScoreLat-1:0], last};
      if (start_i) busy_q <= 1'b1;
      else if (abort_i || final_cmp) busy_q <= 1'b0;
      if (start_i || abort_i) done_q <= 1'b0;
      else if (pass_o) done_q <= 1'b1;
      if (start_i) popped_q <= 1'b0;
      else if (pop_i) popped_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) slot_q <= {slot_q[ScoreLat-2:0], slot};

  // What ends while the owner wants the other kind is of no use to it.
  assign busy_o = busy_q & (kind_q == tide_i);
  assign done_o = done_q & (kind_q == tide_i);
  assign dry_o  = {2{popped_q}};

  // The scorer, fed by the table itself.
  logic [OrdW-1:0] key;
  logic [KeyW-1:0] key_full;

  if (Scorer == 0) begin : gen_product
    unison_score_product u_score (
      .clk_i, .ts_i, .t_on_i(row_t_on_i[0]), .ghat_i(row_ghat_i[0]), .k_i(row_k_i[0]),
      .gap_i(row_gap_i[0]), .now_i(1'b0), .w_i, .z_i, .turn_i, .key_o(key_full)
    );
    assign key = key_full;
  end else begin : gen_hazard
    logic unused_weights;
    assign unused_weights = ^{w_i, z_i};
    if (Scorer == 2) begin : gen_ratio
      unison_score_ratio u_score (
        .clk_i, .ts_i, .t_on_i(row_t_on_i[0]), .ghat_i(row_ghat_i[0]), .k_i(row_k_i[0]),
        .gap_i(row_gap_i[0]), .turn_i, .key_o(key)
      );
      logic unused_full;
      assign key_full    = '0;
      assign unused_full = ^key_full;
    end else begin : gen_quotient
      logic unused_zeros;
      if (Scorer == 1) begin : gen_divider
        unison_score_quotient #(.Steps(Steps)) u_score (
          .clk_i, .ts_i, .t_on_i(row_t_on_i[0]), .ghat_i(row_ghat_i[0]), .k_i(row_k_i[0]),
          .gap_i(row_gap_i[0]), .turn_i, .key_o(key_full)
        );
      end else begin : gen_reciprocal
        unison_score_reciprocal u_score (
          .clk_i, .ts_i, .t_on_i(row_t_on_i[0]), .ghat_i(row_ghat_i[0]), .k_i(row_k_i[0]),
          .gap_i(row_gap_i[0]), .turn_i, .key_o(key_full)
        );
      end
      assign key          = {key_full[KeyW-1], key_full[OrdW-2:0]};
      assign unused_zeros = ^key_full[KeyW-2:OrdW-1];
    end
  end

  // The best entries: [0] SRAM, [1] HBM.
  logic [1:0] valid_q;
  logic [1:0][OrdW-1:0] best_key_q;
  logic [1:0][IdxW-1:0] best_slot_q;
  logic [OrdW-1:0] a, b;
  logic tier, above, below, better, hbm_first_q, sram_above_q;

  assign tier   = use_key[1];
  assign a      = final_cmp ? best_key_q[1] : key;
  assign b      = final_cmp ? best_key_q[0] : best_key_q[tier];
  assign better = (kind_q && tier) ? below : above;

  unison_compare #(.Ratio(Scorer == 2), .Width(OrdW)) u_compare (
    .a_i(a), .b_i(b), .above_o(above), .below_o(below)
  );

  for (genvar t = 0; t < 2; t++) begin : gen_best
    logic insert;
    assign insert = use_key[t] & (~valid_q[t] | better);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q[t] <= 1'b0;
      else if (start_i) valid_q[t] <= 1'b0;
      else if (insert) valid_q[t] <= 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (insert) begin
        best_key_q[t]  <= key;
        best_slot_q[t] <= slot_key;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (final_cmp) begin
      hbm_first_q  <= above | (~below & (best_slot_q[1] < best_slot_q[0]));
      sram_above_q <= below;
    end
  end

  logic [1:0] offered;
  assign offered     = valid_q & mask_i;
  assign top_valid_o = |offered;
  assign top_hbm_o   = offered[1] & (~offered[0] | hbm_first_q);
  assign top_slot_o  = best_slot_q[top_hbm_o];
  assign top_key_o   = KeyW'(sram_above_q);
  assign low_valid_o = kind_q & valid_q[1];
  assign low_slot_o  = best_slot_q[1];
  assign low_key_o   = '0;
  assign own_key_o   = '0;

`ifndef SYNTHESIS
  // For the testbench: keys and candidates of the last finished pass, and how many there were. Of the
  // own slot nothing, as it is no candidate of unison_rank; a ratio as the golden model orders it.
  logic [NumSlots*KeyW-1:0] dbg_key_q, dbg_key_run;
  logic [NumSlots-1:0] dbg_cand_q, dbg_cand_run;
  logic [31:0] dbg_pass_q;
  logic [KeyW-1:0] dbg_key;
  logic [ScoreLat-1:0] dbg_use_q;

  if (Scorer == 2) begin : gen_dbg_ratio
    localparam int DivW = unison_pkg::HazardW + 1;
    logic [KeyW-2:0] num, den;
    assign num     = (KeyW - 1)'(key[OrdW-2:DivW]) << unison_pkg::RatioF;
    assign den     = (KeyW - 1)'(key[DivW-1:0]);
    assign dbg_key = key[OrdW-1] ? {1'b1, num / den} : KeyW'(key);
  end else begin : gen_dbg_plain
    assign dbg_key = key_full;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dbg_use_q    <= '0;
      dbg_cand_run <= '0;
      dbg_cand_q   <= '0;
      dbg_pass_q   <= '0;
      for (int i = 0; i < NumSlots; i++) begin
        dbg_key_run[i*KeyW+:KeyW] <= '0;
        dbg_key_q[i*KeyW+:KeyW]   <= '0;
      end
    end else begin
      dbg_use_q <= start_i ? {{(ScoreLat - 1) {1'b0}}, cand & (slot != own_slot_i)} :
                   {dbg_use_q[ScoreLat-2:0], cand & (slot != own_slot_i)};
      if (start_i) dbg_cand_run <= '0;
      else if (dbg_use_q[ScoreLat-1]) begin
        dbg_key_run[int'(slot_key)*KeyW+:KeyW] <= dbg_key;
        dbg_cand_run[slot_key]                 <= 1'b1;
      end
      if (pass_o) begin
        dbg_key_q  <= dbg_key_run;
        dbg_cand_q <= dbg_cand_run;
        dbg_pass_q <= dbg_pass_q + 1'b1;
      end
    end
  end
`endif
endmodule
