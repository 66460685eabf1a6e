/// Arbiter of the event FIFO's one push port: APB event writes and the sideband event port.
///
/// Policy: an APB event write that was found to have room enters in its access phase, and the
/// sideband waits for that one cycle; otherwise the sideband enters whenever there is room. Only
/// the last free place is worth a contest, and it goes round: once an APB event write has been
/// refused for want of room, the place after a sideband event is kept until an APB one has
/// entered. So neither side can shut the other out, and a side that is idle costs the other
/// nothing but that one place. APB is told "full" also when the sideband takes the last place in
/// the very cycle of APB's decision.
/// Timing: combinational but for two flip-flops; `ev_ready_o` does not depend on `ev_valid_i`.
module unison_ev_arb (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Events carry their own time.
  input  logic                          ts_ext_i,
  /// The core's own time.
  input  logic [unison_pkg::TimeW-1:0]  now_i,
  /// An APB event write enters.
  input  logic                          apb_push_i,
  /// An APB event write was refused for want of room.
  input  logic                          apb_refused_i,
  /// Its word.
  input  logic [31:0]                   apb_word_i,
  /// Its time in TS_EXT mode.
  input  logic [unison_pkg::TimeW-1:0]  apb_time_i,
  /// No room for an APB event write that is being decided now.
  output logic                          apb_full_o,
  /// A sideband event is offered.
  input  logic                          ev_valid_i,
  /// It is taken.
  output logic                          ev_ready_o,
  /// Its code.
  input  logic [unison_pkg::CodeW-1:0]  ev_code_i,
  /// Its slot.
  input  logic [unison_pkg::SlotW-1:0]  ev_slot_i,
  /// Its tokens.
  input  logic [unison_pkg::TokW-1:0]   ev_tokens_i,
  /// Its time in TS_EXT mode.
  input  logic [unison_pkg::TimeW-1:0]  ev_time_i,
  /// The FIFO has no room.
  input  logic                          full_i,
  /// The FIFO has room for one.
  input  logic                          last_i,
  /// Enter `word_o` and `ts_o`.
  output logic                          push_o,
  /// Event word.
  output logic [31:0]                   word_o,
  /// Event time.
  output logic [unison_pkg::TimeW-1:0]  ts_o
);
  logic owed_q, sideband_last_q, take;

  assign ev_ready_o = ~full_i & ~apb_push_i & ~(last_i & owed_q & sideband_last_q);
  assign take       = ev_valid_i & ev_ready_o;
  assign apb_full_o = full_i | (last_i & take);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owed_q          <= 1'b0;
      sideband_last_q <= 1'b0;
    end else begin
      if (apb_push_i) owed_q <= 1'b0;
      else if (apb_refused_i) owed_q <= 1'b1;
      if (apb_push_i) sideband_last_q <= 1'b0;
      else if (take) sideband_last_q <= 1'b1;
    end
  end

  assign push_o = apb_push_i | take;
  assign word_o = apb_push_i ? apb_word_i : {ev_code_i, ev_slot_i, ev_tokens_i};

  always_comb begin
    if (!ts_ext_i) ts_o = now_i;
    else ts_o = apb_push_i ? apb_time_i : ev_time_i;
  end
endmodule
