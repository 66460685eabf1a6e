/// Shifts the leading one of a value to the top and says by how much.
///
/// Combinational: a binary search, one multiplexer level a bit of the shift. Of 0 the result is 0
/// and the shift the largest there is.
module unison_normalise #(
  /// Bits of the value, at least 2.
  parameter int Width = 24,
  /// Derived: bits of the shift.
  localparam int ShiftW = $clog2(Width)
) (
  /// Value.
  input  logic [Width-1:0]  x_i,
  /// The value shifted to the left.
  output logic [Width-1:0]  norm_o,
  /// Places it was shifted by.
  output logic [ShiftW-1:0] shift_o
);
  logic [Width-1:0] part [ShiftW+1];
  assign part[ShiftW] = x_i;
  for (genvar j = 0; j < ShiftW; j++) begin : gen_level
    localparam int Places = 1 << j;
    assign shift_o[j] = ~|part[j+1][Width-1-:Places];
    assign part[j]    = shift_o[j] ? part[j+1] << Places : part[j+1];
  end
  assign norm_o = part[0];
endmodule
