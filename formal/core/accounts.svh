// Goal 1 of core.sv: the accounts equal the sums of the slots.
  logic accounts_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      `PROVE(1, acc_sum, (sum_t'(used[0]) == sum[0] && sum_t'(used[1]) == sum[1]))
    end
    accounts_q <= ok;
  end
