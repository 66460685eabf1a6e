/// Gap average after a gap: ghat + round_half_up((g - ghat) / 2^a), the first gap as it is.
///
/// Policy: contract section 3. The result lies between the average and the gap, so it needs no
/// saturation of its own. Combinational: an adder, a shifter, an adder.
module unison_ema (
  /// Average so far.
  input  logic [unison_pkg::GapW-1:0]   ghat_i,
  /// The gap, saturated.
  input  logic [unison_pkg::GapW-1:0]   gap_i,
  /// An earlier gap was measured.
  input  logic                          seen_i,
  /// a.
  input  logic [unison_pkg::ShiftW-1:0] shift_i,
  /// Average with the gap.
  output logic [unison_pkg::GapW-1:0]   ghat_o
);
  localparam int W = unison_pkg::GapW + 2;
  logic signed [W-1:0] diff, half, step;
  logic unused_sign;

  assign diff = $signed({2'b0, gap_i}) - $signed({2'b0, ghat_i});
  assign half = $signed((W'(1) << shift_i) >> 1);
  assign step = (diff + half) >>> shift_i;
  assign unused_sign = ^step[W-1:unison_pkg::GapW];

  assign ghat_o = (seen_i && shift_i != '0) ? ghat_i + step[unison_pkg::GapW-1:0] : gap_i;
endmodule
