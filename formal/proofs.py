"""The list of proofs, and of wrong lines that each of them must refuse."""

from formal.proof import Bug, Proof

FIFO = Proof(
    "fifo",
    "a word that was taken in leaves once, unchanged and in its turn; level, full and empty are "
    "right; a push when full and a pop when empty change nothing",
    "unison_fifo",
    ("unison_fifo.sv",),
    (
        {"Width": 64, "Depth": 8},
        {"Width": 49, "Depth": 16},
        {"Width": 30, "Depth": 2},
        {"Width": 4, "Depth": 5},
    ),
    "induction",
    8,
    20,
    (
        Bug("fifo_full", "full one word too late", "unison_fifo.sv",
            "level_q == LevelW'(Depth);", "level_q == LevelW'(Depth + 1);"),
        Bug("fifo_wrap", "the write pointer wraps one word too early", "unison_fifo.sv",
            "wr_q <= (wr_q == LastPtr)", "wr_q <= (wr_q == LastPtr - 1'b1)"),
        Bug("fifo_empty", "a pop of an empty FIFO moves the head", "unison_fifo.sv",
            "pop_i & ~empty_o;", "pop_i;"),
        Bug("fifo_over", "a push into a full FIFO overwrites the head", "unison_fifo.sv",
            "if (push) mem_q[wr_q]", "if (push_i) mem_q[wr_q]"),
        Bug("fifo_level", "push and pop in one cycle count as a push", "unison_fifo.sv",
            "if (push && !pop)", "if (push)"),
    ),
)  # fmt: skip

APB = Proof(
    "apb",
    "the slave answers at once; PSLVERR comes in the access phase alone and exactly where the "
    "register map says (unmapped, unaligned, RO, WO, bits that are not there, busy, below what is "
    "used, no room, nothing to read); then nothing changes; data are right, zero with an error or "
    "a write, and stable; no event or record is lost; a capacity never falls below what is used",
    "unison_apb, unison_config, two unison_fifo",
    ("unison_fifo.sv", "unison_config.sv", "unison_apb.sv"),
    ({"EvDepth": 8, "DecDepth": 16}, {"EvDepth": 3, "DecDepth": 2}),
    "induction",
    6,
    22,
    (
        Bug("apb_unmapped", "a read of nothing is answered without error", "unison_apb.sv",
            "else err = !(rw || w1c || cfg || (ro && !(dec_pop && rec_empty_i)));",
            "else err = ev_push || (dec_pop && rec_empty_i);"),
        Bug("apb_phase", "PSLVERR outlives the access", "unison_apb.sv",
            "assign pslverr_o = access & err_q;", "assign pslverr_o = err_q;"),
        Bug("apb_quiet", "a refused write happens", "unison_apb.sv",
            "assign write = access & pwrite_i & ~err_q;", "assign write = access & pwrite_i;"),
        Bug("apb_busy", "the configuration can be written while an event waits", "unison_apb.sv",
            "(cfg && !busy && !below && !beyond)", "(cfg && !below && !beyond)"),
        Bug("apb_beyond", "ones in bits a register does not have are taken", "unison_apb.sv",
            "err = !((rw && !beyond) || w1c", "err = !(rw || w1c"),
        Bug("apb_below", "the HBM's capacity is held against the SRAM's use", "unison_apb.sv",
            "new_cap < used_hbm_i", "new_cap < used_sram_i"),
        Bug("apb_zero", "a write leaves data on the bus", "unison_apb.sv",
            "(err || pwrite_i) ? '0 : rdata", "err ? '0 : rdata"),
        Bug("apb_stable", "read data move in the access phase", "unison_apb.sv",
            "end else if (setup) begin", "end else if (psel_i) begin"),
        Bug("apb_partial", "an event write with some of its bytes is taken", "unison_apb.sv",
            "ev_full_i || pstrb_i != 4'b1111;", "ev_full_i;"),
        Bug("apb_pop", "a refused read removes a record", "unison_apb.sv",
            "assign rec_pop_o     = read & dec_pop;", "assign rec_pop_o     = access & dec_pop;"),
        Bug("apb_clear", "IRQ_STATUS ignores its byte lane", "unison_apb.sv",
            "write & w1c & pstrb_i[0];", "write & w1c;"),
        Bug("apb_tables", "W and Z are exchanged", "unison_apb.sv",
            "{in_turn, in_z, in_w} &", "{in_turn, in_w, in_z} &"),
        Bug("apb_refused", "every event write counts as refused", "unison_apb.sv",
            "access & pwrite_i & ev_push & err_q;", "access & pwrite_i & ev_push;"),
        Bug("apb_bytes", "PSTRB is ignored", "unison_config.sv",
            "be_i[b] ? data_i", "1'b1 ? data_i"),
        Bug("apb_ready", "a wait state is put into the access phase", "unison_apb.sv",
            "assign pready_o  = 1'b1;", "assign pready_o  = ~access;"),
    ),
)  # fmt: skip

