// unison_best: the result is one of the words and none is larger. Combinational: complete at once.
module formal_best #(
  parameter int Num = 8,
  parameter int Width = 53
) (
  input logic                      clk_i,
  input logic [Num-1:0][Width-1:0] data_i
);
  logic [Width-1:0] best;
  logic [Num-1:0] larger, same;
  unison_best #(.Num(Num), .Width(Width)) u_best (.data_i, .best_o(best));
  for (genvar i = 0; i < Num; i++) begin : gen_word
    assign larger[i] = data_i[i] > best;
    assign same[i]   = data_i[i] == best;
  end
  always_ff @(posedge clk_i) begin
    best_none: assert (larger == '0);
    best_one: assert (same != '0);
    c_last: cover (same == Num'(1) << (Num - 1));
    c_equal: cover (&same);
  end
endmodule
