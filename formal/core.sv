// The controller with the slot table: accounts, victims, migrations, bounded answer.
//
// Real: unison_ctrl with all its parts, unison_slot_table. Assumed: the ranking unit is
// rank_model.sv (rank.sv proves that unison_rank is one), the head of the event FIFO waits until it
// is popped (fifo.sv), and capacities and score parameters move only while no event waits, never
// below what is used (apb.sv). FIFO-full signals, enable and Tide's switch are free in every cycle.
// This file is the harness; the properties of each goal are a file of core/, and so are the view of
// the state (view.svh), the clock of an event (time.svh) and the covers.
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

  `include "view.svh"
  `include "time.svh"

  // Fairness: nobody keeps a FIFO full for more than MaxStall cycles at a stretch.
  always_ff @(posedge clk_i) if (rst_n) m_fair: assume (!stalled || int'(run_q) < MaxStall);

  // A property, asserted when it belongs to the goal; `ok` is what all properties of its file say.
`define PROVE(GROUP, NAME, COND) \
  begin \
    if (Goal == 0 || Goal == GROUP) NAME: assert (COND); \
    if (!(COND)) ok = 1'b0; \
  end
  `include "accounts.svh"
  `include "capacity.svh"
  `include "bypass.svh"
  `include "victim.svh"
  `include "migration.svh"
  `include "bound.svh"
  `include "latency.svh"
  `include "control.svh"
`undef PROVE

  // What held before, of all goals, may be assumed for each. Two registers: Yosys evaluates an
  // assertion one step late, an assumption at once. With one the assumption would hide the very
  // failure; the planted bugs show that it does not.
  logic ok_q, ok2_q = 1'b1;
  assign ok_q = accounts_q & capacity_q & bypass_q & victim_q & migration_q & bound_q & latency_q &
      control_q;
  always_ff @(posedge clk_i) ok2_q <= ok_q;
  if (Goal != 0) begin : gen_goal
    always_ff @(posedge clk_i) m_ok: assume (ok2_q);
  end
  if (Any != 0) begin : gen_any
    logic first_q = 1'b1, second_q = 1'b0;
    always_ff @(posedge clk_i) begin
      first_q  <= 1'b0;
      second_q <= first_q;
      m_any: assume (!second_q || ok_q);
    end
  end
  `include "covers.svh"
endmodule
