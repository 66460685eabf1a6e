/// Entry of the turn table for turn k: k - 1 for the first turns, then a group of turns an entry,
/// the last entry for the rest (contract section 3). Combinational.
module unison_turn_index #(
  /// Derived: bits of an entry's index.
  localparam int IdxW = $clog2(unison_pkg::TurnEntries)
) (
  /// Turns seen, at least 1.
  input  logic [unison_pkg::TurnW-1:0] k_i,
  /// Entry.
  output logic [IdxW-1:0]              idx_o
);
  localparam int Single = unison_pkg::TurnSingle;
  localparam int GroupLog = $clog2(unison_pkg::TurnGroup);
  localparam int Last = unison_pkg::TurnEntries - 1;

  logic [unison_pkg::TurnW-1:0] past, grouped;

  assign past  = k_i - 1'b1;
  // Single is a multiple of the group, so (past - Single) / group = past / group - Single / group.
  assign grouped = (past >> GroupLog) +
                   unison_pkg::TurnW'(Single - (Single >> GroupLog));

  always_comb begin
    if (past < unison_pkg::TurnW'(Single)) idx_o = past[IdxW-1:0];
    else if (grouped > unison_pkg::TurnW'(Last)) idx_o = IdxW'(Last);
    else idx_o = grouped[IdxW-1:0];
  end
endmodule
