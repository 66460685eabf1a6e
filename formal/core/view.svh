// Part of core.sv: names for what the controller and the slots hold, and sums over the slots.
  // The event and the state.
  state_e state;
  logic req, open, close, done, mig, resident, idle, own_out, decided;
  logic [IdxW-1:0] p, q;
  logic [PkgTokW-1:0] p_size, q_size, rec_tok;
  logic [unison_pkg::KindW-1:0] kind;
  logic [unison_pkg::InfoW-1:0] info;
  logic [unison_pkg::TierW-1:0] new_tier, rec_tier;
  logic [unison_pkg::SlotW-1:0] rec_slot;
  logic [unison_pkg::SeqW-1:0] seq;
  logic [1:0] elig;
  logic swap, tide;
  assign state    = state_e'(u_ctrl.u_fsm.state_q);
  assign req      = code_q == unison_pkg::EvReq;
  assign open     = code_q == unison_pkg::EvGapOpen;
  assign close    = code_q == unison_pkg::EvGapClose;
  assign done     = code_q == unison_pkg::EvDone;
  assign mig      = code_q == unison_pkg::EvMigDone;
  assign idle     = state == Idle;
  assign p        = u_ctrl.u_tide.p_slot_q;
  assign q        = u_ctrl.u_tide.q_slot_q;
  assign p_size   = u_ctrl.u_tide.p_size_q;
  assign q_size   = u_ctrl.u_tide.q_size_q;
  assign new_tier = u_ctrl.u_fsm.new_tier_q;
  assign swap     = u_ctrl.u_fsm.swap_q;
  assign tide     = u_ctrl.u_fsm.tide_q;
  assign elig     = u_ctrl.u_accounts.elig_q;
  assign resident = u_ctrl.u_session.tier_q != unison_pkg::TierNone;
  assign {kind, info, rec_tier, rec_slot, seq, rec_tok} = rec;
  assign decided  = rec_push && (kind == unison_pkg::RecEvict || kind == unison_pkg::RecBypass ||
      kind == unison_pkg::RecPromote || kind == unison_pkg::RecDemote);

  // Sums over the slots, wide enough never to wrap.
  localparam int SumW = PkgTokW + 3;
  typedef logic [SumW-1:0] sum_t;
  sum_t [1:0] sum, live_sum, want;
  logic [7:0] num_live;
  logic after_prep, legal, free_in, tier_odd;
  assign own_out = !close && !mig && state inside {Ema, Room, Spear, Place, Commit};
  always_comb begin
    sum = '0;
    live_sum = '0;
    num_live = '0;
    {free_in, tier_odd} = '0;
    for (int i = 0; i < NumSlots; i++) begin
      num_live = num_live + 8'(live[i]);
      if (tier[i] != unison_pkg::TierNone && st[i] == unison_pkg::StFree) free_in = 1'b1;
      if (tier[i] == 2'd3) tier_odd = 1'b1;
      for (int t = 0; t < 2; t++) begin
        if (int'(tier[i]) == t + 1) begin
          if (!(own_out && IdxW'(i) == own)) sum[t] = sum[t] + sum_t'(tok[i]);
          if (live[i]) live_sum[t] = live_sum[t] + sum_t'(tok[i]);
        end
      end
    end
    for (int t = 0; t < 2; t++) want[t] = sum_t'(used[t]) + sum_t'(need_q);
    // Between DEMOTE and PROMOTE the demoted one has moved, the accounts follow with PROMOTE.
    if (state == Promote && swap) begin
      sum[0] = sum[0] + sum_t'(q_size);
      sum[1] = sum[1] - sum_t'(q_size);
    end
  end

  assign after_prep = state inside {Ema, Room, Spear, Place, Commit};
  always_comb begin
    legal = (req || open || close || done || mig) && (mig || int'(slot_q) < NumSlots);
    if (req || open) legal = legal && need_q != '0 && (need_q >> TokW) == '0;
    if (mig) legal = legal && outstanding;
    else if (state inside {Prep, Ema, Room, Spear, Place, Commit}) begin
      if (req) legal = legal && st[own] != unison_pkg::StActive;
      else legal = legal && st[own] != unison_pkg::StFree;
      if (open) legal = legal && st[own] == unison_pkg::StActive;
      if (close) legal = legal && st[own] == unison_pkg::StGap;
    end
  end
