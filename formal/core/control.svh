// Goal 8 of core.sv: no record or descriptor into a full FIFO, what unison_rank relies on, and what
// each state of the controller knows.
  logic control_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      `PROVE(8, acc_moves, (!(u_ctrl.sub || u_ctrl.add || u_ctrl.move) || ev_valid_q))
      `PROVE(8, free_out, (!free_in))
      `PROVE(8, tier_known, (!tier_odd))
      `PROVE(8, rec_room, (!(rec_push && rec_full_i) && !(dma_push && dma_full_i)))

      // What the ranking unit relies on (rank.sv): other slots stand still during a pass, and of
      // the own one what is scored; pops come only with results.
      if (rank_busy && !rank_done) begin
        `PROVE(8, rank_still, (!clear_fly && !((wr_body || wr_tier || wr_fly) && wr_slot != own)))
        if (wr_body && rank_own) `PROVE(8, rank_own_still, (wr_ghat == own_ghat && wr_k == own_k))
      end
      `PROVE(8, rank_pops, (!rank_pop || (rank_done && !rank_start && !rank_abort)))
      if (left inside {8'd1, 8'd2} && state == Spear && left_was_q)
        `PROVE(8, rank_masks, (rank_mask == mask_q))

      // Needed by the induction only: the event and its slot.
      `PROVE(8, i_state, (state <= Promote))
      if (!idle) `PROVE(8, i_event, (ev_valid_q))
      if (state inside {Prep, Ema, Room, Spear, Place, Commit}) `PROVE(8, i_legal, (legal))
      if (state == Prep || (after_prep && !mig) || state == Check) begin
        if (int'(slot_q) < NumSlots) begin
          `PROVE(8, i_own, (u_ctrl.u_session.tier_q == tier[own] &&
                            u_ctrl.u_session.tok_q == tok[own] &&
                            u_ctrl.u_session.state_q == st[own] &&
                            (!open || (wr_k == own_k && wr_ghat == own_ghat))))
        end
      end
      if (state inside {Check, Prep, Ema} && int'(slot_q) < NumSlots)
        `PROVE(8, i_tier, (new_tier == tier[own]))
      if (state == Prep) `PROVE(8, i_prep, (!mig))
      if (state == Ema) `PROVE(8, i_ema, (req || close))
      if (state inside {Room, Spear, Place}) `PROVE(8, i_room, (req || (open && resident)))
      if (state == Commit) begin
        if (close || (open && !resident)) `PROVE(8, i_same, (new_tier == tier[own]))
        if (done) `PROVE(8, i_none, (new_tier == unison_pkg::TierNone))
      end
      `PROVE(8, i_tiers, (idle || state == Error || mig || int'(slot_q) >= NumSlots ||
                          new_tier != 2'd3))

      // The pass.
      if (idle || !(req || open)) `PROVE(8, i_noleft, (left == '0 && !rank_done))
      `PROVE(8, i_left, (int'(left) <= NumSlots / NumLanes + 7 && !(rank_busy && rank_done)))
      if (rank_busy) `PROVE(8, i_new, (!u_ctrl.u_fsm.p_gone_q && dry == '0 && pops == '0))
      if (state == Check) `PROVE(8, i_check, (!rank_done && (left >= 8'd8 || !(req || open))))
      if (state == Prep) `PROVE(8, i_prep_left, (!rank_done && (left >= 8'd7 || left == '0)))
      if (state == Ema) `PROVE(8, i_ema_left, (!rank_done && (left >= 8'd6 || left == '0)))
      if (evicted_q && state == Room) `PROVE(8, i_done, (rank_done))

      // Spear, then Tide.
      if (state inside {Place, TideWait}) `PROVE(8, i_tiding, (!u_ctrl.u_fsm.spear_q))
      if (state == Commit && go_tide) `PROVE(8, i_tiding2, (!u_ctrl.u_fsm.spear_q))
      if (!idle && tide) `PROVE(8, i_alone, (!outstanding || mig || !open))
      if (state inside {TideQ, TideCmp}) `PROVE(8, i_unswapped, (!swap))
      if (state inside {Idle, Check, Prep, Ema, Error}) `PROVE(8, i_before, (!evicted_q))
      if (!(state inside {Commit, TideWait, TideP, TideQ, TideCmp, Demote, Promote})) begin
        `PROVE(8, i_unbypassed, (!bypassed_q))
      end

      // The clock of the event.
      if (idle) `PROVE(8, i_fresh, (held_q == '0 && pushes_q == '0 && age_q == '0))
      if (!(state inside {Error, Prep, Spear, Place, Demote, Promote}) ||
          (state == Spear && !rank_done) || (state == Prep && !req)) begin
        `PROVE(8, i_run, (run_q == '0))
      end
      `PROVE(8, i_runs, (int'(run_q) <= MaxStall))
    end
    control_q <= ok;
  end
