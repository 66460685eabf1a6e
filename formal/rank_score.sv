// Stands in for unison_score_product in rank.sv: six stages, the key is a word of the slot.
module unison_score_product (
  input  logic                                                          clk_i,
  input  logic [unison_pkg::TimeW-1:0]                                  ts_i,
  input  logic [unison_pkg::TimeW-1:0]                                  t_on_i,
  input  logic [unison_pkg::GapW-1:0]                                   ghat_i,
  input  logic [unison_pkg::TurnW-1:0]                                  k_i,
  input  logic                                                          gap_i,
  input  logic                                                          now_i,
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] w_i,
  input  logic [unison_pkg::WeightEntries-1:0][unison_pkg::WeightW-1:0] z_i,
  input  logic [unison_pkg::TurnEntries-1:0][unison_pkg::OddsW-1:0]     turn_i,
  output logic [unison_pkg::KeyW-1:0]                                   key_o
);
  logic [5:0][unison_pkg::KeyW-1:0] key_q;
  always_ff @(posedge clk_i) key_q <= {key_q[4:0], unison_pkg::KeyW'(ghat_i)};
  assign key_o = key_q[5];
endmodule
