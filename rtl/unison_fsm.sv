/// The controller's state machine.
///
/// Policy: contract sections 2, 4, 5, 9. The event stays at the FIFO's head until its last action,
/// which pops it. A REQ or GAP_OPEN starts its ranking pass at once, before it is known to be
/// needed, so that checks, gap average and outcome record hide behind the pass; the pass is dropped
/// when there is room (and no Tide). A full decision FIFO or DMA buffer holds the state that pushes.
/// States: Idle - Check - Prep - [Ema] - [Room - (Spear - Room)* - Place] - Commit - [TideWait -
/// TideP - TideQ - (TideCmp - Demote)? - Promote]; a fault leaves Check to Error. See docs/design.md.
module unison_fsm #(
  /// Bits of a slot index.
  parameter int IdxW = 6
) (
  /// Clock.
  input  logic                         clk_i,
  /// Asynchronous reset, active low.
  input  logic                         rst_ni,
  /// An event waits and the core is enabled.
  input  logic                         go_i,
  /// Its code.
  input  logic [unison_pkg::CodeW-1:0] code_i,
  /// Its slot, as received.
  input  logic [unison_pkg::SlotW-1:0] slot_i,
  /// Its tokens, as received.
  input  logic [unison_pkg::TokW-1:0]  tokens_i,
  /// Tide may run: it is on and no migration is under way.
  input  logic                         tide_i,
  /// No event under way.
  output logic                         idle_o,
  /// The event is judged.
  output logic                         check_o,
  /// Its slot is known.
  output logic                         prep_o,
  /// Turn count and gap average move.
  output logic                         ema_o,
  /// The event is finished.
  output logic                         pop_o,
  /// The event is illegal.
  input  logic                         fault_i,
  /// Why.
  input  logic [unison_pkg::InfoW-1:0] cause_i,
  /// Tier of its slot, before.
  input  logic [unison_pkg::TierW-1:0] own_tier_i,
  /// Size of its slot, before.
  input  logic [unison_pkg::TokW-1:0]  own_tok_i,
  /// Outcome of a REQ.
  input  logic [unison_pkg::InfoW-1:0] outcome_i,
  /// Tier of its slot, after.
  output logic [unison_pkg::TierW-1:0] new_tier_o,
  /// Its tokens fit: [0] SRAM, [1] HBM.
  input  logic [1:0]                   room_i,
  /// Tier is eligible: [0] SRAM, [1] HBM.
  input  logic [1:0]                   elig_i,
  /// Take tokens from a tier.
  output logic                         sub_o,
  /// That tier.
  output logic [unison_pkg::TierW-1:0] sub_tier_o,
  /// Those tokens.
  output logic [unison_pkg::TokW-1:0]  sub_tok_o,
  /// Give the tokens of the event to its new tier.
  output logic                         add_o,
  /// Account for the migration.
  output logic                         move_o,
  /// It has a demotion.
  output logic                         swap_o,
  /// Enter a record.
  output logic                         rec_push_o,
  /// Its kind.
  output logic [unison_pkg::KindW-1:0] kind_o,
  /// Its outcome or cause.
  output logic [unison_pkg::InfoW-1:0] info_o,
  /// Its tier.
  output logic [unison_pkg::TierW-1:0] rec_tier_o,
  /// Its slot.
  output logic [unison_pkg::SlotW-1:0] rec_slot_o,
  /// Its tokens.
  output logic [unison_pkg::TokW-1:0]  rec_tok_o,
  /// No room for a record.
  input  logic                         rec_full_i,
  /// Enter a DMA descriptor, of slot and tokens of the record.
  output logic                         dma_push_o,
  /// It promotes, and is the last of its migration.
  output logic                         dma_promote_o,
  /// No room for a descriptor.
  input  logic                         dma_full_i,
  /// The migration is over.
  output logic                         mig_done_o,
  /// Begin a ranking pass.
  output logic                         rank_start_o,
  /// The ranking is for Tide.
  output logic                         rank_tide_o,
  /// Drop it.
  output logic                         rank_abort_o,
  /// Tiers to choose the top from.
  output logic [1:0]                   rank_mask_o,
  /// Evict: remove the top.
  output logic                         rank_pop_o,
  /// A pass is under way.
  input  logic                         rank_busy_i,
  /// Its results are valid.
  input  logic                         rank_done_i,
  /// The victim.
  input  logic [IdxW-1:0]              top_slot_i,
  /// It sits in the HBM.
  input  logic                         top_hbm_i,
  /// A lane has run dry, by tier.
  input  logic [1:0]                   dry_i,
  /// There is a promotion candidate in the ranking.
  input  logic                         low_valid_i,
  /// Its slot.
  input  logic [IdxW-1:0]              low_slot_i,
  /// Tide chooses.
  output logic                         merge_o,
  /// The size of p is read.
  output logic                         load_p_o,
  /// The size of q is read.
  output logic                         load_q_o,
  /// There is a p.
  input  logic                         p_valid_i,
  /// Its slot.
  input  logic [IdxW-1:0]              p_slot_i,
  /// Slot of q.
  input  logic [IdxW-1:0]              q_slot_i,
  /// The budget has been tested.
  input  logic                         tested_i,
  /// Size of p.
  input  logic [unison_pkg::TokW-1:0]  p_size_i,
  /// Size of q.
  input  logic [unison_pkg::TokW-1:0]  q_size_i,
  /// p moves alone.
  input  logic                         direct_i,
  /// q and p change places.
  input  logic                         exchange_i,
  /// Slot to read.
  output logic [IdxW-1:0]              rd_slot_o,
  /// Its size.
  input  logic [unison_pkg::TokW-1:0]  rd_tok_i,
  /// Its tier.
  input  logic [unison_pkg::TierW-1:0] rd_tier_i,
  /// Slot to write.
  output logic [IdxW-1:0]              wr_slot_o,
  /// Write turns, size, onset, average, seen and state.
  output logic                         wr_body_o,
  /// Write the tier.
  output logic                         wr_tier_o,
  /// Tier to write.
  output logic [unison_pkg::TierW-1:0] wr_tier_val_o,
  /// Write the in-flight flag.
  output logic                         wr_fly_o,
  /// In-flight flag to write.
  output logic                         wr_fly_val_o
);
  typedef enum logic [3:0] {
    Idle, Check, Error, Prep, Ema, Room, Spear, Place, Commit,
    TideWait, TideP, TideQ, TideCmp, Demote, Promote
  } state_e;

  state_e state_q, state_d;
  logic is_req, is_open, is_close, is_done, is_mig, resident, go_tide, evict;
  logic [unison_pkg::TierW-1:0] new_tier_q, new_tier_d, top_tier;
  logic [unison_pkg::InfoW-1:0] cause_q;
  logic [IdxW-1:0] own_slot;
  logic spear_q, spear_d;  // looking for victims; else the SRAM's top is wanted, for Tide
  logic p_gone_q;  // the ranking's promotion candidate has been evicted
  logic tide_q, swap_q;

  assign is_req   = code_i == unison_pkg::EvReq;
  assign is_open  = code_i == unison_pkg::EvGapOpen;
  assign is_close = code_i == unison_pkg::EvGapClose;
  assign is_done  = code_i == unison_pkg::EvDone;
  assign is_mig   = code_i == unison_pkg::EvMigDone;
  assign own_slot = slot_i[IdxW-1:0];
  assign resident = own_tier_i != unison_pkg::TierNone;
  assign go_tide  = is_open & tide_q;
  assign top_tier = top_hbm_i ? unison_pkg::TierHbm : unison_pkg::TierSram;

  // Where the session goes if it fits: its old tier, else SRAM, else HBM.
  logic fits;
  logic [unison_pkg::TierW-1:0] fit_tier;
  always_comb begin
    fits = |room_i;
    if (own_tier_i == unison_pkg::TierHbm && room_i[1]) fit_tier = unison_pkg::TierHbm;
    else if (room_i[0]) fit_tier = unison_pkg::TierSram;
    else fit_tier = unison_pkg::TierHbm;
  end

  // A state that pushes a record moves only when there is room, a migration also needs room for
  // its descriptor.
  logic rec_ok, mig_ok, prep_ok, rank_drop;
  assign rec_ok  = !rec_full_i;
  assign mig_ok  = !rec_full_i && !dma_full_i;
  assign prep_ok = !is_req || rec_ok;

  // Next state and actions. Nothing that is written here is read here: Icarus 11 would loop.

  always_comb begin
    state_d      = state_q;
    pop_o        = 1'b0;
    rec_push_o   = 1'b0;
    dma_push_o   = 1'b0;
    kind_o       = unison_pkg::RecError;
    info_o       = '0;
    rec_tier_o   = unison_pkg::TierNone;
    rec_slot_o   = slot_i;
    rec_tok_o    = tokens_i;
    sub_o        = 1'b0;
    sub_tier_o   = own_tier_i;
    sub_tok_o    = own_tok_i;
    add_o        = 1'b0;
    move_o       = 1'b0;
    evict        = 1'b0;
    merge_o      = 1'b0;
    new_tier_d   = new_tier_q;
    spear_d      = spear_q;
    rank_start_o = 1'b0;
    rank_drop    = 1'b0;

    unique case (state_q)
      Idle: begin
        spear_d = 1'b1;
        if (go_i) begin
          rank_start_o = is_req | is_open;
          state_d      = Check;
        end
      end

      Check: begin
        if (fault_i) state_d = Error;
        else if (is_mig) state_d = Commit;
        else state_d = Prep;
      end

      Error: begin
        rec_push_o = rec_ok;
        info_o     = cause_q;
        if (rec_ok) begin
          pop_o   = 1'b1;
          state_d = Idle;
        end
      end

      // The footprint leaves the accounts, the outcome is reported, the gap measured.
      Prep: begin
        kind_o     = unison_pkg::RecOutcome;
        info_o     = outcome_i;
        rec_tier_o = own_tier_i;
        if (is_req) begin
          rec_push_o = rec_ok;
          rank_drop  = !rec_ok;  // a pass may end only where its result is used
        end
        sub_o = prep_ok & ~is_close;
        if (prep_ok) begin
          if (is_req || is_close) state_d = Ema;
          else if (is_open && resident) state_d = Room;
          else state_d = Commit;
          if (is_done) new_tier_d = unison_pkg::TierNone;
          if (is_open && !resident) spear_d = 1'b0;
        end
      end

      Ema: begin
        if (is_req) state_d = Room;
        else state_d = Commit;
      end

      Room: begin
        if (fits) begin
          new_tier_d = fit_tier;
          spear_d    = 1'b0;
          rank_drop  = !go_tide;
          if (fit_tier == own_tier_i) state_d = Commit;
          else state_d = Place;
        end else begin
          // Not running: stalled in Prep. Dry: the next victim may hide behind a lane's list.
          rank_start_o = (!rank_busy_i && !rank_done_i) || (rank_done_i && |(dry_i & elig_i));
          state_d      = Spear;
        end
      end

      Spear: begin
        if (rank_done_i && rec_ok) begin
          rec_push_o = 1'b1;
          if (elig_i == '0) begin
            kind_o     = unison_pkg::RecBypass;
            new_tier_d = unison_pkg::TierNone;
            spear_d    = 1'b0;
            state_d    = Commit;
          end else begin
            kind_o     = unison_pkg::RecEvict;
            rec_tier_o = top_tier;
            rec_slot_o = unison_pkg::SlotW'(top_slot_i);
            rec_tok_o  = rd_tok_i;
            evict      = 1'b1;
            sub_o      = 1'b1;
            sub_tier_o = top_tier;
            sub_tok_o  = rd_tok_i;
            state_d    = Room;
          end
        end
      end

      Place: begin
        kind_o     = unison_pkg::RecPlace;
        rec_tier_o = new_tier_q;
        rec_push_o = rec_ok;
        if (rec_ok) state_d = Commit;
      end

      Commit: begin
        add_o = is_req | (is_open & resident);
        if (go_tide) begin
          state_d = TideWait;
        end else begin
          pop_o   = 1'b1;
          state_d = Idle;
        end
      end

      TideWait: begin
        if (!rank_done_i) begin
          rank_start_o = !rank_busy_i;
        end else if (p_gone_q || dry_i[0]) begin
          rank_start_o = 1'b1;  // Spear has used up what Tide would read
        end else begin
          merge_o = 1'b1;
          if (p_valid_i) begin
            state_d = TideP;
          end else begin
            pop_o   = 1'b1;
            state_d = Idle;
          end
        end
      end

      TideP: state_d = TideQ;

      TideQ: begin
        if (tested_i) begin
          if (direct_i) state_d = Promote;
          else state_d = TideCmp;
        end
      end

      TideCmp: begin
        if (exchange_i) begin
          state_d = Demote;
        end else begin
          pop_o   = 1'b1;
          state_d = Idle;
        end
      end

      Demote: begin
        kind_o     = unison_pkg::RecDemote;
        rec_tier_o = unison_pkg::TierHbm;
        rec_slot_o = unison_pkg::SlotW'(q_slot_i);
        rec_tok_o  = q_size_i;
        rec_push_o = mig_ok;
        dma_push_o = mig_ok;
        if (mig_ok) state_d = Promote;
      end

      Promote: begin
        kind_o     = unison_pkg::RecPromote;
        rec_tier_o = unison_pkg::TierSram;
        rec_slot_o = unison_pkg::SlotW'(p_slot_i);
        rec_tok_o  = p_size_i;
        rec_push_o = mig_ok;
        dma_push_o = mig_ok;
        move_o     = mig_ok;
        if (mig_ok) begin
          pop_o   = 1'b1;
          state_d = Idle;
        end
      end

      default: state_d = Idle;
    endcase
  end

  always_comb begin
    unique case (state_q)
      Spear: rd_slot_o = top_slot_i;
      TideP: rd_slot_o = p_slot_i;
      TideQ: rd_slot_o = q_slot_i;
      default: rd_slot_o = own_slot;
    endcase
  end

  // Slot table writes: the own slot in Commit, a tier or a migration elsewhere.
  always_comb begin
    wr_slot_o     = own_slot;
    wr_body_o     = 1'b0;
    wr_tier_o     = 1'b0;
    wr_tier_val_o = new_tier_q;
    wr_fly_o      = 1'b0;
    wr_fly_val_o  = 1'b0;
    unique case (state_q)
      Spear: begin
        wr_slot_o     = top_slot_i;
        wr_tier_o     = evict;
        wr_tier_val_o = unison_pkg::TierNone;
      end
      Commit: begin
        wr_body_o = !is_mig;
        wr_tier_o = !is_mig;
        wr_fly_o  = is_done;
      end
      Demote: begin
        wr_slot_o     = q_slot_i;
        wr_tier_o     = mig_ok;
        wr_tier_val_o = unison_pkg::TierHbm;
        wr_fly_o      = mig_ok;
        wr_fly_val_o  = 1'b1;
      end
      Promote: begin
        wr_slot_o     = p_slot_i;
        wr_tier_o     = mig_ok;
        wr_tier_val_o = unison_pkg::TierSram;
        wr_fly_o      = mig_ok;
        wr_fly_val_o  = 1'b1;
      end
      default: ;
    endcase
  end

  assign idle_o        = state_q == Idle;
  assign check_o       = state_q == Check;
  assign prep_o        = state_q == Prep;
  assign ema_o         = state_q == Ema;
  assign load_p_o      = state_q == TideP;
  assign load_q_o      = state_q == TideQ;
  assign mig_done_o    = state_q == Commit && is_mig;
  assign dma_promote_o = state_q == Promote;
  assign swap_o        = swap_q;
  assign new_tier_o    = new_tier_q;
  assign rank_abort_o  = pop_o | rank_drop;
  assign rank_tide_o   = state_q == TideWait;
  assign rank_pop_o    = evict;
  assign rank_mask_o   = spear_q ? elig_i : 2'b01;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      spear_q  <= 1'b0;
      p_gone_q <= 1'b0;
    end else begin
      state_q <= state_d;
      spear_q <= spear_d;
      if (rank_start_o) p_gone_q <= 1'b0;
      else if (evict && low_valid_i && low_slot_i == top_slot_i) p_gone_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    cause_q    <= cause_i;
    new_tier_q <= (state_q == Idle) ? rd_tier_i : new_tier_d;
    if (state_q == Idle) tide_q <= tide_i;
    if (state_q == Demote) swap_q <= 1'b1;
    else if (state_q == TideP) swap_q <= 1'b0;
  end
endmodule
