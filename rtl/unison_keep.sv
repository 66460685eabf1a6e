/// Keeps the best entries of a stream in sorted order, largest key first.
///
/// Policy: an entry goes behind those of an equal key, so with rows entering in ascending order a
/// tie goes to the lowest row. `dry_o` tells that the list has been popped empty while it
/// had dropped entries: the best of what is left is then unknown to it and the source must be
/// scanned again.
/// Timing: an insertion or a pop shows in the next cycle; not both in one cycle.
module unison_keep #(
  /// Entries kept.
  parameter int Depth = 2,
  /// Bits of the key.
  parameter int KeyW = unison_pkg::KeyW,
  /// Bits of the row, the entry's payload.
  parameter int RowW = 4
) (
  /// Clock.
  input  logic            clk_i,
  /// Asynchronous reset, active low.
  input  logic            rst_ni,
  /// Forget everything.
  input  logic            clear_i,
  /// Insert the entry.
  input  logic            insert_i,
  /// Key of the entry.
  input  logic [KeyW-1:0] key_i,
  /// Row of the entry.
  input  logic [RowW-1:0] row_i,
  /// Remove the best.
  input  logic            pop_i,
  /// There is a best entry.
  output logic            valid_o,
  /// Its key.
  output logic [KeyW-1:0] key_o,
  /// Its row.
  output logic [RowW-1:0] row_o,
  /// Empty, though entries were dropped.
  output logic            dry_o
);
  logic [Depth-1:0] valid_q, beats;
  logic [Depth-1:0][KeyW-1:0] key_q;
  logic [Depth-1:0][RowW-1:0] row_q;
  logic dropped_q;

  assign valid_o = valid_q[0];
  assign key_o   = key_q[0];
  assign row_o   = row_q[0];
  assign dry_o   = dropped_q & ~valid_q[0];

  // The list is sorted, so `beats` is 0..01..1: the entry goes where the ones begin.
  for (genvar i = 0; i < Depth; i++) begin : gen_entry
    assign beats[i] = !valid_q[i] || (key_i > key_q[i]);

    logic valid_above, valid_below, take_new;
    logic [KeyW-1:0] key_above, key_below;
    logic [RowW-1:0] row_above, row_below;
    if (i == 0) begin : gen_first
      assign take_new    = 1'b1;
      assign valid_above = 1'b0;
      assign key_above   = '0;
      assign row_above   = '0;
    end else begin : gen_next
      assign take_new    = !beats[i-1];
      assign valid_above = valid_q[i-1];
      assign key_above   = key_q[i-1];
      assign row_above   = row_q[i-1];
    end
    if (i == Depth - 1) begin : gen_last
      assign valid_below = 1'b0;
      assign key_below   = key_q[i];
      assign row_below   = row_q[i];
    end else begin : gen_inner
      assign valid_below = valid_q[i+1];
      assign key_below   = key_q[i+1];
      assign row_below   = row_q[i+1];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q[i] <= 1'b0;
      else if (clear_i) valid_q[i] <= 1'b0;
      else if (pop_i) valid_q[i] <= valid_below;
      else if (insert_i && beats[i]) valid_q[i] <= take_new | valid_above;
    end

    always_ff @(posedge clk_i) begin
      if (pop_i) begin
        key_q[i] <= key_below;
        row_q[i] <= row_below;
      end else if (insert_i && beats[i]) begin
        key_q[i] <= take_new ? key_i : key_above;
        row_q[i] <= take_new ? row_i : row_above;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dropped_q <= 1'b0;
    else if (clear_i) dropped_q <= 1'b0;
    else if (insert_i && valid_q[Depth-1]) dropped_q <= 1'b1;
  end
endmodule
