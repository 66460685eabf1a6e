// Goal 2 of core.sv: what is used never exceeds a capacity.
  logic capacity_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      `PROVE(2, acc_cap, (used[0] <= cap_q[0] && used[1] <= cap_q[1]))

      // Needed by the induction only: what was found to fit still does.
      if (state == Place || (state == Commit && (req || (open && resident)))) begin
        `PROVE(2, i_fits, ((new_tier != unison_pkg::TierSram || want[0] <= sum_t'(cap_q[0])) &&
                           (new_tier != unison_pkg::TierHbm || want[1] <= sum_t'(cap_q[1]))))
      end
      if (state == Demote) `PROVE(2, i_demote, (u_ctrl.exchange))
      if (state == Promote) begin
        if (!swap) `PROVE(2, i_direct, (u_ctrl.direct))
        else `PROVE(2, i_swap, (u_ctrl.exchange && tier[q] == unison_pkg::TierHbm &&
                                q_size == PkgTokW'(tok[q]) && p != q))
      end
    end
    capacity_q <= ok;
  end
