/// Counters of events, outcomes, decisions, errors and latencies. All saturate.
///
/// Policy: `cnt_o` is in the address order of the registers CNT_EVENTS .. LAT_MAX, `err_o[i]` counts
/// cause i + 1. Records are counted as they enter the decision FIFO.
/// Timing: a cause in cycle t shows in cycle t + 1.
module unison_counters (
  /// Clock.
  input  logic                                     clk_i,
  /// Asynchronous reset, active low.
  input  logic                                     rst_ni,
  /// An event leaves the event FIFO.
  input  logic                                     event_i,
  /// A record enters the decision FIFO.
  input  logic                                     rec_i,
  /// Its kind.
  input  logic [unison_pkg::KindW-1:0]             kind_i,
  /// Its outcome or cause.
  input  logic [unison_pkg::InfoW-1:0]             info_i,
  /// An event write was refused.
  input  logic                                     refused_i,
  /// A ranking pass has finished.
  input  logic                                     pass_i,
  /// An event with a decision ends.
  input  logic                                     lat_i,
  /// Its latency, cycles.
  input  logic [31:0]                              lat_cycles_i,
  /// The counters.
  output logic [13:0][31:0]                        cnt_o,
  /// The error counters.
  output logic [unison_pkg::NumCauses-1:0][15:0]   err_o
);
  localparam int NumCounts = 12;  // those that count by one

  logic [NumCounts-1:0] inc;
  logic outcome;
  logic [31:0] cnt_q [NumCounts];
  logic [15:0] err_q [unison_pkg::NumCauses];
  logic [31:0] sum_q, max_q, sum_d;
  logic carry;

  assign outcome = rec_i && kind_i == unison_pkg::RecOutcome;
  assign inc[0]  = event_i;
  assign inc[1]  = outcome && info_i == unison_pkg::OutCold;
  assign inc[2]  = outcome && info_i == unison_pkg::OutMiss;
  assign inc[3]  = outcome && info_i == unison_pkg::OutHitSram;
  assign inc[4]  = outcome && info_i == unison_pkg::OutHitHbm;
  assign inc[5]  = rec_i && kind_i == unison_pkg::RecEvict;
  assign inc[6]  = rec_i && kind_i == unison_pkg::RecBypass;
  assign inc[7]  = rec_i && kind_i == unison_pkg::RecPromote;
  assign inc[8]  = rec_i && kind_i == unison_pkg::RecDemote;
  assign inc[9]  = refused_i;
  assign inc[10] = pass_i;
  assign inc[11] = lat_i;

  for (genvar i = 0; i < NumCounts; i++) begin : gen_count
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) cnt_q[i] <= '0;
      else if (inc[i] && cnt_q[i] != '1) cnt_q[i] <= cnt_q[i] + 1'b1;
    end
    assign cnt_o[i] = cnt_q[i];
  end

  for (genvar i = 0; i < unison_pkg::NumCauses; i++) begin : gen_error
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) err_q[i] <= '0;
      else if (rec_i && kind_i == unison_pkg::RecError &&
               info_i == unison_pkg::InfoW'(i + 1) && err_q[i] != '1) begin
        err_q[i] <= err_q[i] + 1'b1;
      end
    end
    assign err_o[i] = err_q[i];
  end

  assign {carry, sum_d} = {1'b0, sum_q} + {1'b0, lat_cycles_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q <= '0;
      max_q <= '0;
    end else if (lat_i) begin
      sum_q <= carry ? '1 : sum_d;
      if (lat_cycles_i > max_q) max_q <= lat_cycles_i;
    end
  end

  assign cnt_o[12] = sum_q;
  assign cnt_o[13] = max_q;
endmodule
