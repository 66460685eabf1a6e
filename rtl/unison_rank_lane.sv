/// One lane of the ranking unit: takes one slot of a row a cycle, scores it, keeps the best.
///
/// Policy: keeps, over the candidates of its lane, the Keep largest keys of each tier (eviction
/// victims and their runners-up, and the demotion candidate) and the smallest key of the HBM among
/// those that fit the SRAM at all (the promotion candidate). The event's own slot is scored as in
/// GAP since now and its key leaves by itself.
/// Timing: a slot offered with its row in cycle t is registered (stage 1), scored ScoreLat cycles
/// later and in the lists from cycle t + ScoreLat + 2 on. `start_i` empties lists and pipeline; the
/// slot offered in that very cycle is the first of the new pass.
module unison_rank_lane #(
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW,
  /// 0 product, 1 quotient, 3 reciprocal, 4 compact.
  parameter int Scorer = 0,
  /// Stages of the scorer.
  parameter int ScoreLat = 6,
  /// Quotient bits a stage of the quotient scorer.
  parameter int Steps = 3,
  /// Entries kept a tier.
  parameter int Keep = 2,
  /// Bits of a row.
  parameter int RowW = 4,
  /// Bits of a gap average.
  parameter int GhatW = unison_pkg::GapW,
  /// Bits of a ranking key.
  parameter int KeyW = unison_pkg::KeyW
) (
  /// Clock.
  input  logic                                                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                                                          rst_ni,
  /// A pass begins.
  input  logic                                                          start_i,
  /// The slot is a candidate.
  input  logic                                                          cand_i,
  /// The slot is the event's own and its key is wanted.
  input  logic                                                          own_i,
  /// Its turns.
  input  logic [unison_pkg::TurnW-1:0]                                  k_i,
  /// Its size.
  input  logic [TokW-1:0]                                               tok_i,
  /// Its gap onset, or the time its gap closed.
  input  logic [unison_pkg::TimeW-1:0]                                  t_on_i,
  /// Its gap average.
  input  logic [GhatW-1:0]                                              ghat_i,
  /// It is in GAP.
  input  logic                                                          gap_i,
  /// It sits in the SRAM.
  input  logic                                                          sram_i,
  /// Row of the key that leaves the scorer now.
  input  logic [RowW-1:0]                                               key_row_i,
  /// Time of the ranking.
  input  logic [unison_pkg::TimeW-1:0]                                  ts_i,
  /// Capacity of the SRAM.
  input  logic [unison_pkg::TokW-1:0]                                   cap_sram_i,
  /// Table W.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] w_i,
  /// Table Z.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] z_i,
  /// Turn table.
  input  logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0]     turn_i,
  /// Size of the registered slot (stage 1) if it is a candidate in the SRAM, else 0.
  output logic [TokW-1:0]                                               tok_sram_o,
  /// The same for the HBM.
  output logic [TokW-1:0]                                               tok_hbm_o,
  /// The key that leaves the scorer now.
  output logic [KeyW-1:0]                                               key_o,
  /// It belongs to a candidate.
  output logic                                                          key_cand_o,
  /// It belongs to the event's own slot.
  output logic                                                          key_own_o,
  /// Remove the best entry: [0] of the SRAM, [1] of the HBM.
  input  logic [1:0]                                                    pop_i,
  /// There is a best entry: [0] SRAM, [1] HBM.
  output logic [1:0]                                                    best_valid_o,
  /// Keys of the best entries.
  output logic [1:0][KeyW-1:0]                                          best_key_o,
  /// Rows of the best entries.
  output logic [1:0][RowW-1:0]                                          best_row_o,
  /// The list has run empty and there may be more.
  output logic [1:0]                                                    best_dry_o,
  /// There is a promotion candidate.
  output logic                                                          low_valid_o,
  /// The complement of its key.
  output logic [KeyW-1:0]                                               low_nkey_o,
  /// Its row.
  output logic [RowW-1:0]                                               low_row_o
);
  // Stage 1: the slot, registered.
  logic [unison_pkg::TurnW-1:0] k1_q;
  logic [TokW-1:0] tok1_q;
  logic [unison_pkg::TimeW-1:0] t_on1_q;
  logic [GhatW-1:0] ghat1_q;
  logic gap1_q, sram1_q, cand1_q, own1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cand1_q <= 1'b0;
      own1_q  <= 1'b0;
    end else begin
      cand1_q <= cand_i;
      own1_q  <= own_i;
    end
  end

  // The data follow only offered slots, so that an idle lane does not toggle.
  always_ff @(posedge clk_i) begin
    if (cand_i || own_i) begin
      k1_q    <= k_i;
      tok1_q  <= tok_i;
      t_on1_q <= t_on_i;
      ghat1_q <= ghat_i;
      gap1_q  <= gap_i | own_i;
      sram1_q <= sram_i;
    end
  end

  assign tok_sram_o = tok1_q & {TokW{cand1_q & sram1_q}};
  assign tok_hbm_o  = tok1_q & {TokW{cand1_q & ~sram1_q}};

  // What to do with the key, travelling beside it: [0] SRAM, [1] HBM, [2] promotable, [3] own.
  logic [ScoreLat-1:0][3:0] use_q;
  logic [3:0] use1;
  logic fits1;

  assign fits1 = unison_pkg::TokW'(tok1_q) <= cap_sram_i;
  assign use1  = {own1_q, cand1_q & ~sram1_q & fits1, cand1_q & ~sram1_q, cand1_q & sram1_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) use_q <= '0;
    else if (start_i) use_q <= '0;
    else if (ScoreLat > 1) use_q <= {use_q[ScoreLat-2:0], use1};
    else use_q[0] <= use1;
  end

  logic [3:0] use_key;
  assign use_key    = use_q[ScoreLat-1];
  assign key_cand_o = |use_key[1:0];
  assign key_own_o  = use_key[3];

  if (Scorer == 0) begin : gen_product
    unison_score_product u_score (
      .clk_i, .ts_i,
      .t_on_i(t_on1_q), .ghat_i(ghat1_q), .k_i(k1_q), .gap_i(gap1_q), .now_i(own1_q),
      .w_i, .z_i, .turn_i, .key_o
    );
  end else if (Scorer == 4) begin : gen_compact
    unison_score_compact u_score (
      .clk_i, .ts_i,
      .t_on_i(t_on1_q), .ghat_i(ghat1_q), .k_i(k1_q), .gap_i(gap1_q), .now_i(own1_q),
      .w_i, .z_i, .turn_i, .key_o
    );
  end else begin : gen_quotient
    logic unused_weights;
    assign unused_weights = ^{w_i, z_i};
    if (Scorer == 1) begin : gen_divider
      unison_score_quotient #(.Steps(Steps)) u_score (
        .clk_i, .ts_i,
        .t_on_i(t_on1_q), .ghat_i(ghat1_q), .k_i(k1_q), .gap_i(gap1_q),
        .turn_i, .key_o
      );
    end else begin : gen_reciprocal
      unison_score_reciprocal u_score (
        .clk_i, .ts_i,
        .t_on_i(t_on1_q), .ghat_i(ghat1_q), .k_i(k1_q), .gap_i(gap1_q),
        .turn_i, .key_o
      );
    end
  end

  for (genvar t = 0; t < 2; t++) begin : gen_tier
    unison_keep #(.Depth(Keep), .KeyW(KeyW), .RowW(RowW)) u_keep (
      .clk_i, .rst_ni,
      .clear_i (start_i),
      .insert_i(use_key[t]),
      .key_i   (key_o),
      .row_i   (key_row_i),
      .pop_i   (pop_i[t]),
      .valid_o (best_valid_o[t]),
      .key_o   (best_key_o[t]),
      .row_o   (best_row_o[t]),
      .dry_o   (best_dry_o[t])
    );
  end

  // The smallest key is the largest complement; it is never popped, so one entry does.
  logic unused_dry;
  unison_keep #(.Depth(1), .KeyW(KeyW), .RowW(RowW)) u_low (
    .clk_i, .rst_ni,
    .clear_i (start_i),
    .insert_i(use_key[2]),
    .key_i   (~key_o),
    .row_i   (key_row_i),
    .pop_i   (1'b0),
    .valid_o (low_valid_o),
    .key_o   (low_nkey_o),
    .row_o   (low_row_o),
    .dry_o   (unused_dry)
  );
endmodule
