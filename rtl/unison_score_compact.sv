/// Ranking key of one slot, compact form: the product form in small floats.
///
/// Policy: contract section 3. M = (W[b] << 12) + o(k) * Z[b] as in the product form, cut to 12
/// significant bits; the gap average has eleven. In GAP the key is {1, exponent, fraction} of their
/// product, or {1, 0} for M = 0; in READY it is {0, 2^24 - 1 - age}, the age saturating.
/// Timing: six stages, one key a cycle; inputs in cycle t give `key_o` in cycle t + 6:
///   1 elapsed time, turn index   2 octave of the elapsed time, bin, odds   3 weights
///   4 M = (W << 12) + o * Z   5 M normalised, exponents added   6 product, its leading one
/// In READY the age travels in the bits that carry the gap average. Not reset: the lane carries
/// the valid flags.
module unison_score_compact #(
  /// Derived: bits of the code of a gap average.
  localparam int CodeW = unison_pkg::GhatExpW + unison_pkg::GhatFracW,
  /// Derived: bits of the key.
  localparam int KeyW = unison_pkg::CompactW + 1
) (
  /// Clock.
  input  logic                                                          clk_i,
  /// Time of the ranking.
  input  logic [unison_pkg::TimeW-1:0]                                  ts_i,
  /// Gap onset, or the time the gap closed.
  input  logic [unison_pkg::TimeW-1:0]                                  t_on_i,
  /// Gap average, {exponent, fraction}.
  input  logic [CodeW-1:0]                                              ghat_i,
  /// Turns seen, at least 1.
  input  logic [unison_pkg::TurnW-1:0]                                  k_i,
  /// In GAP; else READY.
  input  logic                                                          gap_i,
  /// The gap begins now: elapsed time 0, whatever `t_on_i` is.
  input  logic                                                          now_i,
  /// Table W.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] w_i,
  /// Table Z.
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] z_i,
  /// Turn table, odds Q4.12.
  input  logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0]     turn_i,
  /// Ranking key.
  output logic [KeyW-1:0]                                               key_o
);
  localparam int TimeW = unison_pkg::TimeW;
  localparam int ExpW = unison_pkg::GhatExpW;
  localparam int FracW = unison_pkg::GhatFracW;
  localparam int ValW = unison_pkg::CompactW;  // code of the average, or age
  localparam int MW = unison_pkg::OddsW + unison_pkg::WeightW + 1;
  localparam int ManW = unison_pkg::CompactMW;  // significant bits of M
  localparam int KeyExpW = unison_pkg::CompactExpW;
  localparam int KeyFracW = unison_pkg::CompactFracW;
  localparam int ProdW = ManW + FracW + 1;

  // Stage 1.
  logic [TimeW-1:0] elapsed1_q;
  logic [CodeW-1:0] ghat1_q;
  logic [5:0] turn1_q, turn_idx;
  logic gap1_q;

  unison_turn_index u_turn_index (.k_i, .idx_o(turn_idx));

  always_ff @(posedge clk_i) begin
    elapsed1_q <= now_i ? '0 : ts_i - t_on_i;
    ghat1_q    <= ghat_i;
    turn1_q    <= turn_idx;
    gap1_q     <= gap_i;
  end

  // Stage 2: bin = clamp(L(e) - L(ghat) + centre, 0, 15); L(ghat) is the exponent.
  logic [4:0] oct_elapsed;
  logic signed [6:0] bin_raw;
  logic [3:0] bin, bin2_q;
  logic [unison_pkg::OddsW-1:0] odds2_q;
  logic [ValW-1:0] val2_q, age;
  logic gap2_q;

  unison_octave u_oct_elapsed (.x_i(elapsed1_q), .oct_o(oct_elapsed));
  assign bin_raw = $signed({2'b0, oct_elapsed}) - $signed({2'b0, ghat1_q[FracW+:ExpW]}) +
                   7'(unison_pkg::WeightCentre);
  always_comb begin
    if (bin_raw < 0) bin = '0;
    else if (bin_raw > 7'sd15) bin = 4'd15;
    else bin = bin_raw[3:0];
  end
  assign age = (|elapsed1_q[TimeW-1:ValW]) ? '1 : elapsed1_q[ValW-1:0];

  always_ff @(posedge clk_i) begin
    bin2_q  <= bin;
    odds2_q <= turn_i[turn1_q];
    val2_q  <= gap1_q ? ValW'(ghat1_q) : ~age;
    gap2_q  <= gap1_q;
  end

  // Stage 3.
  logic [unison_pkg::WeightW-1:0] w3_q, z3_q;
  logic [unison_pkg::OddsW-1:0] odds3_q;
  logic [ValW-1:0] val3_q;
  logic gap3_q;

  always_ff @(posedge clk_i) begin
    w3_q    <= w_i[bin2_q];
    z3_q    <= z_i[bin2_q];
    odds3_q <= odds2_q;
    val3_q  <= val2_q;
    gap3_q  <= gap2_q;
  end

  // Stage 4.
  logic [MW-1:0] m4_q;
  logic [ValW-1:0] val4_q;
  logic gap4_q;

  always_ff @(posedge clk_i) begin
    m4_q   <= (MW'(w3_q) << unison_pkg::OddsF) + MW'(odds3_q) * MW'(z3_q);
    val4_q <= val3_q;
    gap4_q <= gap3_q;
  end

  // Stage 5. The exponents add to that of the product, less one where the mantissas carry.
  logic [MW-1:0] norm;
  logic [KeyExpW-1:0] shift, exp5_q;
  logic [ManW-1:0] man5_q;
  logic [ValW-1:0] val5_q;
  logic gap5_q, unused_norm;

  unison_normalise #(.Width(MW)) u_normalise (.x_i(m4_q), .norm_o(norm), .shift_o(shift));
  assign unused_norm = ^norm[MW-ManW-1:0];

  always_ff @(posedge clk_i) begin
    man5_q <= norm[MW-1-:ManW];
    exp5_q <= KeyExpW'(val4_q[FracW+:ExpW]) + KeyExpW'(MW - 1) - shift;
    val5_q <= val4_q;
    gap5_q <= gap4_q;
  end

  // Stage 6. Both mantissas begin with a one, so the product has it in one of two places.
  logic [ProdW-1:0] product;
  logic [KeyFracW-1:0] fraction;
  logic [KeyW-1:0] key6_q;
  logic carry, unused_tail;

  assign product     = ProdW'(man5_q) * ProdW'({1'b1, val5_q[FracW-1:0]});
  assign carry       = product[ProdW-1];
  assign fraction    = carry ? product[ProdW-2-:KeyFracW] : product[ProdW-3-:KeyFracW];
  assign unused_tail = ^product[ProdW-3-KeyFracW:0];

  always_ff @(posedge clk_i) begin
    if (!gap5_q) key6_q <= {1'b0, val5_q};
    else if (!man5_q[ManW-1]) key6_q <= {1'b1, {(KeyW - 1) {1'b0}}};
    else key6_q <= {1'b1, exp5_q + KeyExpW'(carry), fraction};
  end

  assign key_o = key6_q;
endmodule