#: Nothing in the controller depends on a width; the sums are hard for a solver.
_NARROW = (("TokW", 4), ("TimeW", 6), ("GapW", 4), ("TurnW", 3), ("KeyW", 3), ("SeqW", 3))
_SMALL = {"NumSlots": 4, "NumLanes": 2, "TokW": 3}

CORE = Proof(
    "core",
    "by goal: 1 the accounts equal the sums of the slots, 2 and never exceed a capacity; 3 BYPASS "
    "only where no tier is eligible, and never after an EVICT; 4 a victim is resident, waiting, "
    "not in flight, not the event's own, in an eligible tier, and only where there is no room; 5 "
    "who migrates is waiting, not in flight, and resident in the other tier, one migration at a "
    "time; 6 every event ends within the bound, with fair consumers too; 7 the latencies of "
    "docs/design.md; 8 no record or descriptor into a full FIFO, and what unison_rank relies on",
    "unison_ctrl with all its parts, unison_slot_table",
    tuple(f"unison_{n}.sv" for n in (
        "fifo", "accounts", "check", "session", "ema", "tide", "latency", "fsm", "ctrl",
        "slot_table")),
    tuple({"Goal": g, **_SMALL} for g in range(1, 9)),
    "induction",
    3,
    26,
    (
        Bug("core_account", "an evicted size leaves the SRAM's account only", "unison_accounts.sv",
            "if (sub_i && sub_tier_i == tier[t])", "if (sub_i && sub_tier_i == tier[t] && !t)"),
        Bug("core_room", "room is found one token too early", "unison_accounts.sv",
            "assign room_o[t] = want <= {1'b0, cap[t]};",
            "assign room_o[t] = want <= {1'b0, cap[t]} + 1'b1;"),
        Bug("core_elig", "free tokens alone make a tier eligible", "unison_accounts.sv",
            "elig_q[t] <= want <= {1'b0, cap[t]} + {1'b0, sum[t]};",
            "elig_q[t] <= want <= {1'b0, cap[t]};"),
        Bug("core_own", "GAP_CLOSE takes the footprint out of the accounts",
            "unison_fsm.sv", "sub_o = prep_ok & ~is_close;", "sub_o = prep_ok;"),
        Bug("core_active", "an ACTIVE slot is a candidate", "unison_slot_table.sv",
            "(state_q[i] == unison_pkg::StGap || state_q[i] == unison_pkg::StReady);",
            "(state_q[i] != unison_pkg::StFree);"),
        Bug("core_fly", "a slot in flight is a candidate", "unison_slot_table.sv",
            "(tier_q[i] != unison_pkg::TierNone) && !fly_q[i] &&",
            "(tier_q[i] != unison_pkg::TierNone) &&"),
        Bug("core_dry", "a dry lane is not looked for", "unison_fsm.sv",
            "(!rank_busy_i && !rank_done_i) || (rank_done_i && |(dry_i & elig_i));",
            "(!rank_busy_i && !rank_done_i);"),
        Bug("core_mask", "victims are taken from every tier", "unison_fsm.sv",
            "spear_q ? elig_i : 2'b01;", "spear_q ? 2'b11 : 2'b01;"),
        Bug("core_gone", "Tide promotes what Spear has evicted", "unison_fsm.sv",
            "end else if (p_gone_q || dry_i[0]) begin", "end else if (dry_i[0]) begin"),
        Bug("core_twice", "Tide runs while a migration is under way", "unison_ctrl.sv",
            ".tide_i(tide_i & ~outstanding_q)", ".tide_i(tide_i)"),
        Bug("core_swap", "Tide forgets the HBM's capacity", "unison_tide.sv",
            "sram_with_p <= sram_limit && hbm_with_q <= hbm_limit &&",
            "sram_with_p <= sram_limit &&"),
        Bug("core_hang", "BYPASS waits for ever", "unison_fsm.sv",
            "if (rank_done_i && rec_ok) begin",
            "if (rank_done_i && rec_ok && elig_i != '0) begin"),
        Bug("core_slow", "each pass is awaited in Room", "unison_fsm.sv",
            "          state_d      = Spear;", "          state_d = rank_done_i ? Spear : Room;"),
        Bug("core_full", "EVICT is entered into a full FIFO", "unison_fsm.sv",
            "if (rank_done_i && rec_ok) begin", "if (rank_done_i) begin"),
        Bug("core_meter", "the latency counts from two", "unison_latency.sv",
            "first_i ? 32'd1", "first_i ? 32'd2"),
        Bug("core_still", "MIG_DONE's flags are cleared with every Commit", "unison_fsm.sv",
            "state_q == Commit && is_mig;", "state_q == Commit;"),
    ),
    files=("rank_model.sv",),
    parts=tuple(f"{n}.svh" for n in (
        "view", "time", "accounts", "capacity", "bypass", "victim", "migration", "bound",
        "latency", "control", "covers")),
    narrow=_NARROW,
    plant=({"Any": 1, **_SMALL}, 6),
    covers=(({"NumSlots": 4, "NumLanes": 4, "TokW": 3}, 26), ({"Any": 1, **_SMALL}, 10)),
)  # fmt: skip

