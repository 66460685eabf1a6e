/// Tide's budget test with a divider: does a size fit what DMA moves in the average gap?
///
/// Policy: ceil(size * 256 / bw) <= ghat, the same decision as size <= ghat * bw >> 8 (contract
/// section 5). A bandwidth of 0 fits nothing.
/// Timing: a pipelined restoring divider, Steps quotient bits a stage, one size a cycle; a size in
/// cycle t gives `fits_o` in cycle t + 24 / Steps. A quotient of more than 24 bits exceeds any gap:
/// the dividend's leading bits are the first remainder, and reach the divisor then. The bandwidth
/// stays as it is while an event is under way, so it does not travel along. Not reset.
module unison_tide_divide #(
  /// Quotient bits a stage; divides 24.
  parameter int Steps = 4
) (
  /// Clock.
  input  logic                        clk_i,
  /// Size, of one session or of two.
  input  logic [unison_pkg::TokW:0]   size_i,
  /// Bandwidth, tokens a tick, Q8.8.
  input  logic [unison_pkg::BwW-1:0]  bw_i,
  /// Average gap.
  input  logic [unison_pkg::GapW-1:0] ghat_i,
  /// The size fits.
  output logic                        fits_o
);
  localparam int QW = unison_pkg::GapW;
  localparam int DivW = unison_pkg::BwW;
  localparam int NumW = unison_pkg::TokW + 1 + unison_pkg::BwF;
  localparam int StateW = DivW + QW;  // remainder, dividend bits left and quotient bits found
  localparam int NumStages = QW / Steps;

  initial begin
    if (Steps < 1 || QW % Steps != 0) begin
      $fatal(1, "unison_tide_divide: Steps: got %0d, expected a divisor of %0d", Steps, QW);
    end
  end

  logic [NumW-1:0] num;
  logic [NumStages:0][StateW-1:0] div;  // [0] enters
  logic [NumStages:0] sat;

  assign num    = {size_i, {unison_pkg::BwF{1'b0}}};
  assign div[0] = StateW'(num);
  assign sat[0] = DivW'(num[NumW-1:QW]) >= bw_i;

  for (genvar s = 0; s < NumStages; s++) begin : gen_stage
    // Restoring steps: shift in a dividend bit, subtract if it fits, the quotient bit follows.
    logic [StateW-1:0] part [Steps+1];
    logic [StateW-1:0] div_q;
    logic sat_q;
    assign part[0] = div[s];
    for (genvar b = 0; b < Steps; b++) begin : gen_step
      logic [DivW:0] shifted;
      logic [DivW+1:0] rest;  // the leading bit tells a borrow
      assign shifted   = part[b][StateW-1-:DivW+1];
      assign rest      = {1'b0, shifted} - {2'b0, bw_i};
      assign part[b+1] = {rest[DivW+1] ? shifted[DivW-1:0] : rest[DivW-1:0],
                          part[b][QW-2:0], ~rest[DivW+1]};
    end
    always_ff @(posedge clk_i) begin
      div_q <= part[Steps];
      sat_q <= sat[s];
    end
    assign div[s+1] = div_q;
    assign sat[s+1] = sat_q;
  end

  logic [QW-1:0] quotient;
  logic exact;

  assign quotient = div[NumStages][QW-1:0];
  assign exact    = div[NumStages][StateW-1:QW] == '0;
  assign fits_o   = !sat[NumStages] && (quotient < ghat_i || (quotient == ghat_i && exact));
endmodule
