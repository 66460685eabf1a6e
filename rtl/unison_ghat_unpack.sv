/// The gap average that a code of unison_ghat_pack stands for, in ticks. Combinational.
module unison_ghat_unpack (
  /// Code: {exponent, fraction}.
  input  logic [unison_pkg::GhatExpW+unison_pkg::GhatFracW-1:0] code_i,
  /// (2^10 + fraction) << exponent >> 10.
  output logic [unison_pkg::GapW-1:0]                           ghat_o
);
  localparam int FracW = unison_pkg::GhatFracW;
  localparam int WideW = unison_pkg::GapW + FracW;

  logic [WideW-1:0] wide;
  logic unused_fraction;

  assign wide = WideW'({1'b1, code_i[FracW-1:0]}) << code_i[FracW+:unison_pkg::GhatExpW];
  assign ghat_o          = wide[WideW-1:FracW];
  assign unused_fraction = ^wide[FracW-1:0];
endmodule
