// Part of core.sv: how long an event has taken, and upper bounds of what is left.
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
