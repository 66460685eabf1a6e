/// Walks over the slots, one a cycle, in ascending order.
///
/// Policy: every slot of the table (the linear architecture), or with Sparse only those of `wanted_i`;
/// a walk without any issues slot 0, which is then not wanted, so that it ends like any other.
/// Timing: `start_i` in cycle t issues the first slot in cycle t and one more in every later one;
/// `last_o` marks the last. `abort_i` ends the walk, `start_i` restarts it. `wanted_i` is taken with
/// `start_i`.
module unison_walk #(
  /// Slots.
  parameter int NumSlots = unison_pkg::DefaultSlots,
  /// Skip what is not wanted.
  parameter bit Sparse = 1'b0,
  /// Derived: bits of a slot index.
  localparam int IdxW = $clog2(NumSlots)
) (
  /// Clock.
  input  logic                clk_i,
  /// Asynchronous reset, active low.
  input  logic                rst_ni,
  /// Begin.
  input  logic                start_i,
  /// End.
  input  logic                abort_i,
  /// Slots to visit.
  input  logic [NumSlots-1:0] wanted_i,
  /// The slot.
  output logic [IdxW-1:0]     slot_o,
  /// It is visited now.
  output logic                issue_o,
  /// It is the last.
  output logic                last_o
);
  if (Sparse) begin : gen_sparse
    logic [NumSlots-1:0] pend_q, pend, first;

    assign pend  = start_i ? wanted_i : pend_q;
    assign first = pend & (~pend + 1'b1);
    for (genvar b = 0; b < IdxW; b++) begin : gen_bit
      logic [NumSlots-1:0] hit;
      for (genvar i = 0; i < NumSlots; i++) begin : gen_hit
        assign hit[i] = first[i] & 1'(i >> b);
      end
      assign slot_o[b] = |hit;
    end
    assign issue_o = start_i | (|pend_q & ~abort_i);
    assign last_o  = issue_o & ~|(pend & ~first);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) pend_q <= '0;
      else pend_q <= issue_o ? pend & ~first : '0;
    end
  end else begin : gen_all
    logic [IdxW-1:0] next_q;
    logic walk_q, unused_wanted;

    assign slot_o        = start_i ? '0 : next_q;
    assign issue_o       = start_i | (walk_q & ~abort_i);
    assign last_o        = issue_o & (slot_o == IdxW'(NumSlots - 1));
    assign unused_wanted = ^wanted_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) walk_q <= 1'b0;
      else walk_q <= issue_o & ~last_o;
    end

    always_ff @(posedge clk_i) next_q <= slot_o + 1'b1;
  end
endmodule
