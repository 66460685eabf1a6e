/// Tide: which session moves to the SRAM after a GAP_OPEN, and which makes room (section 5).
///
/// Policy: takes the ranking's smallest HBM key and largest SRAM key, merges the event's own slot
/// in (it is a candidate here, with the key of this instant), and tests size, room and budget.
/// The budget ghat * BW >> 8 is compared with the sizes, so nothing is divided; with Divide the sizes
/// are, for the same decision (unison_tide_divide). A linear or sparse ranking has the own slot in it.
/// Timing: `budget_hi_i`, then `budget_lo_i` build the budget from one 24 x 8 bit multiplier; `merge_i`
/// takes the choice, `load_p_i` and `load_q_i` the sizes; `direct_o` holds from the cycle after
/// `load_p_i`, `swap_o` from the one after `load_q_i`. With the divider `load_q_i` is held until
/// `tested_o`, with which `direct_o` holds, and `swap_o` in the cycle after it.
module unison_tide #(
  /// Derived from NumSlots by the owner: bits of a slot index.
  parameter int IdxW = 6,
  /// Bits of a ranking key.
  parameter int KeyW = unison_pkg::KeyW,
  /// Architecture: 0 rows, 1 linear, 2 sparse.
  parameter int Arch = 0,
  /// Divide the sizes instead of multiplying the gap.
  parameter bit Divide = 1'b0
) (
  /// Clock.
  input  logic                          clk_i,
  /// Gap average of the event's slot.
  input  logic [unison_pkg::GapW-1:0]   ghat_i,
  /// Bandwidth, tokens a tick, Q8.8.
  input  logic [unison_pkg::BwW-1:0]    bw_i,
  /// Take the budget's upper part.
  input  logic                          budget_hi_i,
  /// Add the lower part.
  input  logic                          budget_lo_i,
  /// Promotion candidate of the ranking: there is one.
  input  logic                          low_valid_i,
  /// Its key.
  input  logic [KeyW-1:0]               low_key_i,
  /// Its slot.
  input  logic [IdxW-1:0]               low_slot_i,
  /// Demotion candidate of the ranking: there is one.
  input  logic                          top_valid_i,
  /// Its key.
  input  logic [KeyW-1:0]               top_key_i,
  /// Its slot.
  input  logic [IdxW-1:0]               top_slot_i,
  /// Key of the event's slot.
  input  logic [KeyW-1:0]               own_key_i,
  /// The event's slot.
  input  logic [IdxW-1:0]               own_slot_i,
  /// Its tier.
  input  logic [unison_pkg::TierW-1:0]  own_tier_i,
  /// Its size.
  input  logic [unison_pkg::TokW-1:0]   own_tok_i,
  /// Capacity of the SRAM.
  input  logic [unison_pkg::TokW-1:0]   cap_sram_i,
  /// Capacity of the HBM.
  input  logic [unison_pkg::TokW-1:0]   cap_hbm_i,
  /// Tokens resident in the SRAM.
  input  logic [unison_pkg::TokW-1:0]   used_sram_i,
  /// Tokens resident in the HBM.
  input  logic [unison_pkg::TokW-1:0]   used_hbm_i,
  /// Choose.
  input  logic                          merge_i,
  /// `size_i` is that of the promotion candidate.
  input  logic                          load_p_i,
  /// `size_i` is that of the demotion candidate.
  input  logic                          load_q_i,
  /// A size read from the slot table.
  input  logic [unison_pkg::TokW-1:0]   size_i,
  /// There is a promotion candidate; valid with `merge_i`.
  output logic                          p_valid_o,
  /// `direct_o` is valid.
  output logic                          tested_o,
  /// The chosen promotion candidate.
  output logic [IdxW-1:0]               p_slot_o,
  /// The chosen demotion candidate.
  output logic [IdxW-1:0]               q_slot_o,
  /// Size of the promotion candidate.
  output logic [unison_pkg::TokW-1:0]   p_size_o,
  /// Size of the demotion candidate.
  output logic [unison_pkg::TokW-1:0]   q_size_o,
  /// Promote p alone.
  output logic                          direct_o,
  /// Demote q, then promote p.
  output logic                          swap_o
);
  localparam int TokW = unison_pkg::TokW;
  localparam int TideSteps = 4;  // quotient bits a stage of the divider

  // Merge of the own slot; ties go to the lowest slot.
  logic own_low, own_top, own_is_p, own_is_q, q_above;
  assign own_low = {own_key_i, own_slot_i} < {low_key_i, low_slot_i};
  assign own_top = {own_key_i, ~own_slot_i} > {top_key_i, ~top_slot_i};
  assign own_is_p = Arch == 0 && own_tier_i == unison_pkg::TierHbm && own_tok_i <= cap_sram_i &&
                    (!low_valid_i || own_low);
  assign own_is_q = Arch == 0 && own_tier_i == unison_pkg::TierSram &&
                    (!top_valid_i || own_top);
  assign p_valid_o = low_valid_i | own_is_p;

  always_comb begin
    if (own_is_p) q_above = top_key_i > own_key_i;
    else if (own_is_q) q_above = own_key_i > low_key_i;
    else q_above = top_key_i > low_key_i;
  end

  logic [IdxW-1:0] p_slot_q, q_slot_q;
  logic q_above_q;
  logic [TokW-1:0] p_size_q, q_size_q;

  always_ff @(posedge clk_i) begin
    if (merge_i) begin
      p_slot_q  <= own_is_p ? own_slot_i : low_slot_i;
      q_slot_q  <= own_is_q ? own_slot_i : top_slot_i;
      q_above_q <= (top_valid_i | own_is_q) & q_above;
    end
    if (load_p_i) p_size_q <= size_i;
    if (load_q_i) q_size_q <= size_i;
  end

  assign p_slot_o = p_slot_q;
  assign q_slot_o = q_slot_q;
  assign p_size_o = p_size_q;
  assign q_size_o = q_size_q;

  logic [TokW:0] sram_with_p, sram_limit, hbm_with_q, hbm_limit, moved;
  assign sram_with_p = {1'b0, used_sram_i} + {1'b0, p_size_q};
  assign sram_limit  = {1'b0, cap_sram_i} + {1'b0, q_size_q};
  assign hbm_with_q  = {1'b0, used_hbm_i} + {1'b0, q_size_q};
  assign hbm_limit   = {1'b0, cap_hbm_i} + {1'b0, p_size_q};
  assign moved       = {1'b0, p_size_q} + {1'b0, q_size_q};

  // The budget, and what fits it: p alone, both.
  logic fits_p, fits_both;

  if (!Divide) begin : gen_product
    localparam int BudgetW = unison_pkg::GapW + unison_pkg::BwW - unison_pkg::BwF;

    // ghat * bw >> 8 = ghat * bw[15:8] + (ghat * bw[7:0] >> 8).
    logic [BudgetW-1:0] budget_q, part;
    logic [7:0] factor;
    assign factor = budget_hi_i ? bw_i[15:8] : bw_i[7:0];
    assign part   = BudgetW'(ghat_i) * BudgetW'(factor);

    always_ff @(posedge clk_i) begin
      if (budget_hi_i) budget_q <= part;
      else if (budget_lo_i) budget_q <= budget_q + (part >> unison_pkg::BwF);
    end

    assign fits_p    = BudgetW'(p_size_q) <= budget_q;
    assign fits_both = BudgetW'(moved) <= budget_q;
    assign tested_o  = 1'b1;
  end else begin : gen_divide
    // p enters the pipeline when its size is there, both one cycle later.
    logic [unison_pkg::GapW/TideSteps:0] token_q;
    logic fits, unused_budget;

    unison_tide_divide #(.Steps(TideSteps)) u_divide (
      .clk_i, .size_i(token_q[0] ? {1'b0, p_size_q} : moved), .bw_i, .ghat_i, .fits_o(fits)
    );

    // Not reset: it is only looked at after load_p_i, and has run empty by the next.
    always_ff @(posedge clk_i) begin
      token_q <= load_p_i ? (unison_pkg::GapW / TideSteps + 1)'(1) : token_q << 1;
    end

    assign fits_p    = fits;
    assign fits_both = fits;
    assign tested_o  = token_q[unison_pkg::GapW/TideSteps];
    assign unused_budget = budget_hi_i | budget_lo_i;
  end

  assign direct_o = sram_with_p <= {1'b0, cap_sram_i} && fits_p;
  assign swap_o   = q_above_q && sram_with_p <= sram_limit && hbm_with_q <= hbm_limit && fits_both;
endmodule
