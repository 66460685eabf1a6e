// The controller with the slot table: accounts, victims, migrations, bounded answer.
//
// Real: unison_ctrl with all its parts, unison_slot_table. Assumed: the ranking unit is
// rank_model.sv (rank.sv proves that unison_rank is one), the head of the event FIFO waits until it
// is popped (fifo.sv), and capacities and score parameters move only while no event waits, never
// below what is used (apb.sv). FIFO-full signals, enable and Tide's switch are free in every cycle.
// Asserted when it belongs to the goal; what held before may be assumed for every goal (below).
`define PROVE(GROUP, NAME, COND) \
  begin \
    if (Goal == 0 || Goal == GROUP) NAME: assert (COND); \
    if (!(COND)) ok = 1'b0; \
  end

module formal_core #(
  parameter int Goal = 0,  // group of properties, 0: all
  parameter int Any = 0,  // 1: begin in any state that has all the properties, not in reset
  parameter int NumSlots = 4,
  parameter int NumLanes = 2,
  parameter int TokW = 4,
  parameter int MaxStall = 3,
  localparam int IdxW = $clog2(NumSlots)
) (
  input logic                                              clk_i,
  input logic                                              enable_i,
  input logic                                              tide_i,
  input logic                                              ev_valid_i,
  input logic [unison_pkg::CodeW-1:0]                      ev_code_i,
  input logic [unison_pkg::SlotW-1:0]                      ev_slot_i,
  input logic [unison_pkg::TokW-1:0]                       ev_tok_i,
  input logic [unison_pkg::TimeW-1:0]                      ev_ts_i,
  input logic                                              rec_full_i,
  input logic                                              dma_full_i,
  input logic [1:0][unison_pkg::TokW-1:0]                  cap_i,
  input logic [unison_pkg::GapW-1:0]                       prior_i,
  input logic [unison_pkg::ShiftW-1:0]                     shift_i,
  input logic [unison_pkg::BwW-1:0]                        bw_i,
  input logic [unison_pkg::KeyW-1:0]                       top_key_i,
  input logic [unison_pkg::KeyW-1:0]                       low_key_i,
  input logic [unison_pkg::KeyW-1:0]                       own_key_i,
  input logic [IdxW-1:0]                                   any_top_i,
  input logic [IdxW-1:0]                                   any_low_i,
  input logic [1:0]                                        any_dry_i,
  input logic                                              any_valid_i,
  input logic [1:0][unison_pkg::TokW-1:0]                  any_sum_i
);
  localparam int PkgTokW = unison_pkg::TokW;
  localparam int RecW = unison_pkg::KindW + unison_pkg::InfoW + unison_pkg::TierW +
      unison_pkg::SlotW + unison_pkg::SeqW + PkgTokW;
  typedef enum logic [3:0] {
    Idle, Check, Error, Prep, Ema, Room, Spear, Place, Commit,
    TideWait, TideP, TideQ, TideCmp, Demote, Promote
  } state_e;

  logic rst_n = 1'(Any);
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // The head of the event FIFO and the configuration.
  logic ev_valid_q, pop;
  logic [unison_pkg::CodeW-1:0] code_q;
  logic [unison_pkg::SlotW-1:0] slot_q;
  logic [PkgTokW-1:0] need_q;
  logic [unison_pkg::TimeW-1:0] ts_q;
  logic [1:0][PkgTokW-1:0] cap_q, used;
  logic [unison_pkg::GapW-1:0] prior_q;
  logic [unison_pkg::ShiftW-1:0] shift_q;
  logic [unison_pkg::BwW-1:0] bw_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      ev_valid_q <= 1'b0;
      cap_q      <= '0;
    end else begin
      if (!ev_valid_q || pop) ev_valid_q <= ev_valid_i;
      if (!ev_valid_q) begin
        {cap_q, prior_q, shift_q, bw_q} <= {cap_i, prior_i, shift_i, bw_i};
        m_cap: assume (cap_i[0] >= used[0] && cap_i[1] >= used[1]);
      end
    end
    if (!ev_valid_q || pop) {code_q, slot_q, need_q, ts_q} <=
        {ev_code_i, ev_slot_i, ev_tok_i, ev_ts_i};
  end

  // Controller, slot table, model of the ranking.
  logic outstanding, rec_push, dma_push, lat_valid;
  logic [RecW-1:0] rec;
  logic [1+unison_pkg::SlotW+PkgTokW:0] dma;
  logic [31:0] lat_cycles;
  logic [IdxW-1:0] rd_slot, wr_slot, top_slot, low_slot, own;
  logic [unison_pkg::TurnW-1:0] rd_k, wr_k;
  logic [TokW-1:0] rd_tok, wr_tok;
  logic [unison_pkg::TimeW-1:0] rd_t_on, wr_t_on;
  logic [unison_pkg::GapW-1:0] rd_ghat, wr_ghat;
  logic rd_seen, rd_fly, wr_seen, wr_fly_val, wr_body, wr_tier, wr_fly, clear_fly;
  logic [unison_pkg::TierW-1:0] rd_tier, wr_tier_val;
  logic [unison_pkg::StateW-1:0] rd_state, wr_state;
  logic [NumSlots-1:0] cand, live, sram, fly;
  logic [NumSlots-1:0][TokW-1:0] tok;
  logic [NumSlots-1:0][unison_pkg::TierW-1:0] tier;
  logic [NumSlots-1:0][unison_pkg::StateW-1:0] st;
  logic rank_start, rank_abort, rank_own, rank_pop, rank_busy, rank_done;
  logic [1:0] rank_mask, dry;
  logic top_valid, top_hbm, low_valid;
  logic [1:0][PkgTokW-1:0] rank_sum;
  logic [7:0] rows, left;
  logic [1:0][7:0] pops;

  assign own = slot_q[IdxW-1:0];

  unison_ctrl #(.NumSlots(NumSlots), .TokW(TokW)) u_ctrl (
    .clk_i, .rst_ni(rst_n), .enable_i, .tide_i, .prior_i(prior_q), .shift_i(shift_q),
    .bw_i(bw_q), .cap_sram_i(cap_q[0]), .cap_hbm_i(cap_q[1]),
    .used_sram_o(used[0]), .used_hbm_o(used[1]), .outstanding_o(outstanding),
    .ev_valid_i(ev_valid_q), .ev_word_i(32'({code_q, slot_q, need_q})), .ev_ts_i(ts_q),
    .ev_pop_o(pop), .rec_push_o(rec_push), .rec_o(rec), .rec_full_i,
    .dma_push_o(dma_push), .dma_o(dma), .dma_full_i, .lat_o(lat_valid), .lat_cycles_o(lat_cycles),
    .rd_slot_o(rd_slot), .rd_k_i(rd_k), .rd_tok_i(rd_tok), .rd_t_on_i(rd_t_on),
    .rd_ghat_i(rd_ghat), .rd_seen_i(rd_seen), .rd_tier_i(rd_tier), .rd_state_i(rd_state),
    .rd_fly_i(rd_fly), .wr_slot_o(wr_slot), .wr_body_o(wr_body), .wr_tier_o(wr_tier),
    .wr_fly_o(wr_fly), .clear_fly_o(clear_fly), .wr_k_o(wr_k), .wr_tok_o(wr_tok),
    .wr_t_on_o(wr_t_on), .wr_ghat_o(wr_ghat), .wr_seen_o(wr_seen), .wr_state_o(wr_state),
    .wr_tier_val_o(wr_tier_val), .wr_fly_val_o(wr_fly_val),
    .rank_start_o(rank_start), .rank_abort_o(rank_abort), .rank_own_o(rank_own),
    .rank_mask_o(rank_mask), .rank_pop_o(rank_pop), .rank_busy_i(rank_busy),
    .rank_done_i(rank_done), .sum_sram_i(rank_sum[0]), .sum_hbm_i(rank_sum[1]),
    .top_valid_i(top_valid), .top_key_i, .top_slot_i(top_slot), .top_hbm_i(top_hbm),
    .dry_i(dry), .low_valid_i(low_valid), .low_key_i, .low_slot_i(low_slot), .own_key_i
  );

  unison_slot_table #(.NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW)) u_slots (
    .clk_i, .rst_ni(rst_n), .rd_slot_i(rd_slot), .rd_k_o(rd_k), .rd_tok_o(rd_tok),
    .rd_t_on_o(rd_t_on), .rd_ghat_o(rd_ghat), .rd_seen_o(rd_seen), .rd_tier_o(rd_tier),
    .rd_state_o(rd_state), .rd_fly_o(rd_fly), .row_i('0), .row_k_o(), .row_tok_o(),
    .row_t_on_o(), .row_ghat_o(), .row_gap_o(), .row_sram_o(), .cand_o(cand),
    .wr_slot_i(wr_slot), .wr_body_i(wr_body), .wr_tier_i(wr_tier), .wr_fly_i(wr_fly),
    .clear_fly_i(clear_fly), .wr_k_i(wr_k), .wr_tok_i(wr_tok), .wr_t_on_i(wr_t_on),
    .wr_ghat_i(wr_ghat), .wr_seen_i(wr_seen), .wr_state_i(wr_state),
    .wr_tier_val_i(wr_tier_val), .wr_fly_val_i(wr_fly_val)
  );

  formal_rank_model #(.NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW)) u_rank (
    .clk_i, .rst_ni(rst_n), .start_i(rank_start), .abort_i(rank_abort), .own_slot_i(own),
    .own_en_i(rank_own), .cap_sram_i(cap_q[0]), .cand_i(cand), .sram_i(sram), .tok_i(tok),
    .mask_i(rank_mask), .pop_i(rank_pop), .any_top_i, .any_low_i, .any_dry_i, .any_valid_i,
    .any_sum_i, .rows_o(rows), .left_o(left), .live_o(live), .busy_o(rank_busy),
    .done_o(rank_done), .sum_o(rank_sum), .top_valid_o(top_valid), .top_slot_o(top_slot),
    .top_hbm_o(top_hbm), .dry_o(dry), .pops_o(pops), .low_valid_o(low_valid),
    .low_slot_o(low_slot)
  );

  // The slots as they are, whoever's candidates they may be.
  for (genvar i = 0; i < NumSlots; i++) begin : gen_slot
    assign tok[i]  = u_slots.body_q[i][1+unison_pkg::GapW+unison_pkg::TimeW+:TokW];
    assign tier[i] = u_slots.tier_q[i];
    assign st[i]   = u_slots.state_q[i];
    assign fly[i]  = u_slots.fly_q[i];
    assign sram[i] = tier[i] == unison_pkg::TierSram;
  end

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

  // Time: cycles of the event but those in which a full FIFO holds it, and those.
  localparam int P = NumSlots / NumLanes + 8;  // the longest pass
  localparam int Tail = 1 + P + 6;  // Commit, one pass, Tide
  localparam int Bound = 4 + NumSlots * (P + 1) + Tail;
  logic going, stalled, evicted_q, stalled_q, again_q, placed_q;
  logic [15:0] age_q, age, rows_q, held_q, run_q, pushes_q, last_q, pass_rows_q, room, ahead, later;
  assign going   = (ev_valid_q && enable_i) || !idle;
  assign age     = age_q + 16'd1;  // this cycle included
  always_comb begin
    unique case (state)
      Error, Place: stalled = rec_full_i;
      Prep: stalled = req && rec_full_i;
      Spear: stalled = rank_done && rec_full_i;
      Demote, Promote: stalled = rec_full_i || dma_full_i;
      default: stalled = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n || pop) begin
      age_q     <= '0;
      held_q    <= '0;
      pushes_q  <= '0;
      evicted_q <= 1'b0;
      stalled_q <= 1'b0;
      again_q   <= 1'b0;
    end else if (going) begin
      if (stalled) begin
        stalled_q <= 1'b1;
        held_q    <= held_q + 1'b1;
      end else begin
        age_q <= age;
      end
      if (rec_push) pushes_q <= pushes_q + 1'b1;
      if (rec_push && kind == unison_pkg::RecEvict) evicted_q <= 1'b1;
      if (idle) rows_q <= rows;
      if (rank_start) begin
        again_q     <= !idle;
        pass_rows_q <= rows;
      end
      if (rank_pop) begin
        last_q  <= age;
        again_q <= 1'b0;
      end
    end
    if (!rst_n || !stalled) run_q <= '0;
    else run_q <= run_q + 1'b1;
  end

  logic go_tide;
  assign go_tide = open & tide;
  logic bypassed_q, decided_q, left_was_q;
  logic [15:0] total, decided_at_q;
  assign total = age_q + held_q + 16'd1;
  logic [1:0] mask_q;
  logic [unison_pkg::GapW-1:0] own_ghat;
  logic [unison_pkg::TurnW-1:0] own_k;
  assign {own_k, own_ghat} = {
      u_slots.body_q[own][1+unison_pkg::GapW+unison_pkg::TimeW+TokW+:unison_pkg::TurnW],
      u_slots.body_q[own][1+:unison_pkg::GapW]};
  always_ff @(posedge clk_i) begin
    if (!rst_n || pop) {bypassed_q, decided_q} <= '0;
    else begin
      if (rec_push && kind == unison_pkg::RecBypass) bypassed_q <= 1'b1;
      if (decided) {decided_q, decided_at_q} <= {1'b1, total};
    end
    mask_q     <= rank_mask;
    left_was_q <= left == 8'd2;
  end

  // Upper bounds of what is left: cycles (this one included), records.
  always_comb begin
    room = 16'(num_live) * 16'(P + 1) + 16'(1 + P + Tail);
    unique case (state)
      Idle: ahead = 8'd4 + room;
      Check: ahead = 8'd3 + room;
      Prep: ahead = 8'd2 + room;
      Ema: ahead = 8'd1 + room;
      Room: ahead = room;
      Spear: ahead = left + 8'd1 + ((num_live == '0) ? 16'(Tail) : room - 16'(P + 1));
      Place: ahead = 8'd1 + 16'(Tail);
      Commit: ahead = 16'(Tail);
      TideWait: ahead = 8'd6 +
          ((rank_busy ? left : (!rank_done || u_ctrl.u_fsm.p_gone_q || dry[0]) ? 8'(P) : 8'd0));
      TideP: ahead = 8'd5;
      TideQ: ahead = 8'd4;
      TideCmp: ahead = 8'd3;
      Demote: ahead = 8'd2;
      default: ahead = 8'd1;  // Error, Promote
    endcase
    unique case (state)
      Idle, Check, Prep: later = num_live + 8'd4;
      Ema, Room, Spear: later = num_live + 8'd3;
      Place: later = 8'd3;
      Demote, Commit, TideWait, TideP, TideQ, TideCmp: later = 8'd2;
      default: later = 8'd1;
    endcase
  end

  // Fairness: nobody keeps a FIFO full for more than MaxStall cycles at a stretch.
  always_ff @(posedge clk_i) if (rst_n) m_fair: assume (!stalled || int'(run_q) < MaxStall);

  // Two registers: Yosys evaluates an assertion one step late, an assumption at once. With one the
  // assumption would hide the very failure; the planted bugs show that it does not.
  logic ok_q = 1'b1, ok2_q = 1'b1;
  always_ff @(posedge clk_i) ok2_q <= ok_q;
  if (Goal != 0) begin : gen_goal
    always_ff @(posedge clk_i) m_ok: assume (ok2_q);
  end
  logic second1_q = 1'b0, second2_q = 1'b0;  // the third cycle or later
  always_ff @(posedge clk_i) {second2_q, second1_q} <= {second1_q, 1'b1};
  if (Any != 0) begin : gen_any
    logic first_q = 1'b1, second_q = 1'b0;
    always_ff @(posedge clk_i) begin
      first_q  <= 1'b0;
      second_q <= first_q;
      m_any: assume (!second_q || ok_q);
    end
  end

  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
      // 3. Accounts.
      `PROVE(1, acc_sum, (sum_t'(used[0]) == sum[0] && sum_t'(used[1]) == sum[1]))
      `PROVE(8, acc_moves, (!(u_ctrl.sub || u_ctrl.add || u_ctrl.move) || ev_valid_q))
      `PROVE(2, acc_cap, (used[0] <= cap_q[0] && used[1] <= cap_q[1]))

      // 5. Who leaves and who moves.
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
      if (rec_push && kind == unison_pkg::RecBypass) begin
        `PROVE(3, bypass_nobody, (!evicted_q))
        `PROVE(3, bypass_none, (want[0] > sum_t'(cap_q[0]) + live_sum[0] &&
                             want[1] > sum_t'(cap_q[1]) + live_sum[1]))
      end
      `PROVE(5, fly_out, (fly == '0 || outstanding || state == Promote))
      `PROVE(8, free_out, (!free_in))
      `PROVE(8, tier_known, (!tier_odd))
      `PROVE(8, rec_room, (!(rec_push && rec_full_i) && !(dma_push && dma_full_i)))

      // 6. Bounded answer. Without the stalls, then with them.
      `PROVE(6, live_bound, (int'(age_q) + int'(ahead) <= Bound))
      `PROVE(6, live_records, (int'(pushes_q) + int'(later) <= NumSlots + 3))
      `PROVE(6, live_stalls, (int'(held_q) <= MaxStall * int'(pushes_q) + int'(run_q)))
      `PROVE(6, live_total, (int'(age_q) + int'(held_q) <= Bound + MaxStall * (NumSlots + 3)))
      if (decided && !stalled_q) begin
        if (kind == unison_pkg::RecBypass || (rank_pop && !evicted_q))
          `PROVE(7, lat_first, (age == rows_q + 8'd9))
        if (rank_pop && evicted_q)
          `PROVE(7, lat_next, (age == last_q + (again_q ? pass_rows_q + 8'd9 : 8'd2)))
        if (kind == unison_pkg::RecPromote && !evicted_q && !bypassed_q && !again_q)
          `PROVE(7, lat_tide, (age == rows_q + (swap ? 8'd14 : 8'd12)))
      end
      `PROVE(7, lat_meter, (lat_valid == (pop && (decided || decided_q)) &&
                         (!lat_valid || lat_cycles == 32'(decided ? total : decided_at_q))))

      // What the ranking unit relies on (rank.sv): other slots stand still during a pass, and of
      // the own one what is scored; pops come only with results.
      if (rank_busy && !rank_done) begin
        `PROVE(8, rank_still, (!clear_fly && !((wr_body || wr_tier || wr_fly) && wr_slot != own)))
        if (wr_body && rank_own) `PROVE(8, rank_own_still, (wr_ghat == own_ghat && wr_k == own_k))
      end
      `PROVE(8, rank_pops, (!rank_pop || (rank_done && !rank_start && !rank_abort)))
      if (left inside {8'd1, 8'd2} && state == Spear && left_was_q)
        `PROVE(8, rank_masks, (rank_mask == mask_q))

      // Needed by the induction only: what each state knows.
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
      if (state == Place || (state == Commit && (req || (open && resident)))) begin
        `PROVE(2, i_fits, ((new_tier != unison_pkg::TierSram || want[0] <= sum_t'(cap_q[0])) &&
                        (new_tier != unison_pkg::TierHbm || want[1] <= sum_t'(cap_q[1]))))
      end
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
      if (state == Spear) `PROVE(4, i_spear, ((rank_busy || rank_done) && u_ctrl.room == '0 &&
                                           u_ctrl.u_fsm.spear_q))
      if (state inside {Check, Prep, Ema, Room}) `PROVE(4, i_spearing, (u_ctrl.u_fsm.spear_q))
      if (state inside {Place, TideWait}) `PROVE(8, i_tiding, (!u_ctrl.u_fsm.spear_q))
      if (state == Commit && go_tide) `PROVE(8, i_tiding2, (!u_ctrl.u_fsm.spear_q))
      if (state inside {Room, Spear} && (rank_done || (rank_busy && left <= 8'd5))) begin
        `PROVE(3, i_elig, (elig == {want[1] <= sum_t'(cap_q[1]) + live_sum[1],
                                 want[0] <= sum_t'(cap_q[0]) + live_sum[0]}))
      end
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
      // Tide.
      if (!idle && tide) `PROVE(8, i_alone, (!outstanding || mig || !open))
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
      if (state == Demote) `PROVE(2, i_demote, (u_ctrl.exchange))
      if (state == Promote) begin
        if (!swap) `PROVE(2, i_direct, (u_ctrl.direct))
        else `PROVE(2, i_swap, (u_ctrl.exchange && tier[q] == unison_pkg::TierHbm &&
                             q_size == PkgTokW'(tok[q]) && p != q))
      end
      if (state inside {TideQ, TideCmp}) `PROVE(8, i_unswapped, (!swap))
      if (idle) `PROVE(8, i_fresh, (held_q == '0 && pushes_q == '0 && age_q == '0))
      if (!(state inside {Error, Prep, Spear, Place, Demote, Promote}) ||
          (state == Spear && !rank_done) || (state == Prep && !req)) begin
        `PROVE(8, i_run, (run_q == '0))
      end
      `PROVE(8, i_runs, (int'(run_q) <= MaxStall))

      `PROVE(7, i_meter, (u_ctrl.u_latency.seen_q == decided_q &&
          (!decided_q || u_ctrl.u_latency.last_q == 32'(decided_at_q)) &&
          (idle || u_ctrl.u_latency.now_q == 32'(total))))

      // Latency: the first pass, started with the event, and a repeated one after an eviction.
      if (!stalled_q && (req || open)) begin
        if (state inside {Check, Prep, Ema}) begin
          `PROVE(7, i_age, (int'(age_q) == ((state == Check) ? 1 : (state == Prep) ? 2 : 3) &&
                         !evicted_q && !again_q && !bypassed_q))
        end
        if (!evicted_q && !bypassed_q) begin
          if (state inside {Check, Prep, Ema, Room} ||
              (state inside {Place, Commit} && go_tide)) begin
            `PROVE(7, i_first, (rank_busy && left + age_q == rows_q + 8'd8 && !again_q &&
                             age_q <= ((state == Room) ? (open ? 8'd3 : 8'd4) :
                                       (state == Place) ? 8'd4 : 8'd5)))
          end
          if (state == Spear || (state == TideWait && !again_q)) begin
            `PROVE(7, i_pass, (rank_busy ? left + age_q == rows_q + 8'd8 :
                            rank_done && age_q == rows_q + 8'd8))
            if (state == Spear) `PROVE(7, i_pass_first, (!again_q))
          end
          if (!again_q) begin
            if (state == TideP) `PROVE(7, i_tide_p, (age_q == rows_q + 8'd9))
            if (state == TideQ) `PROVE(7, i_tide_q, (age_q == rows_q + 8'd10))
            if (state == TideCmp) `PROVE(7, i_tide_c, (age_q == rows_q + 8'd11))
            if (state == Demote) `PROVE(7, i_tide_d, (age_q == rows_q + 8'd12))
            if (state == Promote) `PROVE(7, i_tide_e, (age_q == rows_q + (swap ? 8'd13 : 8'd11)))
          end
        end
        if (evicted_q && state == Room) begin
          `PROVE(7, i_again, (!again_q && rank_done && age_q == last_q))
        end
        if (evicted_q && state == Spear) begin
          if (!again_q) `PROVE(7, i_two, (rank_done && age_q == last_q + 8'd1))
          else if (rank_busy) `PROVE(7, i_more, (left + age_q == last_q + pass_rows_q + 8'd8))
          else `PROVE(7, i_most, (age_q == last_q + pass_rows_q + 8'd8))
        end
        `PROVE(7, i_rows, (rows_q <= 8'(NumSlots / NumLanes) || idle))
      end
      if (state inside {Idle, Check, Prep, Ema, Error}) `PROVE(8, i_before, (!evicted_q))
      if (!(state inside {Commit, TideWait, TideP, TideQ, TideCmp, Demote, Promote})) begin
        `PROVE(8, i_unbypassed, (!bypassed_q))
      end
      if (evicted_q && state inside {Room, Spear}) begin
        `PROVE(3, i_still, (want[0] <= sum_t'(cap_q[0]) + live_sum[0] ||
                         want[1] <= sum_t'(cap_q[1]) + live_sum[1]))
      end
      if (evicted_q && state == Room) `PROVE(8, i_done, (rank_done))

      // Every kind of event and way out is reachable: from reset, and, where that takes too many
      // steps for the solver, from a state that has all the properties.
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
    ok_q <= ok;
  end
endmodule
