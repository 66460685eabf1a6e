// unison_fifo: a word that was taken in leaves once, unchanged, in its turn; the count is right.
//
// `pick_i` is free, so the tagged word stands for any word. It is followed by the number of words
// ahead of it: lost, doubled or exchanged words would make some tagged word come out wrong.
module formal_fifo #(
  parameter int Width = 4,
  parameter int Depth = 5
) (
  input logic             clk_i,
  input logic             push_i,
  input logic             pop_i,
  input logic [Width-1:0] data_i,
  input logic             pick_i
);
  localparam int LevelW = $clog2(Depth + 1);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic full, empty;
  logic [Width-1:0] data;
  logic [LevelW-1:0] level;
  unison_fifo #(.Width(Width), .Depth(Depth)) u_fifo (
    .clk_i, .rst_ni(rst_n), .push_i, .data_i, .full_o(full), .pop_i, .data_o(data),
    .empty_o(empty), .level_o(level)
  );

  // The reference: words in minus words out, and one tagged word.
  logic accept, take, in_q, out_q;
  int held_q;
  logic [Width-1:0] word_q;
  logic [LevelW-1:0] ahead_q;
  assign accept = push_i && held_q != Depth;
  assign take   = pop_i && held_q != 0;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      held_q <= 0;
      in_q   <= 1'b0;
      out_q  <= 1'b0;
    end else begin
      held_q <= held_q + 32'(accept) - 32'(take);
      if (accept && pick_i && !in_q) begin
        in_q    <= 1'b1;
        word_q  <= data_i;
        ahead_q <= level - LevelW'(take);
      end else if (in_q && !out_q && take) begin
        if (ahead_q == '0) out_q <= 1'b1;
        else ahead_q <= ahead_q - 1'b1;
      end
    end
  end

  int place, next;
  assign place = int'(u_fifo.rd_q) + int'(ahead_q);
  assign next  = int'(u_fifo.rd_q) + held_q;

  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      fifo_count: assert (int'(level) == held_q && held_q >= 0 && held_q <= Depth);
      fifo_full: assert (full == (held_q == Depth));
      fifo_empty: assert (empty == (held_q == 0));
      if (in_q && !out_q) begin
        fifo_kept: assert (ahead_q < level);
        if (ahead_q == '0) fifo_order: assert (data == word_q);
        // Needed by the induction only: where the word lies.
        fifo_where: assert (u_fifo.mem_q[(place >= Depth) ? place - Depth : place] == word_q);
      end
      fifo_pointers: assert (int'(u_fifo.rd_q) < Depth &&
          int'(u_fifo.wr_q) == ((next >= Depth) ? next - Depth : next));

      c_full: cover (full && push_i);
      c_both: cover (accept && take && level == LevelW'(Depth - 1));
      c_out: cover (out_q && ahead_q == '0 && u_fifo.rd_q == '0);
      c_drained: cover (out_q && empty && pop_i);
    end
  end
endmodule
