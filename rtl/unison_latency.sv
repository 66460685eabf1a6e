/// Decision latency of an event: cycles from its arrival at the event FIFO's head, the core being
/// enabled, to its last decision record, both included (contract section 6).
module unison_latency (
  /// Clock.
  input  logic        clk_i,
  /// Asynchronous reset, active low.
  input  logic        rst_ni,
  /// No event under way: the first cycle of the next one, if it is one.
  input  logic        first_i,
  /// A decision record is entered.
  input  logic        decision_i,
  /// The event ends.
  input  logic        end_i,
  /// It had a decision.
  output logic        valid_o,
  /// Its latency, cycles.
  output logic [31:0] cycles_o
);
  logic [31:0] now_q, last_q, now;
  logic seen_q;

  assign now      = first_i ? 32'd1 : now_q;
  assign valid_o  = end_i & (seen_q | decision_i);
  assign cycles_o = decision_i ? now : last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else if (end_i) seen_q <= 1'b0;
    else if (decision_i) seen_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    now_q <= now + 1'b1;
    if (decision_i) last_q <= now;
  end
endmodule
