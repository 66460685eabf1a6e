// Goal 3 of core.sv: BYPASS only where no tier is eligible, and never after an EVICT.
  logic bypass_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      if (rec_push && kind == unison_pkg::RecBypass) begin
        `PROVE(3, bypass_nobody, (!evicted_q))
        `PROVE(3, bypass_none, (want[0] > sum_t'(cap_q[0]) + live_sum[0] &&
                                want[1] > sum_t'(cap_q[1]) + live_sum[1]))
      end

      // Needed by the induction only: the eligible tiers.
      if (state inside {Room, Spear} && (rank_done || (rank_busy && left <= 8'd5))) begin
        `PROVE(3, i_elig, (elig == {want[1] <= sum_t'(cap_q[1]) + live_sum[1],
                                    want[0] <= sum_t'(cap_q[0]) + live_sum[0]}))
      end
      if (evicted_q && state inside {Room, Spear}) begin
        `PROVE(3, i_still, (want[0] <= sum_t'(cap_q[0]) + live_sum[0] ||
                            want[1] <= sum_t'(cap_q[1]) + live_sum[1]))
      end
    end
    bypass_q <= ok;
  end
