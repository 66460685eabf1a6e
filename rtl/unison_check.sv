/// Finds the first fault of an event, in the contract's order (section 2).
///
/// Policy: keeps the time of the last legal event, against which the next one is checked; the first
/// event after reset may have any time.
/// Timing: combinational; `accept_i` moves the time in the cycle's end if there is no fault.
module unison_check #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Bits of a session's size.
  parameter int TokW = unison_pkg::TokW
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// The event is taken, unless at fault.
  input  logic                          accept_i,
  /// Event code as received.
  input  logic [unison_pkg::CodeW-1:0]  code_i,
  /// Slot as received.
  input  logic [unison_pkg::SlotW-1:0]  slot_i,
  /// Tokens as received.
  input  logic [unison_pkg::TokW-1:0]   tokens_i,
  /// Time of the event.
  input  logic [unison_pkg::TimeW-1:0]  ts_i,
  /// State of the slot; ignored when the slot does not exist.
  input  logic [unison_pkg::StateW-1:0] state_i,
  /// A migration is under way.
  input  logic                          outstanding_i,
  /// The event is illegal.
  output logic                          fault_o,
  /// Why.
  output logic [unison_pkg::InfoW-1:0]  cause_o
);
  logic req, open, close, done, mig, known, sized, back, over;
  logic [unison_pkg::TimeW-1:0] advance;
  logic unused_advance, last_valid_q;
  logic [unison_pkg::TimeW-1:0] last_ts_q;

  assign req   = code_i == unison_pkg::EvReq;
  assign open  = code_i == unison_pkg::EvGapOpen;
  assign close = code_i == unison_pkg::EvGapClose;
  assign done  = code_i == unison_pkg::EvDone;
  assign mig   = code_i == unison_pkg::EvMigDone;
  assign known = req | open | close | done | mig;
  assign sized = req | open;

  // Times are compared modulo 2^32: less than half the circle is forward.
  assign advance = ts_i - last_ts_q;
  assign back    = last_valid_q & advance[unison_pkg::TimeW-1];
  assign over    = |(tokens_i >> TokW);
  assign unused_advance = ^advance[unison_pkg::TimeW-2:0];

  always_comb begin
    cause_o = '0;
    if (!known) cause_o = unison_pkg::CauseUnknownCode;
    else if (!mig && {1'b0, slot_i} >= 9'(NumSlots)) cause_o = unison_pkg::CauseBadSlot;
    else if (back) cause_o = unison_pkg::CauseTimeBack;
    else if (sized && tokens_i == '0) cause_o = unison_pkg::CauseTokensZero;
    else if (sized && over) cause_o = unison_pkg::CauseTokensOver;
    else if (mig) begin
      if (!outstanding_i) cause_o = unison_pkg::CauseMigNotOutstanding;
    end else if (req) begin
      if (state_i == unison_pkg::StActive) cause_o = unison_pkg::CauseReqActive;
    end else if (state_i == unison_pkg::StFree) begin
      cause_o = unison_pkg::CauseSlotFree;
    end else if (open && state_i != unison_pkg::StActive) begin
      cause_o = unison_pkg::CauseOpenNotActive;
    end else if (close && state_i != unison_pkg::StGap) begin
      cause_o = unison_pkg::CauseCloseNotGap;
    end
  end

  assign fault_o = |cause_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_ts_q    <= '0;
      last_valid_q <= 1'b0;
    end else if (accept_i && !fault_o) begin
      last_ts_q    <= ts_i;
      last_valid_q <= 1'b1;
    end
  end
endmodule
