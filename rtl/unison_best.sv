/// The largest of several words, by a balanced tree of comparators. Combinational.
module unison_best #(
  /// Words to compare.
  parameter int Num = 4,
  /// Bits of a word.
  parameter int Width = 8
) (
  /// The words.
  input  logic [Num-1:0][Width-1:0] data_i,
  /// The largest of them.
  output logic [Width-1:0]          best_o
);
  // Written as rounds of a tournament within one process: the tree depth is log2(Num).
  logic [Width-1:0] round [Num];

  always_comb begin
    for (int i = 0; i < Num; i++) round[i] = data_i[i];
    for (int level = 0; level < $clog2(Num); level++) begin
      for (int i = 0; i < Num; i++) begin
        // At each level, the winners so far stand at the multiples of 2^level.
        if (i % (2 << level) == 0 && i + (1 << level) < Num) begin
          if (round[i+(1<<level)] > round[i]) round[i] = round[i+(1<<level)];
        end
      end
    end
  end

  assign best_o = round[0];
endmodule
