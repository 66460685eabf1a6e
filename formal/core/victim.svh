// Goal 4 of core.sv: a victim is resident, waiting, not in flight, not the event's own, in an
// eligible tier, and leaves only where there is no room.
  logic victim_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      if (rank_pop) begin
        `PROVE(4, own_victim, (top_slot != own))
        `PROVE(4, victim_waits, (st[top_slot] == unison_pkg::StGap ||
                                 st[top_slot] == unison_pkg::StReady))
        `PROVE(4, victim_stays, (!fly[top_slot]))
        `PROVE(4, victim_tier, (top_valid && int'(tier[top_slot]) == (top_hbm ? 2 : 1) &&
                                elig[top_hbm]))
        `PROVE(4, victim_needed, (!u_ctrl.room[0] && !u_ctrl.room[1]))
        `PROVE(4, victim_told, (rec_push && kind == unison_pkg::RecEvict &&
            rec_slot == 8'(top_slot) && rec_tier == tier[top_slot] &&
            rec_tok == PkgTokW'(tok[top_slot]) && wr_tier && wr_slot == top_slot &&
            wr_tier_val == unison_pkg::TierNone))
      end

      // Needed by the induction only: what the ranking has found.
      if (state == Spear) `PROVE(4, i_spear, ((rank_busy || rank_done) && u_ctrl.room == '0 &&
                                              u_ctrl.u_fsm.spear_q))
      if (state inside {Check, Prep, Ema, Room}) `PROVE(4, i_spearing, (u_ctrl.u_fsm.spear_q))
      if (state == Spear && rank_done && elig != '0) begin
        `PROVE(4, i_dry, ((dry & elig) == '0))
        `PROVE(4, i_top, (top_valid && live[top_slot] && top_hbm == !sram[top_slot] &&
                          elig[top_hbm]))
      end
      if (rank_done && low_valid && !u_ctrl.u_fsm.p_gone_q) begin
        `PROVE(4, i_low, (live[low_slot] && !sram[low_slot] &&
                          PkgTokW'(tok[low_slot]) <= cap_q[0]))
      end
      if (state == TideWait && rank_done && !dry[0]) begin
        `PROVE(4, i_demotable, (!top_valid || (live[top_slot] && sram[top_slot])))
      end
    end
    victim_q <= ok;
  end
