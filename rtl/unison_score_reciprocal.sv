/// Ranking key of one slot, quotient form by reciprocals: S = min(2^24 - 1, (ghat << 4) / (256 - h8)).
///
/// Policy: the same key as unison_score_quotient, bit for bit. The divisor d, 1..256, is shifted up to
/// d' = d * 2^shift in 129..256, whose reciprocal R = ceil(2^36 / d') comes from a table of 128
/// constants; S = (ghat * R) >> (32 - shift). It is exact, without a correction: R * d' exceeds 2^36 by
/// less than 2^8, the dividend is below 2^28, so the product is too large by less than 1 / d, and
/// a quotient by d is at least that far below the next integer.
/// Timing: five stages, one key a cycle; inputs in cycle t give `key_o` in cycle t + 5:
///   1 age, turn index   2 divisor and its shift   3 reciprocal   4 ghat * R in two halves
///   5 their sum, shift, saturation
/// In READY the age travels in the bits that carry the gap average. Not reset.
module unison_score_reciprocal (
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
  output logic [unison_pkg::KeyW-1:0]                               key_o
);
  localparam int GapW = unison_pkg::GapW;
  localparam int TimeW = unison_pkg::TimeW;
  localparam int QW = unison_pkg::QuotientW;
  localparam int HazW = unison_pkg::HazardW;
  localparam int DivW = HazW + 1;  // divisor 1..256
  localparam int Num = GapW + unison_pkg::QuotientF + HazW;  // 36: the reciprocals' scale
  localparam int RecW = Num - HazW;  // a reciprocal is {1, RecW bits}
  localparam int Entries = 1 << (HazW - 1);
  localparam int HalfW = (RecW + 2) / 2;
  localparam int HiW = RecW + 1 - HalfW;
  localparam int FullW = GapW + RecW + 1;
  localparam int WideW = FullW + HazW;  // shifted up
  localparam int Point = Num - unison_pkg::QuotientF;  // fraction bits of the shifted product

  // The table: entry i belongs to d' = 128 + i, but entry 0 to 256.
  logic [RecW-1:0] rom [Entries];
  for (genvar i = 0; i < Entries; i++) begin : gen_rom
    localparam int DivI = (i == 0) ? 2 * Entries : Entries + i;
    localparam logic [Num:0] Div = (Num + 1)'(DivI);
    localparam logic [Num:0] Rec = (((Num + 1)'(1) << Num) + Div - 1'b1) / Div;
    assign rom[i] = Rec[RecW-1:0];
  end

  // Stage 1: age and turn index.
  logic [TimeW-1:0] age1_q;
  logic [GapW-1:0] ghat1_q;
  logic [5:0] turn1_q, turn_idx;
  logic gap1_q;

  unison_turn_index u_turn_index (.k_i, .idx_o(turn_idx));

  always_ff @(posedge clk_i) begin
    age1_q  <= ts_i - t_on_i;
    ghat1_q <= ghat_i;
    turn1_q <= turn_idx;
    gap1_q  <= gap_i;
  end

  // Stage 2: the divisor with its leading one at bit 7. A power of two counts as 256 instead, so
  // that its reciprocal needs no more bits than the others'.
  logic [unison_pkg::OddsW-1:0] entry;
  logic [HazW-1:0] hazard;
  logic [DivW-1:0] divisor;
  logic [4:0] oct;
  logic [3:0] up, shift2_q;
  logic [HazW-2:0] idx, idx2_q;
  logic [TimeW-1:0] val2_q;
  logic gap2_q, unused_entry;

  assign entry        = turn_i[turn1_q];
  assign hazard       = entry[HazW-1:0];
  assign unused_entry = ^entry[unison_pkg::OddsW-1:HazW];
  assign divisor      = DivW'(1 << HazW) - DivW'(hazard);

  unison_octave u_octave (.x_i(32'(divisor)), .oct_o(oct));

  assign up  = 4'(HazW) - oct[3:0];  // 256 stays, and its low bits are zero anyway
  assign idx = (HazW - 1)'((DivW + 1)'(divisor) << up >> 1);

  always_ff @(posedge clk_i) begin
    idx2_q   <= idx;
    shift2_q <= (idx == '0) ? up : up - 1'b1;
    val2_q   <= gap1_q ? TimeW'(ghat1_q) : ~age1_q;
    gap2_q   <= gap1_q;
  end

  // Stage 3.
  logic [RecW:0] rec3_q;
  logic [3:0] shift3_q;
  logic [TimeW-1:0] val3_q;
  logic gap3_q, unused_oct;

  assign unused_oct = oct[4];

  always_ff @(posedge clk_i) begin
    rec3_q   <= {1'b1, rom[idx2_q]};
    shift3_q <= shift2_q;
    val3_q   <= val2_q;
    gap3_q   <= gap2_q;
  end

  // Stage 4.
  logic [GapW+HalfW-1:0] lo4_q, lo_prod;
  logic [GapW+HiW-1:0] hi4_q;
  logic [3:0] shift4_q;
  logic gap4_q;

  assign lo_prod = (GapW + HalfW)'(val3_q[GapW-1:0]) * (GapW + HalfW)'(rec3_q[HalfW-1:0]);

  always_ff @(posedge clk_i) begin
    lo4_q    <= gap3_q ? lo_prod : (GapW + HalfW)'(val3_q);
    hi4_q    <= (GapW + HiW)'(val3_q[GapW-1:0]) * (GapW + HiW)'(rec3_q[RecW:HalfW]);
    shift4_q <= shift3_q;
    gap4_q   <= gap3_q;
  end

  // Stage 5.
  logic [FullW-1:0] full;
  logic [WideW-1:0] wide;
  logic [QW-1:0] score;
  logic [unison_pkg::KeyW-1:0] key5_q;
  logic unused_fraction;

  assign full  = FullW'(lo4_q) + {hi4_q, {HalfW{1'b0}}};
  assign wide  = WideW'(full) << shift4_q;
  assign score = (|wide[WideW-1:Point+QW]) ? '1 : wide[Point+:QW];
  assign unused_fraction = ^wide[Point-1:0];

  always_ff @(posedge clk_i) begin
    key5_q <= gap4_q ? {1'b1, (unison_pkg::ScoreW)'(score)} :
              unison_pkg::KeyW'(lo4_q[TimeW-1:0]);
  end

  assign key_o = key5_q;
endmodule
