/// Order of two ranking keys. Combinational.
///
/// Policy: keys are plain numbers, or, with Ratio, those of unison_score_ratio: in GAP
/// {1, numerator, divisor}, ordered by cross-multiplication; in READY {0, number}. GAP is above READY.
module unison_compare #(
  /// Keys are ratios.
  parameter bit Ratio = 1'b0,
  /// Bits of a key.
  parameter int Width = unison_pkg::KeyW
) (
  /// A key.
  input  logic [Width-1:0] a_i,
  /// Another.
  input  logic [Width-1:0] b_i,
  /// The first is larger.
  output logic             above_o,
  /// The first is smaller.
  output logic             below_o
);
  if (Ratio) begin : gen_ratio
    localparam int DivW = unison_pkg::HazardW + 1;
    localparam int ProdW = Width - 1;
    logic [ProdW-1:0] a_prod, b_prod;
    logic [Width-1:0] a, b;
    logic both;

    assign both   = a_i[Width-1] & b_i[Width-1];
    assign a_prod = ProdW'(a_i[Width-2:DivW]) * ProdW'(b_i[DivW-1:0]);
    assign b_prod = ProdW'(b_i[Width-2:DivW]) * ProdW'(a_i[DivW-1:0]);
    // Where only one is in GAP the leading bits decide, whatever follows.
    assign a = {a_i[Width-1], both ? a_prod : a_i[ProdW-1:0]};
    assign b = {b_i[Width-1], both ? b_prod : b_i[ProdW-1:0]};
    assign above_o = a > b;
    assign below_o = a < b;
  end else begin : gen_plain
    assign above_o = a_i > b_i;
    assign below_o = a_i < b_i;
  end
endmodule
