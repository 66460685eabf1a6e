// unison_keep over a stream of any length: nothing that should be at the front is ever lost.
//
// `pick_i` is free, so the tagged entry stands for any one of the stream. While it has not been
// popped it is in the list, or the list is full of entries that go before it, or, after pops, what
// is left goes before it or `dry_o` tells. Rows enter in ascending order, as in a pass.
module formal_keep #(
  parameter int Depth = 2,
  parameter int KeyW = 8,
  parameter int RowW = 4
) (
  input logic            clk_i,
  input logic            clear_i,
  input logic            insert_i,
  input logic [KeyW-1:0] key_i,
  input logic [RowW-1:0] row_i,
  input logic            pop_i,
  input logic            pick_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic valid, dry;
  logic [KeyW-1:0] key;
  logic [RowW-1:0] row;
  unison_keep #(.Depth(Depth), .KeyW(KeyW), .RowW(RowW)) u_keep (
    .clk_i, .rst_ni(rst_n), .clear_i, .insert_i, .key_i, .row_i, .pop_i, .valid_o(valid),
    .key_o(key), .row_o(row), .dry_o(dry)
  );

  // The pass: rows ascend, pops follow the insertions and come only with a valid entry.
  logic tag_q, any_q, popped_q, gone_q;
  logic [KeyW-1:0] tag_key_q;
  logic [RowW-1:0] tag_row_q, last_q;
  int left_q;  // entries inserted and not popped
  always_ff @(posedge clk_i) begin
    if (rst_n && !clear_i) begin
      m_order: assume (!insert_i || !any_q || row_i > last_q);
      m_phase: assume (!(insert_i && (pop_i || popped_q)));
      m_pop: assume (!pop_i || valid);
    end
    if (!rst_n || clear_i) begin
      {tag_q, any_q, popped_q, gone_q} <= '0;
      left_q <= 0;
    end else begin
      if (insert_i) {any_q, last_q} <= {1'b1, row_i};
      if (insert_i && pick_i && !tag_q) {tag_q, tag_key_q, tag_row_q} <= {1'b1, key_i, row_i};
      if (pop_i) popped_q <= 1'b1;
      if (pop_i && tag_q && row == tag_row_q) gone_q <= 1'b1;
      left_q <= left_q + 32'(insert_i) - 32'(pop_i);
    end
  end

  // Entry i goes before the tag: larger key, or an equal one of a lower row.
  logic [Depth-1:0] held, is_tag, first, ordered, past, alone, right;
  logic full;
  for (genvar i = 0; i < Depth; i++) begin : gen_entry
    assign held[i]   = u_keep.valid_q[i];
    assign past[i]   = !held[i] || u_keep.row_q[i] <= last_q;
    assign is_tag[i] = held[i] && u_keep.row_q[i] == tag_row_q;
    assign first[i] = held[i] && (u_keep.key_q[i] > tag_key_q ||
        (u_keep.key_q[i] == tag_key_q && u_keep.row_q[i] < tag_row_q));
    assign right[i]  = !is_tag[i] || u_keep.key_q[i] == tag_key_q;
    logic [Depth-1:0] twin;
    for (genvar j = 0; j < Depth; j++) begin : gen_twin
      assign twin[j] = i != j && held[i] && held[j] && u_keep.row_q[i] == u_keep.row_q[j];
    end
    assign alone[i] = twin == '0;
    if (i == Depth - 1) begin : gen_last
      assign ordered[i] = 1'b1;
    end else begin : gen_inner
      assign ordered[i] = !held[i+1] || (held[i] && (u_keep.key_q[i] > u_keep.key_q[i+1] ||
          (u_keep.key_q[i] == u_keep.key_q[i+1] && u_keep.row_q[i] < u_keep.row_q[i+1])));
    end
  end
  assign full = &held;

  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      keep_sorted: assert (&ordered);
      keep_valid: assert (valid == (left_q > 0 && !dry));
      if (tag_q && !gone_q) begin
        // The best entry is the tagged one, or goes before it, or all are gone and dry tells.
        keep_best: assert (dry || (valid && (first[0] || (is_tag[0] && key == tag_key_q))));
        keep_tag: assert (&right);
        if (!popped_q) keep_in: assert (|is_tag || (full && &first));
        // Needed by the induction only.
        keep_drop: assert (|is_tag || (&(first | ~held) && u_keep.dropped_q));
        keep_same: assert ((is_tag & first) == '0);
      end
      keep_gone: assert (!gone_q || (tag_q && popped_q));
      keep_seen: assert (!tag_q || (any_q && last_q >= tag_row_q));
      if (tag_q && gone_q) keep_popped: assert (is_tag == '0);
      keep_dry: assert (!dry || (u_keep.dropped_q && popped_q));
      keep_rest: assert (left_q >= $countones(held) && (u_keep.dropped_q ||
                         left_q == $countones(held)));
      keep_rows: assert (any_q || (held == '0 && !u_keep.dropped_q && left_q == 0));
      keep_dropped: assert (!u_keep.dropped_q || popped_q || full);
      keep_alone: assert (&alone);
      keep_past: assert (&past && left_q >= 0 && (!any_q || left_q <= int'(last_q) + 1));
      keep_more: assert (!u_keep.dropped_q || left_q > $countones(held));

      c_tie: cover (tag_q && first[0] && key == tag_key_q && (Depth == 1 || is_tag[Depth-1]));
      c_out: cover (tag_q && full && &first);
      c_dry: cover (dry && tag_q && !gone_q);
      c_last: cover (gone_q && !valid && !dry);
    end
  end
endmodule
