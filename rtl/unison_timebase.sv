/// The core's own time: a prescaler and a tick counter.
///
/// Policy: runs from reset on, enabled or not, and wraps modulo 2^32 (contract section 2). A
/// shorter prescale value takes effect at once: the running tick ends in the next cycle.
module unison_timebase (
  /// Clock.
  input  logic                                clk_i,
  /// Asynchronous reset, active low.
  input  logic                                rst_ni,
  /// Clock cycles per tick minus one.
  input  logic [15:0]                         prescale_i,
  /// Ticks since reset.
  output logic [unison_pkg::TimeW-1:0]        time_o
);
  logic [15:0] count_q;
  logic [unison_pkg::TimeW-1:0] time_q;
  logic tick;

  assign tick   = count_q >= prescale_i;
  assign time_o = time_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      time_q  <= '0;
    end else begin
      count_q <= tick ? '0 : count_q + 1'b1;
      if (tick) time_q <= time_q + 1'b1;
    end
  end
endmodule
