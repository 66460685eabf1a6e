// What unison_rank promises, with free choices: stands in for it in core.sv; rank.sv proves it.
//
// A pass takes R + 8 cycles. The sums are right for its last six cycles. The top is some remaining
// candidate of a masked tier, if there is one; where a lane ran dry it may be missing, and a lane
// runs dry only after `Keep` pops. The promotion candidate is some HBM candidate that fits.
module formal_rank_model #(
  parameter int NumSlots = 4,
  parameter int NumLanes = 2,
  parameter int TokW = 4,
  parameter int Keep = 2,
  localparam int IdxW = $clog2(NumSlots),
  localparam int NumRows = NumSlots / NumLanes
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              start_i,
  input  logic                              abort_i,
  input  logic [IdxW-1:0]                   own_slot_i,
  input  logic                              own_en_i,
  input  logic [unison_pkg::TokW-1:0]       cap_sram_i,
  input  logic [NumSlots-1:0]               cand_i,
  input  logic [NumSlots-1:0]               sram_i,  // in the SRAM
  input  logic [NumSlots-1:0][TokW-1:0]     tok_i,
  input  logic [1:0]                        mask_i,
  input  logic                              pop_i,
  input  logic [IdxW-1:0]                   any_top_i,
  input  logic [IdxW-1:0]                   any_low_i,
  input  logic [1:0]                        any_dry_i,
  input  logic                              any_valid_i,
  input  logic [1:0][unison_pkg::TokW-1:0]  any_sum_i,
  output logic [7:0]                        rows_o,  // R of a pass that starts now
  output logic [7:0]                        left_o,
  output logic [NumSlots-1:0]               live_o,
  output logic                              busy_o,
  output logic                              done_o,
  output logic [1:0][unison_pkg::TokW-1:0]  sum_o,
  output logic                              top_valid_o,
  output logic [IdxW-1:0]                   top_slot_o,
  output logic                              top_hbm_o,
  output logic [1:0]                        dry_o,
  output logic [1:0][7:0]                   pops_o,
  output logic                              low_valid_o,
  output logic [IdxW-1:0]                   low_slot_o
);
  // The wished one, if it is in the set, else the lowest of the set.
  function automatic logic [IdxW-1:0] choose(logic [NumSlots-1:0] set, logic [IdxW-1:0] wish);
    choose = '0;
    for (int i = NumSlots - 1; i >= 0; i--) if (set[i]) choose = IdxW'(i);
    if (set[wish]) choose = wish;
  endfunction

  logic [NumSlots-1:0] live, top_set, low_set;
  logic [1:0][unison_pkg::TokW-1:0] sum;
  logic [7:0] rows, left_q;
  logic done_q, top_valid_q, top_hbm_q, low_valid_q;
  logic [IdxW-1:0] top_slot_q, low_slot_q, top_pick;
  logic [1:0] dry_q;
  logic [1:0][7:0] pops_q;

  always_comb begin
    live = cand_i;
    live[own_slot_i] = 1'b0;
    rows = '0;
    for (int r = 0; r < NumRows; r++) begin
      if (|live[r*NumLanes+:NumLanes] || (own_en_i && int'(own_slot_i) / NumLanes == r)) rows++;
    end
    if (rows == '0) rows = 8'd1;
    sum     = '0;
    for (int i = 0; i < NumSlots; i++) begin
      if (live[i] && sram_i[i]) sum[0] = sum[0] + unison_pkg::TokW'(tok_i[i]);
      if (live[i] && !sram_i[i]) sum[1] = sum[1] + unison_pkg::TokW'(tok_i[i]);
      top_set[i] = live[i] && (sram_i[i] ? mask_i[0] : mask_i[1]);
      low_set[i] = live[i] && !sram_i[i] && unison_pkg::TokW'(tok_i[i]) <= cap_sram_i;
    end
  end
  assign top_pick = choose(top_set, any_top_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      done_q <= 1'b0;
      dry_q  <= '0;
      pops_q <= '0;
    end else begin
      if (start_i) left_q <= rows + 8'd7;
      else if (abort_i) left_q <= '0;
      else if (left_q != '0) left_q <= left_q - 1'b1;
      if (start_i || abort_i) done_q <= 1'b0;
      else if (left_q == 8'd1) done_q <= 1'b1;
      for (int t = 0; t < 2; t++) begin
        if (start_i) begin
          dry_q[t]  <= 1'b0;
          pops_q[t] <= '0;
        end else if (pop_i && top_hbm_q == 1'(t)) begin
          pops_q[t] <= pops_q[t] + 1'b1;
          if (int'(pops_q[t]) + 1 >= Keep && any_dry_i[t]) dry_q[t] <= 1'b1;
        end
      end
    end
    // Before the end of a pass, and with a lane dry, anything but a slot that is no candidate
    // where the controller looks; before the end truly anything.
    if (left_q > 8'd1 || start_i) begin
      top_valid_q <= any_valid_i;
      top_slot_q  <= any_top_i;
      top_hbm_q   <= any_dry_i[0];
    end else begin
      top_valid_q <= (top_set != '0) && (any_valid_i || (dry_q & mask_i) == '0);
      top_slot_q  <= top_pick;
      top_hbm_q   <= !sram_i[top_pick];
    end
    if (left_q == 8'd1) begin
      low_valid_q <= low_set != '0;
      low_slot_q  <= choose(low_set, any_low_i);
    end else if (!done_q) begin
      low_valid_q <= any_valid_i;
      low_slot_q  <= any_low_i;
    end
  end

  assign rows_o      = rows;
  assign left_o      = left_q;
  assign live_o      = live;
  assign busy_o      = left_q != '0;
  assign done_o      = done_q;
  assign sum_o       = (left_q > 8'd6) ? any_sum_i : sum;
  assign top_valid_o = top_valid_q;
  assign top_slot_o  = top_slot_q;
  assign top_hbm_o   = top_hbm_q;
  assign dry_o       = dry_q;
  assign pops_o      = pops_q;
  assign low_valid_o = low_valid_q;
  assign low_slot_o  = low_slot_q;
endmodule
