/// A gap average as a slot of the compact score holds it: {exponent, fraction}.
///
/// Policy: contract section 3: the nearest value of eleven significant bits, half up, at least 1 tick,
/// saturating at the largest code of GapW bits. Combinational.
module unison_ghat_pack (
  /// Gap average, ticks.
  input  logic [unison_pkg::GapW-1:0]                             ghat_i,
  /// Its code.
  output logic [unison_pkg::GhatExpW+unison_pkg::GhatFracW-1:0]   code_o
);
  localparam int GapW = unison_pkg::GapW;
  localparam int ExpW = unison_pkg::GhatExpW;
  localparam int FracW = unison_pkg::GhatFracW;

  logic [GapW-1:0] norm;
  logic [ExpW-1:0] shift, exponent;
  logic [FracW:0] rounded;
  logic unused_rest;

  unison_normalise #(.Width(GapW)) u_normalise (.x_i(ghat_i), .norm_o(norm), .shift_o(shift));

  // The leading one is implied; a carry out of the fraction leaves it 0 and counts the exponent up.
  assign exponent    = (|ghat_i) ? ExpW'(GapW - 1) - shift : '0;
  assign rounded     = {1'b0, norm[GapW-2-:FracW]} + (FracW + 1)'(norm[GapW-2-FracW]);
  assign unused_rest = ^{norm[GapW-1], norm[GapW-3-FracW:0]};

  always_comb begin
    if (!rounded[FracW]) code_o = {exponent, rounded[FracW-1:0]};
    else if (exponent == ExpW'(GapW - 1)) code_o = {exponent, {FracW{1'b1}}};
    else code_o = {exponent + 1'b1, {FracW{1'b0}}};
  end
endmodule
