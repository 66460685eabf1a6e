// unison_rank: what a pass finds is the reference's argmax, argmin and sums; and after each pop.
//
// The score is abstract: unison_score_product is replaced (rank_score.sv) by the same six stages
// that let a free word of the slot through, so the keys are any function of the slots. The run
// begins in any state at all, not in reset, with a start in the first cycle: since a start forgets
// everything, a bounded run from there is complete for every pass. The own slot's row may change
// during the pass, as in the controller's Commit.
module formal_rank #(
  parameter int NumSlots = 4,
  parameter int NumLanes = 2,
  parameter int Pops = 1,  // 1: with pops after the pass
  localparam int IdxW = $clog2(NumSlots),
  localparam int RowW = (NumSlots > NumLanes) ? $clog2(NumSlots / NumLanes) : 1
) (
  input logic                                             clk_i,
  input logic [IdxW-1:0]                                  own_i,
  input logic                                             own_en_i,
  input logic [unison_pkg::TokW-1:0]                      cap_i,
  input logic [NumSlots-1:0]                              cand_i,
  input logic [NumSlots-1:0]                              sram_i,
  input logic [NumSlots-1:0][unison_pkg::TokW-1:0]        tok_i,
  input logic [NumSlots-1:0][unison_pkg::KeyW-1:0]        key_i,
  input logic [1:0]                                       mask_i,
  input logic                                             own_cand_i,
  input logic                                             own_sram_i,
  input logic [unison_pkg::TokW-1:0]                      own_tok_i,
  input logic                                             pop_i
);
  localparam int TokW = unison_pkg::TokW;
  localparam int KeyW = unison_pkg::KeyW;
  localparam int NumRows = NumSlots / NumLanes;

  // Everything but the own slot's candidate bit, tier and size stands still.
  logic first_q = 1'b1;
  logic [IdxW-1:0] own_q, own;
  logic own_en_q, own_en;
  logic [TokW-1:0] cap_q, cap;
  logic [NumSlots-1:0] cand_q, cand, sram_q, sram, live_q, live, others;
  logic [NumSlots-1:0][TokW-1:0] tok_q, tok;
  logic [NumSlots-1:0][KeyW-1:0] key_q, key;
  logic [1:0] mask_q, mask;
  assign {own, own_en, cap, key} = first_q ? {own_i, own_en_i, cap_i, key_i} :
      {own_q, own_en_q, cap_q, key_q};
  assign mask = mask_i;  // the top follows the mask of the cycle before
  always_comb begin
    cand = first_q ? cand_i : cand_q;
    sram = first_q ? sram_i : sram_q;
    tok  = first_q ? tok_i : tok_q;
    others = '1;
    others[own] = 1'b0;
    cand[own] = own_cand_i;
    sram[own] = own_sram_i;
    tok[own]  = own_tok_i;
  end
  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    {own_q, own_en_q, cap_q, key_q, mask_q} <= {own, own_en, cap, key, mask};
    {sram_q, tok_q} <= {sram, tok};
  end

  logic busy, done, pass, pop, top_valid, top_hbm, low_valid;
  logic [RowW-1:0] row;
  logic [1:0] dry;
  logic [TokW-1:0] sum_sram, sum_hbm;
  logic [KeyW-1:0] top_key, low_key, own_key;
  logic [IdxW-1:0] top_slot, low_slot;
  logic [NumLanes-1:0][TokW-1:0] row_tok;
  logic [NumLanes-1:0][unison_pkg::GapW-1:0] row_ghat;
  logic [NumLanes-1:0] row_sram;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    assign row_tok[l]  = tok[int'(row)*NumLanes+l];
    assign row_ghat[l] = unison_pkg::GapW'(key[int'(row)*NumLanes+l]);
    assign row_sram[l] = sram[int'(row)*NumLanes+l];
  end

  unison_rank #(.NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW), .Scorer(0)) u_rank (
    .clk_i, .rst_ni(1'b1), .start_i(first_q), .abort_i(1'b0), .own_slot_i(own), .own_en_i(own_en),
    .ts_i('0), .cap_sram_i(cap), .w_i('0), .z_i('0), .turn_i('0), .cand_i(cand), .row_o(row),
    .row_k_i('0), .row_tok_i(row_tok), .row_t_on_i('0), .row_ghat_i(row_ghat), .row_gap_i('0),
    .row_sram_i(row_sram), .busy_o(busy), .done_o(done), .pass_o(pass), .sum_sram_o(sum_sram),
    .sum_hbm_o(sum_hbm), .mask_i(mask), .pop_i(pop), .top_valid_o(top_valid), .top_key_o(top_key),
    .top_slot_o(top_slot), .top_hbm_o(top_hbm), .dry_o(dry), .low_valid_o(low_valid),
    .low_key_o(low_key), .low_slot_o(low_slot), .own_key_o(own_key)
  );

  // Time since the start, and since the last pop; the pass takes R + 8 cycles.
  logic [7:0] time_q, rows, rows_q, since_q;
  always_comb begin
    rows = '0;
    for (int r = 0; r < NumRows; r++) begin
      if (|(cand[r*NumLanes+:NumLanes] & others[r*NumLanes+:NumLanes]) ||
          (own_en && int'(own) / NumLanes == r)) rows++;
    end
    if (rows == '0) rows = 8'd1;
  end
  assign pop = (Pops != 0) && pop_i && !first_q && done && since_q >= 8'd1 && top_valid &&
      (dry & mask_q) == '0;
  assign live = first_q ? (cand & others) : live_q;
  always_ff @(posedge clk_i) begin
    time_q  <= first_q ? 8'd1 : time_q + 8'd1;
    since_q <= (first_q || !done) ? 8'd1 : pop ? 8'd0 : (since_q == '1) ? since_q : since_q + 8'd1;
    if (first_q) rows_q <= rows;
    live_q <= live;
    if (pop) live_q[top_slot] <= 1'b0;
    cand_q <= cand;
    if (pop) cand_q[top_slot] <= 1'b0;  // the controller writes the table in the same cycle
  end

  // The reference: linear search, lowest slot first.
  logic ref_top, ref_low;
  logic [IdxW-1:0] ref_top_slot, ref_low_slot;
  logic [NumSlots-1:0] start_q;
  logic [TokW+IdxW-1:0] ref_sram, ref_hbm;
  always_ff @(posedge clk_i) if (first_q) start_q <= cand & others;
  always_comb begin
    {ref_top, ref_low} = '0;
    ref_top_slot = '0;
    ref_low_slot = '0;
    ref_sram = '0;
    ref_hbm  = '0;
    for (int i = 0; i < NumSlots; i++) begin
      if (live_q[i] && (sram[i] ? mask_q[0] : mask_q[1]) &&
          (!ref_top || key[i] > key[ref_top_slot])) begin
        ref_top = 1'b1;
        ref_top_slot = IdxW'(i);
      end
      if (start_q[i] && !sram[i] && tok[i] <= cap && (!ref_low || key[i] < key[ref_low_slot])) begin
        ref_low = 1'b1;
        ref_low_slot = IdxW'(i);
      end
      if (start_q[i] && sram[i]) ref_sram = ref_sram + (TokW + IdxW)'(tok[i]);
      if (start_q[i] && !sram[i]) ref_hbm = ref_hbm + (TokW + IdxW)'(tok[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!first_q) begin
      rank_time: assert (done == (time_q >= rows_q + 8'd8) && busy == !done &&
                         pass == (time_q == rows_q + 8'd7));
      // A tier's candidates fit its account (acc_sum and acc_cap of core.sv).
      m_fit: assume ((ref_sram >> TokW) == '0 && (ref_hbm >> TokW) == '0);
      if (time_q >= rows_q + 8'd2) begin
        rank_sums: assert (sum_sram == ref_sram[TokW-1:0] && sum_hbm == ref_hbm[TokW-1:0]);
      end
      if (done) begin
        rank_low: assert (low_valid == ref_low &&
            (!ref_low || (low_slot == ref_low_slot && low_key == key[ref_low_slot])));
        if (own_en) rank_own: assert (own_key == key[own]);
        if (since_q >= 8'd1 && (dry & mask_q) == '0) begin
          rank_valid: assert (top_valid == ref_top);
          if (ref_top) rank_top: assert (top_slot == ref_top_slot &&
              top_key == key[ref_top_slot] && top_hbm == !sram[ref_top_slot]);
        end
        if (since_q >= 8'd1 && top_valid) rank_live: assert (live_q[top_slot]);
        if (time_q == rows_q + 8'd8) rank_wet: assert (dry == '0);

        c_tie: cover (ref_top && live_q[NumSlots-1] && ref_top_slot == '0 &&
                      key[NumSlots-1] == key[0] && (&mask_q));
        c_low: cover (ref_low && ref_low_slot != '0 && $countones(start_q & ~sram) > 1);
        c_none: cover (!ref_top && start_q == '0);
        c_dry: cover (|dry || Pops == 0 || NumRows < 4);
        c_popped: cover (live_q == '0 && start_q != '0 && dry == '0 || Pops == 0);
      end
    end
  end
endmodule
