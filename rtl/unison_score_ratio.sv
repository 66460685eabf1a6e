/// Ranking key of one slot as an exact ratio, ghat / (256 - h8): nothing is divided.
///
/// Policy: in GAP the key is {1, ghat, 256 - h8}, in READY {0, 2^32 - 1 - age}; unison_compare orders
/// two of them. The order is that of the integers floor((ghat << 16) / (256 - h8)), as two different
/// ratios with divisors up to 256 lie at least 2^-16 apart.
/// Timing: two stages, one key a cycle; inputs in cycle t give `key_o` in cycle t + 2:
///   1 age, turn index   2 divisor
/// Not reset.
module unison_score_ratio #(
  /// Derived: bits of a key.
  localparam int RatioW = 1 + unison_pkg::GapW + unison_pkg::HazardW + 1
) (
  /// Clock.
  input  logic                                                      clk_i,
  /// Time of the ranking.
  input  logic [unison_pkg::TimeW-1:0]                              ts_i,
  /// Gap onset, or the time the gap closed.
  input  logic [unison_pkg::TimeW-1:0]                              t_on_i,
  /// Gap average.
  input  logic [unison_pkg::GapW-1:0]                               ghat_i,
  /// Turns seen, at least 1.
  input  logic [unison_pkg::TurnW-1:0]                              k_i,
  /// In GAP; else READY.
  input  logic                                                      gap_i,
  /// Turn table, hazard in the low 8 bits.
  input  logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0] turn_i,
  /// Ranking key.
  output logic [RatioW-1:0]                                         key_o
);
  localparam int DivW = unison_pkg::HazardW + 1;  // divisor 1..256

  // Stage 1.
  logic [unison_pkg::TimeW-1:0] age1_q;
  logic [unison_pkg::GapW-1:0] ghat1_q;
  logic [5:0] turn1_q, turn_idx;
  logic gap1_q;

  unison_turn_index u_turn_index (.k_i, .idx_o(turn_idx));

  always_ff @(posedge clk_i) begin
    age1_q  <= ts_i - t_on_i;
    ghat1_q <= ghat_i;
    turn1_q <= turn_idx;
    gap1_q  <= gap_i;
  end

  // Stage 2.
  logic [unison_pkg::OddsW-1:0] entry;
  logic [DivW-1:0] divisor;
  logic [RatioW-1:0] key2_q;
  logic unused_entry;

  assign entry        = turn_i[turn1_q];
  assign unused_entry = ^entry[unison_pkg::OddsW-1:unison_pkg::HazardW];
  assign divisor      = DivW'(1 << unison_pkg::HazardW) - DivW'(entry[unison_pkg::HazardW-1:0]);

  always_ff @(posedge clk_i) begin
    key2_q <= gap1_q ? {1'b1, ghat1_q, divisor} :
              {{(RatioW - unison_pkg::TimeW) {1'b0}}, ~age1_q};
  end

  assign key_o = key2_q;
endmodule
