// Goal 6 of core.sv: every event ends within the bound; without the stalls, then with them.
  logic bound_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      `PROVE(6, live_bound, (int'(age_q) + int'(ahead) <= Bound))
      `PROVE(6, live_records, (int'(pushes_q) + int'(later) <= NumSlots + 3))
      `PROVE(6, live_stalls, (int'(held_q) <= MaxStall * int'(pushes_q) + int'(run_q)))
      `PROVE(6, live_total, (int'(age_q) + int'(held_q) <= Bound + MaxStall * (NumSlots + 3)))
    end
    bound_q <= ok;
  end
