/// Synchronous FIFO with first-word fall-through.
///
/// Policy: a push into a full FIFO and a pop from an empty one are ignored, so the owner of the
/// port decides what refusal means (error response, stall). Push and pop in one cycle are allowed
/// at any level but full, where only the pop happens.
/// Timing: a pushed word is at the head in the next cycle. All outputs come from flip-flops but for
/// the head's read multiplexer. Area: Width * Depth flip-flops, not reset, and the pointers.
module unison_fifo #(
  /// Bits of a word.
  parameter int Width = 32,
  /// Words, 2..255; need not be a power of two.
  parameter int Depth = 8,
  /// Derived: bits of the level.
  localparam int LevelW = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Enters `data_i`, unless full.
  input  logic              push_i,
  /// Word to enter.
  input  logic [Width-1:0]  data_i,
  /// No room.
  output logic              full_o,
  /// Removes the head, unless empty.
  input  logic              pop_i,
  /// The head; undefined while empty.
  output logic [Width-1:0]  data_o,
  /// No word.
  output logic              empty_o,
  /// Words held.
  output logic [LevelW-1:0] level_o
);
  localparam int PtrW = $clog2(Depth);
  localparam logic [PtrW-1:0] LastPtr = PtrW'(Depth - 1);

  initial begin
    if (Depth < 2 || Depth > 255) $fatal(1, "unison_fifo: Depth: got %0d, expected 2..255", Depth);
    if (Width < 1) $fatal(1, "unison_fifo: Width: got %0d, expected at least 1", Width);
  end

  logic [Width-1:0] mem_q [Depth];
  logic [PtrW-1:0] wr_q, rd_q;
  logic [LevelW-1:0] level_q;
  logic push, pop;

  assign full_o  = level_q == LevelW'(Depth);
  assign empty_o = level_q == '0;
  assign level_o = level_q;
  assign data_o  = mem_q[rd_q];
  assign push    = push_i & ~full_o;
  assign pop     = pop_i & ~empty_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q    <= '0;
      rd_q    <= '0;
      level_q <= '0;
    end else begin
      if (push) wr_q <= (wr_q == LastPtr) ? '0 : wr_q + 1'b1;
      if (pop) rd_q <= (rd_q == LastPtr) ? '0 : rd_q + 1'b1;
      if (push && !pop) level_q <= level_q + 1'b1;
      else if (pop && !push) level_q <= level_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) mem_q[wr_q] <= data_i;
  end
endmodule
