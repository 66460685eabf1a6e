/// The score's tables W, Z and TURN (contract section 3) in flip-flops.
///
/// Policy: written by the bus at any time, by byte lanes; read by every lane at once, so the whole
/// contents leave as packed arrays and each lane has its own multiplexers. Not reset: the driver
/// writes every entry before it enables the core.
/// Timing: a written entry is visible in the next cycle.
module unison_tables #(
  /// Derived: bits of a table index.
  localparam int IdxW = $clog2(unison_pkg::TurnEntries)
) (
  /// Clock.
  input  logic                                                        clk_i,
  /// Write W[idx_i].
  input  logic                                                        we_w_i,
  /// Write Z[idx_i].
  input  logic                                                        we_z_i,
  /// Write TURN[idx_i].
  input  logic                                                        we_turn_i,
  /// Entry to write and to read back.
  input  logic [IdxW-1:0]                                             idx_i,
  /// Byte lanes to write.
  input  logic [1:0]                                                  be_i,
  /// Value to write.
  input  logic [15:0]                                                 data_i,
  /// All of W, Q12.4.
  output logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] w_o,
  /// All of Z, Q12.4.
  output logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] z_o,
  /// All of TURN, odds Q4.12 or hazard in the low 8 bits.
  output logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0]     turn_o
);
  logic [15:0] w_q [unison_pkg::WeightEntries];
  logic [15:0] z_q [unison_pkg::WeightEntries];
  logic [15:0] turn_q [unison_pkg::TurnEntries];
  logic [3:0] widx;

  assign widx = idx_i[3:0];

  always_ff @(posedge clk_i) begin
    if (we_w_i && be_i[0]) w_q[widx][7:0] <= data_i[7:0];
    if (we_w_i && be_i[1]) w_q[widx][15:8] <= data_i[15:8];
    if (we_z_i && be_i[0]) z_q[widx][7:0] <= data_i[7:0];
    if (we_z_i && be_i[1]) z_q[widx][15:8] <= data_i[15:8];
    if (we_turn_i && be_i[0]) turn_q[idx_i][7:0] <= data_i[7:0];
    if (we_turn_i && be_i[1]) turn_q[idx_i][15:8] <= data_i[15:8];
  end

  for (genvar i = 0; i < unison_pkg::WeightEntries; i++) begin : gen_weight
    assign w_o[i] = w_q[i];
    assign z_o[i] = z_q[i];
  end
  for (genvar i = 0; i < unison_pkg::TurnEntries; i++) begin : gen_turn
    assign turn_o[i] = turn_q[i];
  end
endmodule
