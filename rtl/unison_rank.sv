/// The ranking unit: one pass over the candidates finds the eviction victim with its runners-up,
/// the demotion candidate and the promotion candidate, and sums the candidates' sizes by tier.
///
/// Policy: candidates are the slots of `cand_i` but the event's own; keys and ties as in contract
/// section 3 (largest or smallest key, then lowest slot). Rows without a candidate are skipped.
/// Each lane keeps the Keep largest keys of each tier; `top_*` is the largest over the lanes and
/// the tiers of `mask_i`, and `pop_i` removes it and brings up the next. When a lane has been
/// popped empty but had dropped candidates, `dry_o` tells so, by tier: another pass is needed.
/// Timing, R = rows with a candidate (or the wanted own slot), at least 1: `start_i` in cycle t gives
/// `done_o`, `top_*` and `low_*` in cycle t + R + ScoreLat + 2, that is R + 8 in the product form
/// (ScoreLat 6), R + 12 in the quotient form and R + 7 with reciprocals; R <= NumSlots / NumLanes. The sums are valid six
/// cycles before. After a pop or a change of `mask_i` in cycle t, `top_*` follows in cycle t + 2.
/// Held stable by the owner during a pass: own_*, ts_i, the table; `mask_i` from the last two
/// cycles on. `start_i` restarts a running pass, `abort_i` ends it without a result.
module unison_rank #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Lanes, slots scored a cycle.
  parameter int NumLanes = unison_pkg::DefaultLanes,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// 0 product, 1 quotient, 3 reciprocal, 4 compact.
  parameter int Scorer = 0,
  /// Bits of a gap average.
  parameter int GhatW = unison_pkg::GapW,
  /// Bits of a ranking key.
  parameter int KeyW = unison_pkg::KeyW,
  /// Keys kept by each lane for each tier.
  parameter int Keep = 2,
  /// Derived: bits of a slot index.
  localparam int IdxW = $clog2(NumSlots),
  /// Derived: bits of a row index.
  localparam int RowW = (NumSlots > NumLanes) ? $clog2(NumSlots / NumLanes) : 1
) (
  /// Clock.
  input  logic                                                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                                                          rst_ni,
  /// Begin a pass.
  input  logic                                                          start_i,
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
  input  logic [NumLanes-1:0][GhatW-1:0]                                 row_ghat_i,
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
  output logic [KeyW-1:0]                                               top_key_o,
  /// Its slot.
  output logic [IdxW-1:0]                                               top_slot_o,
  /// It sits in the HBM (else the SRAM).
  output logic                                                          top_hbm_o,
  /// By tier: a lane has run dry, the top may be wrong. [0] SRAM, [1] HBM.
  output logic [1:0]                                                    dry_o,
  /// There is a promotion candidate.
  output logic                                                          low_valid_o,
  /// Its key.
  output logic [KeyW-1:0]                                               low_key_o,
  /// Its slot.
  output logic [IdxW-1:0]                                               low_slot_o,
  /// Key of the own slot, when wanted.
  output logic [KeyW-1:0]                                               own_key_o
);
  localparam int NumRows = NumSlots / NumLanes;
  localparam int Steps = 3;
  localparam int ScoreLat = (Scorer == 0 || Scorer == 4) ? 6 : (Scorer == 3) ? 5 :
                            2 + unison_pkg::QuotientW / Steps;

  // Which rows wait, which is next.
  logic [NumRows-1:0] pend_q, waiting, next_row;
  logic [NumSlots-1:0] own_slot;
  logic [RowW-1:0] row;
  logic scan, issue, last;

  assign own_slot = NumSlots'(1) << own_slot_i;
  for (genvar r = 0; r < NumRows; r++) begin : gen_row
    assign waiting[r] = start_i ?
        |((cand_i[r*NumLanes+:NumLanes] & ~own_slot[r*NumLanes+:NumLanes]) |
          (own_slot[r*NumLanes+:NumLanes] & {NumLanes{own_en_i}})) :
        pend_q[r];
  end

  assign next_row = waiting & (~waiting + 1'b1);
  for (genvar b = 0; b < RowW; b++) begin : gen_row_bit
    logic [NumRows-1:0] hit;
    for (genvar r = 0; r < NumRows; r++) begin : gen_hit
      assign hit[r] = next_row[r] & 1'(r >> b);
    end
    assign row[b] = |hit;
  end
  assign row_o = row;

  // An empty pass issues one empty row, so that it ends like any other.
  assign issue = start_i | (scan & ~abort_i);
  assign last  = issue & ~|(waiting & ~next_row);
  assign scan  = |pend_q;

  // Beside the lanes: row numbers up to the scorer's end, the last-row token up to the result.
  localparam int LastLen = ScoreLat + 2;
  logic [ScoreLat:0][RowW-1:0] row_q;
  logic [LastLen-1:0] last_q;
  logic busy_q, done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pend_q <= '0;
      last_q <= '0;
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      pend_q <= (abort_i && !start_i) ? '0 : waiting & ~next_row;
      last_q <= (abort_i || start_i) ? LastLen'(last) : {last_q[LastLen-2:0], last};
      if (start_i) busy_q <= 1'b1;
      else if (abort_i || last_q[LastLen-1]) busy_q <= 1'b0;
      if (start_i || abort_i) done_q <= 1'b0;
      else if (pass_o) done_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) row_q <= {row_q[ScoreLat-1:0], row};

  assign pass_o = last_q[LastLen-1] & ~start_i & ~abort_i;
  assign busy_o = busy_q;
  assign done_o = done_q;

  // The lanes.
  logic [NumLanes-1:0][TokW-1:0] tok_sram, tok_hbm;
  logic [NumLanes-1:0][KeyW-1:0] key;
  logic [NumLanes-1:0] key_cand, key_own;
  logic [NumLanes-1:0][1:0] lane_pop, best_valid, best_dry;
  logic [NumLanes-1:0][1:0][KeyW-1:0] best_key;
  logic [NumLanes-1:0][1:0][RowW-1:0] best_row;
  logic [NumLanes-1:0] low_valid;
  logic [NumLanes-1:0][KeyW-1:0] low_nkey;
  logic [NumLanes-1:0][RowW-1:0] low_row;

  // Words for the comparators: {valid, key, complement of the slot, tier}, zero when invalid, so
  // that the largest word is the largest key at the lowest slot. The tier never decides.
  localparam int TopW = 1 + KeyW + IdxW + 1;
  localparam int LowW = 1 + KeyW + IdxW;
  logic [2*NumLanes-1:0][TopW-1:0] top_words;
  logic [NumLanes-1:0][LowW-1:0] low_words;
  logic [TopW-1:0] top, top_q;
  logic [LowW-1:0] low, low_q;
  logic [IdxW-1:0] top_nslot, low_nslot;

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    logic [IdxW-1:0] slot, low_slot;
    logic is_own;

    assign slot   = IdxW'(int'(row) * NumLanes + l);
    assign is_own = slot == own_slot_i;

    unison_rank_lane #(
      .TokW(TokW), .Scorer(Scorer), .ScoreLat(ScoreLat), .Steps(Steps), .Keep(Keep), .RowW(RowW),
      .GhatW(GhatW), .KeyW(KeyW)
    ) u_lane (
      .clk_i, .rst_ni, .start_i,
      .cand_i      (issue & cand_i[slot] & ~is_own),
      .own_i       (issue & is_own & own_en_i),
      .k_i         (row_k_i[l]),
      .tok_i       (row_tok_i[l]),
      .t_on_i      (row_t_on_i[l]),
      .ghat_i      (row_ghat_i[l]),
      .gap_i       (row_gap_i[l]),
      .sram_i      (row_sram_i[l]),
      .key_row_i   (row_q[ScoreLat]),
      .ts_i, .cap_sram_i, .w_i, .z_i, .turn_i,
      .tok_sram_o  (tok_sram[l]),
      .tok_hbm_o   (tok_hbm[l]),
      .key_o       (key[l]),
      .key_cand_o  (key_cand[l]),
      .key_own_o   (key_own[l]),
      .pop_i       (lane_pop[l]),
      .best_valid_o(best_valid[l]),
      .best_key_o  (best_key[l]),
      .best_row_o  (best_row[l]),
      .best_dry_o  (best_dry[l]),
      .low_valid_o (low_valid[l]),
      .low_nkey_o  (low_nkey[l]),
      .low_row_o   (low_row[l])
    );

    for (genvar t = 0; t < 2; t++) begin : gen_tier
      logic [IdxW-1:0] best_slot;
      assign best_slot = IdxW'(int'(best_row[l][t]) * NumLanes + l);
      assign top_words[2*l+t] = (best_valid[l][t] && mask_i[t]) ?
          {1'b1, best_key[l][t], ~best_slot, 1'(t)} : '0;
      assign lane_pop[l][t] = pop_i && top_valid_o && (top_hbm_o == 1'(t)) &&
          (top_slot_o == best_slot);
    end

    assign low_slot     = IdxW'(int'(low_row[l]) * NumLanes + l);
    assign low_words[l] = low_valid[l] ? {1'b1, low_nkey[l], ~low_slot} : '0;
  end

  unison_best #(.Num(2 * NumLanes), .Width(TopW)) u_top (.data_i(top_words), .best_o(top));
  unison_best #(.Num(NumLanes), .Width(LowW)) u_low (.data_i(low_words), .best_o(low));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      top_q <= '0;
      low_q <= '0;
    end else begin
      top_q <= top;
      low_q <= low;
    end
  end

  assign {top_valid_o, top_key_o, top_nslot, top_hbm_o} = top_q;
  assign top_slot_o  = ~top_nslot;
  assign low_valid_o = low_q[LowW-1];
  assign low_key_o   = ~low_q[IdxW+:KeyW];
  assign low_nslot   = low_q[IdxW-1:0];
  assign low_slot_o  = ~low_nslot;

  // Plain assignments: a default overwritten in a process would glitch, and where the controller
  // answers with a glitch of its own Icarus turns the two for ever.
  logic [NumLanes-1:0] dry_sram, dry_hbm;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_dry
    assign dry_sram[l] = best_dry[l][0];
    assign dry_hbm[l]  = best_dry[l][1];
  end
  assign dry_o = {|dry_hbm, |dry_sram};

  unison_rank_sums #(.NumLanes(NumLanes), .TokW(TokW)) u_sums (
    .clk_i, .rst_ni, .clear_i(start_i),
    .sram_i(tok_sram), .hbm_i(tok_hbm), .sram_o(sum_sram_o), .hbm_o(sum_hbm_o)
  );

  // The own key.
  logic [KeyW-1:0] own_key, own_key_q;
  always_comb begin
    own_key = '0;
    for (int l = 0; l < NumLanes; l++) own_key = own_key | (key[l] & {KeyW{key_own[l]}});
  end
  always_ff @(posedge clk_i) begin
    if (|key_own) own_key_q <= own_key;
  end
  assign own_key_o = own_key_q;

