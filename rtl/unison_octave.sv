/// L(x) = floor(log2(max(x, 1))): the position of the leading one. Combinational, five levels.
module unison_octave (
  /// Value.
  input  logic [31:0] x_i,
  /// Its octave, 0..31; 0 for 0.
  output logic [4:0]  oct_o
);
  logic in_hi16, in_hi8, in_hi4, in_hi2;
  logic [15:0] x16;
  logic [7:0] x8;
  logic [3:0] x4;
  logic [1:0] x2;
  logic unused_lsb;

  // Binary search: each step keeps the half that holds the leading one.
  assign in_hi16 = |x_i[31:16];
  assign x16     = in_hi16 ? x_i[31:16] : x_i[15:0];
  assign in_hi8  = |x16[15:8];
  assign x8      = in_hi8 ? x16[15:8] : x16[7:0];
  assign in_hi4  = |x8[7:4];
  assign x4      = in_hi4 ? x8[7:4] : x8[3:0];
  assign in_hi2  = |x4[3:2];
  assign x2      = in_hi2 ? x4[3:2] : x4[1:0];

  assign oct_o      = {in_hi16, in_hi8, in_hi4, in_hi2, x2[1]};
  assign unused_lsb = x2[0];  // octave 0 either way
endmodule
