// Goal 5 of core.sv: who migrates is waiting, not in flight, and resident in the other tier; one
// migration at a time.
  logic migration_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      if (dma_push) begin
        `PROVE(5, move_waits, (st[rec_slot[IdxW-1:0]] == unison_pkg::StGap ||
                               st[rec_slot[IdxW-1:0]] == unison_pkg::StReady))
        `PROVE(5, move_stays, (!fly[rec_slot[IdxW-1:0]]))
        `PROVE(5, move_tier, (tier[rec_slot[IdxW-1:0]] != unison_pkg::TierNone &&
                              tier[rec_slot[IdxW-1:0]] != rec_tier))
        `PROVE(5, move_told, (rec_push && rec_tok == PkgTokW'(tok[rec_slot[IdxW-1:0]]) &&
                              dma == {{2{rec_tier == unison_pkg::TierSram}}, rec_slot, rec_tok}))
        `PROVE(5, move_alone, (!outstanding))
      end
      `PROVE(5, fly_out, (fly == '0 || outstanding || state == Promote))

      // Needed by the induction only: what Tide holds.
      if (state inside {TideWait, TideP, TideQ, TideCmp, Demote, Promote}) begin
        `PROVE(5, i_tide, (open && tide && !outstanding && int'(slot_q) < NumSlots))
        if (state != Demote && state != Promote) begin
          `PROVE(5, i_placed, (tier[own] == new_tier && PkgTokW'(tok[own]) == need_q &&
                               st[own] == unison_pkg::StGap))
        end
      end
      if (state inside {TideP, TideQ, TideCmp, Demote, Promote}) begin
        `PROVE(5, i_ranked, (rank_done))
        `PROVE(5, i_p, (cand[p] && tier[p] == unison_pkg::TierHbm))
        if (u_ctrl.u_tide.q_above_q && state != Promote)
          `PROVE(5, i_q, (cand[q] && tier[q] == unison_pkg::TierSram))
        if (state != TideP) `PROVE(5, i_p_size, (p_size == PkgTokW'(tok[p])))
      end
      if (state inside {TideCmp, Demote}) `PROVE(5, i_q_size, (q_size == PkgTokW'(tok[q])))
    end
    migration_q <= ok;
  end
