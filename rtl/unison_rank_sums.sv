/// Sums of the candidates' sizes by tier, over a pass.
///
/// Policy: a tier's candidates never hold more than its capacity, so TokW bits of the accounts do.
/// Timing: sizes offered in cycle t are in the sums from cycle t + 2 on (row sum, then total).
module unison_rank_sums #(
  /// Slots in a row.
  parameter int NumLanes = unison_pkg::DefaultLanes,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// A pass begins: sums of an older one are forgotten.
  input  logic                          clear_i,
  /// Sizes of the row's candidates in the SRAM, else 0.
  input  logic [NumLanes-1:0][TokW-1:0] sram_i,
  /// Sizes of the row's candidates in the HBM, else 0.
  input  logic [NumLanes-1:0][TokW-1:0] hbm_i,
  /// Sum over the SRAM.
  output logic [unison_pkg::TokW-1:0]   sram_o,
  /// Sum over the HBM.
  output logic [unison_pkg::TokW-1:0]   hbm_o
);
  localparam int AccW = unison_pkg::TokW;
  logic [AccW-1:0] row_sram, row_hbm, row_sram_q, row_hbm_q, sum_sram_q, sum_hbm_q;

  always_comb begin
    row_sram = '0;
    row_hbm  = '0;
    for (int l = 0; l < NumLanes; l++) begin
      row_sram = row_sram + AccW'(sram_i[l]);
      row_hbm  = row_hbm + AccW'(hbm_i[l]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_sram_q <= '0;
      row_hbm_q  <= '0;
      sum_sram_q <= '0;
      sum_hbm_q  <= '0;
    end else if (clear_i) begin
      row_sram_q <= '0;
      row_hbm_q  <= '0;
      sum_sram_q <= '0;
      sum_hbm_q  <= '0;
    end else begin
      row_sram_q <= row_sram;
      row_hbm_q  <= row_hbm;
      sum_sram_q <= sum_sram_q + row_sram_q;
      sum_hbm_q  <= sum_hbm_q + row_hbm_q;
    end
  end

  assign sram_o = sum_sram_q;
  assign hbm_o  = sum_hbm_q;
endmodule
