/// Ranking key of one slot, quotient form: S = min(2^24 - 1, (ghat << 4) / (256 - h8)).
///
/// Policy: the paper's integer score (contract section 3), with the hazard h8 in the low byte of
/// the turn table. In GAP the key is {1, 24'b0, S}; in READY {0, 2^32 - 1 - age}.
/// Timing: a pipelined restoring divider, Steps quotient bits a stage, one key a cycle; inputs in
/// cycle t give `key_o` in cycle t + 2 + 24 / Steps. The dividend's four leading bits are the first
/// remainder: when they reach the divisor the quotient has more than 24 bits and saturates.
/// In READY the age travels in the remainder and quotient bits. Not reset.
module unison_score_quotient #(
  /// Quotient bits a stage; divides 24.
  parameter int Steps = 3
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
  output logic [unison_pkg::KeyW-1:0]                               key_o
);
  localparam int QW = unison_pkg::QuotientW;
  localparam int DivW = unison_pkg::HazardW + 1;  // divisor 1..256
  localparam int StateW = DivW + QW;  // remainder, dividend bits left and quotient bits found
  localparam int NumStages = QW / Steps;
  localparam int FirstRem = unison_pkg::GapW + unison_pkg::QuotientF - QW;  // leading bits

  initial begin
    if (Steps < 1 || QW % Steps != 0) begin
      $fatal(1, "unison_score_quotient: Steps: got %0d, expected a divisor of %0d", Steps, QW);
    end
  end

  // Stage 1: age and turn index.
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

  // Stage 2: divisor, first remainder, saturation.
  logic [unison_pkg::OddsW-1:0] entry;
  logic [unison_pkg::HazardW-1:0] hazard;
  logic [DivW-1:0] divisor, first;
  logic [NumStages:0][StateW-1:0] div_q;
  logic [NumStages:0][DivW-1:0] divisor_q;
  logic [NumStages:0] sat_q, gap_q;

  assign entry   = turn_i[turn1_q];
  assign hazard  = entry[unison_pkg::HazardW-1:0];
  assign divisor = DivW'(1 << unison_pkg::HazardW) - DivW'(hazard);
  assign first   = DivW'(ghat1_q[unison_pkg::GapW-1-:FirstRem]);

  always_ff @(posedge clk_i) begin
    divisor_q[0] <= divisor;
    gap_q[0]     <= gap1_q;
    sat_q[0]     <= first >= divisor;
    div_q[0]     <= gap1_q ?
        {first, ghat1_q[unison_pkg::GapW-FirstRem-1:0], {unison_pkg::QuotientF{1'b0}}} :
        {{(StateW - unison_pkg::TimeW) {1'b0}}, ~age1_q};
  end

  // Stages 3 to 2 + NumStages.
  for (genvar s = 0; s < NumStages; s++) begin : gen_stage
    // Restoring steps: shift in a dividend bit, subtract if it fits, the quotient bit follows.
    logic [StateW-1:0] part [Steps+1];
    assign part[0] = div_q[s];
    for (genvar b = 0; b < Steps; b++) begin : gen_step
      logic [DivW:0] shifted;
      logic [DivW-1:0] rest;
      logic goes;
      assign shifted   = part[b][StateW-1-:DivW+1];
      assign rest      = shifted[DivW-1:0] - divisor_q[s];  // used where it does not borrow
      assign goes      = shifted >= {1'b0, divisor_q[s]};
      assign part[b+1] = {goes ? rest : shifted[DivW-1:0], part[b][QW-2:0], goes};
    end
    always_ff @(posedge clk_i) begin
      divisor_q[s+1] <= divisor_q[s];
      gap_q[s+1]     <= gap_q[s];
      sat_q[s+1]     <= sat_q[s];
      div_q[s+1]     <= gap_q[s] ? part[Steps] : div_q[s];
    end
  end

  logic [QW-1:0] score;
  logic unused_tail, unused_entry;

  assign score = sat_q[NumStages] ? '1 : div_q[NumStages][QW-1:0];
  assign unused_tail = ^{divisor_q[NumStages], div_q[NumStages][StateW-1]};
  assign unused_entry = ^entry[unison_pkg::OddsW-1:unison_pkg::HazardW];
  assign key_o = gap_q[NumStages] ? {1'b1, (unison_pkg::ScoreW)'(score)} :
                 unison_pkg::KeyW'(div_q[NumStages][unison_pkg::TimeW-1:0]);
endmodule
