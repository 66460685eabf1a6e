/// Ranking key of one slot, product form: S = (ghat * ((W[b] << 12) + o(k) * Z[b])) >> 8.
///
/// Policy: contract section 3. In GAP the key is {1, S}, S saturating at 48 bits; in READY it is
/// {0, 2^32 - 1 - age}. There is no divider: the driver writes the odds o = h / (1 - h) instead of
/// the hazard, and the elapsed wait enters by the octave of its ratio to the average.
/// Timing: six stages, one key a cycle; inputs in cycle t give `key_o` in cycle t + 6:
///   1 elapsed time, octave of the average, turn index   2 octave of the elapsed time, bin, odds
///   3 weights   4 M = (W << 12) + o * Z   5 ghat * M in two halves   6 their sum, saturation
/// In READY the age travels in the bits that carry the gap average. Not reset: the lane carries
/// the valid flags.
module unison_score_product (
  /// Clock.
  input  logic                                                          clk_i,
  /// Time of the ranking.
  input  logic [unison_pkg::TimeW-1:0]                                  ts_i,
  /// Gap onset, or the time the gap closed.
  input  logic [unison_pkg::TimeW-1:0]                                  t_on_i,
  /// Gap average.
  input  logic [unison_pkg::GapW-1:0]                                   ghat_i,
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
  output logic [unison_pkg::KeyW-1:0]                                   key_o
);
  localparam int ValW = unison_pkg::TimeW;  // gap average or age
  localparam int MW = unison_pkg::OddsW + unison_pkg::WeightW + 1;
  localparam int HalfW = (MW + 1) / 2;
  localparam int HiW = MW - HalfW;
  localparam int GapW = unison_pkg::GapW;
  localparam int Cut = unison_pkg::OddsF + unison_pkg::WeightF - unison_pkg::ScoreF;
  localparam int FullW = GapW + MW;

  // Stage 1.
  logic [ValW-1:0] elapsed1_q;
  logic [GapW-1:0] ghat1_q;
  logic [4:0] oct1_q, oct_ghat;
  logic [5:0] turn1_q, turn_idx;
  logic gap1_q;

  unison_octave u_oct_ghat (.x_i({{(32 - GapW) {1'b0}}, ghat_i}), .oct_o(oct_ghat));
  unison_turn_index u_turn_index (.k_i, .idx_o(turn_idx));

  always_ff @(posedge clk_i) begin
    elapsed1_q <= now_i ? '0 : ts_i - t_on_i;
    ghat1_q    <= ghat_i;
    oct1_q     <= oct_ghat;
    turn1_q    <= turn_idx;
    gap1_q     <= gap_i;
  end

  // Stage 2: bin = clamp(L(e) - L(ghat) + centre, 0, 15).
  logic [4:0] oct_elapsed;
  logic signed [6:0] bin_raw;
  logic [3:0] bin, bin2_q;
  logic [unison_pkg::OddsW-1:0] odds2_q;
  logic [ValW-1:0] val2_q;
  logic gap2_q;

  unison_octave u_oct_elapsed (.x_i(elapsed1_q), .oct_o(oct_elapsed));
  assign bin_raw = $signed({2'b0, oct_elapsed}) - $signed({2'b0, oct1_q}) +
                   7'(unison_pkg::WeightCentre);
  always_comb begin
    if (bin_raw < 0) bin = '0;
    else if (bin_raw > 7'sd15) bin = 4'd15;
    else bin = bin_raw[3:0];
  end

  always_ff @(posedge clk_i) begin
    bin2_q  <= bin;
    odds2_q <= turn_i[turn1_q];
    val2_q  <= gap1_q ? {{(ValW - GapW) {1'b0}}, ghat1_q} : ~elapsed1_q;
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

  // Stage 5.
  logic [GapW+HalfW-1:0] lo5_q, lo_prod;
  logic [GapW+HiW-1:0] hi5_q;
  logic gap5_q;

  assign lo_prod = (GapW + HalfW)'(val4_q[GapW-1:0]) * (GapW + HalfW)'(m4_q[HalfW-1:0]);

  always_ff @(posedge clk_i) begin
    lo5_q  <= gap4_q ? lo_prod : (GapW + HalfW)'(val4_q);
    hi5_q  <= (GapW + HiW)'(val4_q[GapW-1:0]) * (GapW + HiW)'(m4_q[MW-1:HalfW]);
    gap5_q <= gap4_q;
  end

  // Stage 6.
  logic [FullW-1:0] full;
  logic [unison_pkg::ScoreW-1:0] score;
  logic [unison_pkg::KeyW-1:0] key6_q;
  logic [Cut-1:0] unused_fraction;

  assign full  = FullW'(lo5_q) + {hi5_q, {HalfW{1'b0}}};
  assign score = (|full[FullW-1:Cut+unison_pkg::ScoreW]) ? '1 : full[Cut+:unison_pkg::ScoreW];
  assign unused_fraction = full[Cut-1:0];

  always_ff @(posedge clk_i) begin
    key6_q <= gap5_q ? {1'b1, score} : unison_pkg::KeyW'(lo5_q[ValW-1:0]);
  end

  assign key_o = key6_q;
endmodule