KEEP = Proof(
    "keep",
    "a list over a stream of any length: sorted; any chosen entry is in it, or it is full of "
    "entries that go before that one (larger key, or equal and a lower row); after pops the best "
    "of what is left is at the front, or `dry_o` tells",
    "unison_keep",
    ("unison_keep.sv",),
    (
        {"Depth": 1, "KeyW": 49, "RowW": 6},
        {"Depth": 2, "KeyW": 49, "RowW": 6},
        {"Depth": 2, "KeyW": 8, "RowW": 4},
    ),
    "induction",
    6,
    14,
    (
        Bug("keep_order", "the list is not sorted", "unison_keep.sv",
            "(key_i > key_q[i])", "1'b1"),
        Bug("keep_tie", "a tie goes to the highest row", "unison_keep.sv",
            "(key_i > key_q[i])", "(key_i >= key_q[i])"),
        Bug("keep_dry", "a dropped entry is forgotten", "unison_keep.sv",
            "else if (insert_i && valid_q[Depth-1]) dropped_q <= 1'b1;", "else dropped_q <= 1'b0;"),
        Bug("keep_pop", "a pop keeps the last entry", "unison_keep.sv",
            "      assign valid_below = 1'b0;", "      assign valid_below = valid_q[i];"),
    ),
)  # fmt: skip

BEST = Proof(
    "best",
    "the result is one of the words, and none is larger",
    "unison_best",
    ("unison_best.sv",),
    tuple({"Num": n, "Width": 8} for n in (2, 4, 8, 16, 32)),
    "complete",
    2,
    2,
    (
        Bug("best_sense", "the comparison is turned round", "unison_best.sv",
            "round[i+(1<<level)] > round[i]", "round[i+(1<<level)] < round[i]"),
    ),
)  # fmt: skip

RANK = Proof(
    "rank",
    "for any slots and any keys, from any state, after a start: done in R + 8 cycles; the top is "
    "the largest key of the masked tiers, the promotion candidate the smallest HBM key that fits, "
    "ties to the lowest slot; sums and own key right; after each pop the top is that of the rest, "
    "or a lane of a masked tier is dry",
    "unison_rank with lanes, lists, trees and sums; the score is a free word of the slot",
    ("unison_keep.sv", "unison_best.sv", "unison_rank_sums.sv", "unison_rank_lane.sv",
     "unison_rank.sv"),
    (
        {"NumSlots": 4, "NumLanes": 4, "Pops": 1},
        {"NumSlots": 4, "NumLanes": 1, "Pops": 1},
        {"NumSlots": 4, "NumLanes": 2, "Pops": 1},
    ),
    "complete",
    24,
    24,
    (
        Bug("rank_tie", "ties go to the highest slot", "unison_rank.sv",
            "{1'b1, best_key[l][t], ~best_slot, 1'(t)}",
            "{1'b1, best_key[l][t], best_slot, 1'(t)}"),
        Bug("rank_low", "the promotion candidate ignores the SRAM's capacity",
            "unison_rank_lane.sv", "cand1_q & ~sram1_q & fits1,", "cand1_q & ~sram1_q,"),
        Bug("rank_own", "the event's own slot is a candidate", "unison_rank.sv",
            "(issue & cand_i[slot] & ~is_own)", "(issue & cand_i[slot])"),
        Bug("rank_mask", "the mask is ignored", "unison_rank.sv",
            "(best_valid[l][t] && mask_i[t]) ?", "best_valid[l][t] ?"),
        Bug("rank_sum", "a sum keeps those of an older pass", "unison_rank_sums.sv",
            "end else if (clear_i) begin", "end else if (clear_i && sum_sram_q == '0) begin"),
        Bug("rank_pop", "a pop takes the other lane's entry", "unison_rank.sv",
            "(top_slot_o == best_slot);", "(top_slot_o != best_slot);"),
        Bug("rank_clear", "a start does not empty the pipeline", "unison_rank_lane.sv",
            "else if (start_i) use_q <= '0;", "else if (start_i) use_q[0] <= '0;"),
        Bug("rank_row", "the second row is skipped", "unison_rank.sv",
            "? '0 : waiting & ~next_row;", "? '0 : waiting & ~next_row & ~(next_row << 1);"),
        Bug("rank_dry", "the HBM's dry lanes are not told", "unison_rank.sv",
            "assign dry_o = {|dry_hbm, |dry_sram};", "assign dry_o = {1'b0, |dry_sram};"),
    ),
    files=("rank_score.sv",),
    narrow=(("TokW", 4), ("TimeW", 8), ("GapW", 4), ("TurnW", 3), ("KeyW", 4)),
    plant=({"NumSlots": 4, "NumLanes": 1, "Pops": 1}, 24),
)  # fmt: skip

PROOFS = (FIFO, APB, CORE, KEEP, BEST, RANK)
