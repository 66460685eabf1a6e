// Part of core.sv: every kind of event and way out is reachable; from reset, and, where that takes
// too many steps for the solver, from a state that has all the properties.
  logic second1_q = 1'b0, second2_q = 1'b0;  // the third cycle or later
  always_ff @(posedge clk_i) {second2_q, second1_q} <= {second1_q, 1'b1};
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      if (Any == 0) begin
        c_bypass: cover (rec_push && kind == unison_pkg::RecBypass && live != '0);
        c_promote: cover (dma_push && state == Promote && !swap);
        c_mig: cover (clear_fly && fly != '0);
        c_stall: cover (stalled && int'(run_q) == MaxStall - 1 && state == Spear);
        c_error: cover (rec_push && kind == unison_pkg::RecError && state == Error);
        c_done: cover (pop && done && resident);
      end else begin
        c_evict: cover (rank_pop && evicted_q && !again_q && second2_q);
        c_dry: cover (rank_pop && again_q && evicted_q && second2_q);
        c_place: cover (rec_push && kind == unison_pkg::RecPlace && evicted_q && second2_q);
        c_exchange: cover (dma_push && state == Promote && swap && second2_q);
        c_gone: cover (rank_start && state == TideWait && u_ctrl.u_fsm.p_gone_q && second2_q);
      end
    end
  end
