// Goal 7 of core.sv: the latencies of docs/design.md, and the meter that counts them.
  logic latency_q = 1'b1;
  always_ff @(posedge clk_i) begin
    automatic logic ok = 1'b1;
    if (rst_n) begin
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

      // Needed by the induction only: the meter, then the age of the event in each state, of the
      // first pass, started with the event, and of a repeated one after an eviction.
      `PROVE(7, i_meter, (u_ctrl.u_latency.seen_q == decided_q &&
          (!decided_q || u_ctrl.u_latency.last_q == 32'(decided_at_q)) &&
          (idle || u_ctrl.u_latency.now_q == 32'(total))))
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
    end
    latency_q <= ok;
  end