`ifndef SYNTHESIS
  // For the testbench: keys and candidates of the last finished pass, and how many there were.
  // Keys in KeyW bits of the package, whatever the score's: {in GAP, value}.
  localparam int DbgW = unison_pkg::KeyW;
  logic [NumSlots*DbgW-1:0] dbg_key_q, dbg_key_run;
  logic [NumSlots-1:0] dbg_cand_q, dbg_cand_run;
  logic [31:0] dbg_pass_q;
  logic [NumLanes-1:0][DbgW-1:0] dbg_key;

  // Outside the loop below: Icarus 11 takes no part of an element that a variable selects.
  for (genvar l = 0; l < NumLanes; l++) begin : gen_dbg_key
    assign dbg_key[l] = {key[l][KeyW-1], (DbgW - 1)'(key[l][KeyW-2:0])};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dbg_cand_run <= '0;
      dbg_cand_q   <= '0;
      dbg_pass_q   <= '0;
      for (int i = 0; i < NumSlots; i++) begin
        dbg_key_run[i*DbgW+:DbgW] <= '0;
        dbg_key_q[i*DbgW+:DbgW]   <= '0;
      end
    end else begin
      if (start_i) dbg_cand_run <= '0;
      for (int l = 0; l < NumLanes; l++) begin
        if (key_cand[l] && !start_i) begin
          dbg_key_run[(int'(row_q[ScoreLat])*NumLanes+l)*DbgW+:DbgW] <= dbg_key[l];
          dbg_cand_run[int'(row_q[ScoreLat])*NumLanes+l]             <= 1'b1;
        end
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
