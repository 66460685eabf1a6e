// unison_apb with unison_config and both FIFOs: the rules of an APB4 slave and of docs/registers.md.
//
// The bus keeps APB's rules. The core is free: it takes events and enters records when it likes,
// and moves what is used, within the capacity, only while it has an event (core.sv proves that).
// The register map is written here a second time, with numbers.
module formal_apb #(
  parameter int EvDepth = 3,
  parameter int DecDepth = 2
) (
  input logic                                   clk_i,
  input logic                                   psel_i,
  input logic                                   penable_i,
  input logic                                   pwrite_i,
  input logic [11:0]                            paddr_i,
  input logic [31:0]                            pwdata_i,
  input logic [3:0]                             pstrb_i,
  input logic                                   ev_pop_i,
  input logic                                   rec_push_i,
  input logic [63:0]                            rec_i,
  input logic                                   use_i,
  input logic [1:0][19:0]                       used_i,
  input logic                                   outstanding_i,
  input logic [31:0]                            time_i,
  input logic [15:0][15:0]                      w_i,
  input logic [15:0][15:0]                      z_i,
  input logic [63:0][15:0]                      turn_i,
  input logic [13:0][31:0]                      cnt_i,
  input logic [9:0][15:0]                       err_i,
  input logic [2:0]                             irq_status_i
);
  localparam logic [31:0] Params = 32'h12345678;
  localparam logic [31:0] Variant = 32'h0000000f;
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [31:0] prdata, cfg_rdata, cfg_merged;
  logic pready, pslverr, cfg_write, ev_push, rec_pop, irq_clear, refused;
  logic [2:0] table_write, ctrl, irq_enable;
  logic [15:0] prescale, bw;
  logic [19:0] cap_sram, cap_hbm;
  logic [23:0] prior;
  logic [2:0] shift;
  logic [31:0] ev_time;
  logic ev_full, ev_empty, rec_full, rec_empty;
  logic [$clog2(EvDepth+1)-1:0] ev_level;
  logic [$clog2(DecDepth+1)-1:0] rec_level;
  logic [63:0] ev_head, rec_head;
  logic [1:0][19:0] used_q;

  unison_apb #(.Params(Params), .Variant(Variant)) u_apb (
    .clk_i, .rst_ni(rst_n), .psel_i, .penable_i, .pwrite_i, .paddr_i, .pstrb_i, .pprot_i('0),
    .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr),
    .cfg_write_o(cfg_write), .cfg_rdata_i(cfg_rdata), .cfg_merged_i(cfg_merged),
    .table_write_o(table_write), .w_i, .z_i, .turn_i,
    .ev_push_o(ev_push), .ev_full_i(ev_full), .ev_level_i(8'(ev_level)),
    .rec_pop_o(rec_pop), .rec_empty_i(rec_empty), .rec_level_i(8'(rec_level)),
    .rec_head_i(rec_head[63:32]), .rec_tail_i(rec_head[31:0]),
    .outstanding_i, .time_i, .used_sram_i(used_q[0]), .used_hbm_i(used_q[1]), .cnt_i, .err_i,
    .irq_status_i, .irq_clear_o(irq_clear), .refused_o(refused)
  );
  unison_config u_config (
    .clk_i, .rst_ni(rst_n), .addr_i(paddr_i), .write_i(cfg_write), .data_i(pwdata_i),
    .be_i(pstrb_i), .rdata_o(cfg_rdata), .merged_o(cfg_merged),
    .ctrl_o(ctrl), .irq_enable_o(irq_enable), .prescale_o(prescale), .cap_sram_o(cap_sram),
    .cap_hbm_o(cap_hbm), .gap_prior_o(prior), .ema_shift_o(shift), .dma_bw_o(bw),
    .ev_time_o(ev_time)
  );
  unison_fifo #(.Width(64), .Depth(EvDepth)) u_events (
    .clk_i, .rst_ni(rst_n), .push_i(ev_push), .data_i({pwdata_i, ev_time}), .full_o(ev_full),
    .pop_i(ev_pop_i), .data_o(ev_head), .empty_o(ev_empty), .level_o(ev_level)
  );
  unison_fifo #(.Width(64), .Depth(DecDepth)) u_records (
    .clk_i, .rst_ni(rst_n), .push_i(rec_push_i), .data_i(rec_i), .full_o(rec_full),
    .pop_i(rec_pop), .data_o(rec_head), .empty_o(rec_empty), .level_o(rec_level)
  );

  // The bus, as APB allows it with no wait states.
  logic setup, access, setup_q, pwrite_q;
  logic [11:0] paddr_q;
  logic [31:0] pwdata_q;
  logic [3:0] pstrb_q;
  assign setup  = psel_i & ~penable_i;
  assign access = psel_i & penable_i;
  always_ff @(posedge clk_i) begin
    setup_q <= rst_n & setup;
    {pwrite_q, paddr_q, pwdata_q, pstrb_q} <= {pwrite_i, paddr_i, pwdata_i, pstrb_i};
    if (!rst_n) begin
      m_reset: assume (!psel_i && !penable_i);
    end else begin
      m_phase: assume (penable_i == setup_q && (psel_i || !setup_q));
      if (setup_q) m_hold: assume ({pwrite_i, paddr_i, pwdata_i, pstrb_i} ==
                                   {pwrite_q, paddr_q, pwdata_q, pstrb_q});
    end
  end

  // The core, as far as it matters.
  always_ff @(posedge clk_i) begin
    if (!rst_n) used_q <= '0;
    else if (use_i && !ev_empty) begin
      used_q <= used_i;
      m_used: assume (used_i[0] <= cap_sram && used_i[1] <= cap_hbm);
    end
  end

  // The register map: what may be done, what is read.
  logic ro, rw, cfg, w1c, wo, below, beyond, ref_err, err_q;
  logic [31:0] value, merged, value_q, bits;
  always_comb begin
    // Ones in bits that a register does not have are refused (IRQ registers ignore them).
    bits = '1;
    unique case (paddr_i) inside
      12'h00c, 12'h038: bits = 32'h7;
      12'h01c, 12'h03c: bits = 32'hffff;
      12'h024, 12'h028: bits = 32'hfffff;
      12'h034: bits = 32'hffffff;
      [12'h100:12'h17c], [12'h200:12'h2fc]: bits = 32'hffff;
      default: ;
    endcase
    {ro, rw, cfg, w1c, wo} = '0;
    value = '0;
    unique case (paddr_i) inside
      12'h000: begin ro = 1'b1; value = 32'h554e4953; end
      12'h004: begin ro = 1'b1; value = 32'h00000200; end
      12'h008: begin ro = 1'b1; value = Params; end
      12'h00c: begin rw = 1'b1; value = 32'(ctrl); end
      12'h010: begin
        ro    = 1'b1;
        value = {14'b0, outstanding_i, ev_level != '0, 8'(rec_level), 8'(ev_level)};
      end
      12'h014: begin w1c = 1'b1; value = 32'(irq_status_i); end
      12'h018: begin rw = 1'b1; value = 32'(irq_enable); end
      12'h01c: begin cfg = 1'b1; value = 32'(prescale); end
      12'h020: begin ro = 1'b1; value = time_i; end
      12'h024: begin cfg = 1'b1; value = 32'(cap_sram); end
      12'h028: begin cfg = 1'b1; value = 32'(cap_hbm); end
      12'h02c: begin ro = 1'b1; value = 32'(used_q[0]); end
      12'h030: begin ro = 1'b1; value = 32'(used_q[1]); end
      12'h034: begin cfg = 1'b1; value = 32'(prior); end
      12'h038: begin cfg = 1'b1; value = 32'(shift); end
      12'h03c: begin cfg = 1'b1; value = 32'(bw); end
      12'h040: begin rw = 1'b1; value = ev_time; end
      12'h044: wo = 1'b1;
      12'h048: begin ro = 1'b1; value = (rec_level == '0) ? '0 : rec_head[63:32]; end
      12'h04c: begin ro = rec_level != '0; value = rec_head[31:0]; end
      12'h050: begin ro = 1'b1; value = Variant; end
      [12'h080:12'h0b4]: begin ro = 1'b1; value = cnt_i[paddr_i[5:2]]; end
      [12'h0c0:12'h0e4]: begin ro = 1'b1; value = 32'(err_i[paddr_i[5:2]]); end
      [12'h100:12'h13c]: begin rw = 1'b1; value = 32'(w_i[paddr_i[5:2]]); end
      [12'h140:12'h17c]: begin rw = 1'b1; value = 32'(z_i[paddr_i[5:2]]); end
      [12'h200:12'h2fc]: begin rw = 1'b1; value = 32'(turn_i[paddr_i[7:2]]); end
      default: ;
    endcase
    for (int b = 0; b < 4; b++) merged[8*b+:8] = pstrb_i[b] ? pwdata_i[8*b+:8] : value[8*b+:8];
    below = (paddr_i == 12'h024 && merged[19:0] < used_q[0]) ||
            (paddr_i == 12'h028 && merged[19:0] < used_q[1]);
    beyond = |(merged & ~bits);
    if (paddr_i[1:0] != 2'b00) ref_err = 1'b1;
    else if (!pwrite_i) ref_err = !(ro || rw || cfg || w1c);
    else if (cfg) ref_err = ev_level != '0 || below || beyond;
    else if (wo) ref_err = int'(ev_level) == EvDepth || pstrb_i != 4'hf;
    else ref_err = !((rw && !beyond) || w1c);
  end

  // What was before.
  localparam int AllW = 3 + 3 + 16 + 20 + 20 + 24 + 3 + 16 + 32;
  logic [AllW-1:0] all, all_q, want;
  logic good, good_q, was_q, setup2_q;
  logic [31:0] prdata_q, merged_q;
  logic [11:0] addr_q;
  assign all  = {ctrl, irq_enable, prescale, cap_sram, cap_hbm, prior, shift, bw, ev_time};
  assign good = access && pwrite_i && !err_q;
  always_ff @(posedge clk_i) begin
    if (setup) {err_q, value_q} <= {ref_err, (ref_err || pwrite_i) ? 32'h0 : value};
    all_q    <= all;
    good_q   <= rst_n & good;
    addr_q   <= paddr_i;
    merged_q <= merged;
    prdata_q <= prdata;
    setup2_q <= !rst_n | setup;
    was_q    <= rst_n;
  end

  // The configuration that must follow from the last cycle.
  logic [31:0] d;
  assign d = merged_q;
  always_comb begin
    want = all_q;
    if (good_q) begin
      unique case (addr_q)
        12'h00c: want[AllW-1-:3] = d[2:0];
        12'h018: want[AllW-4-:3] = d[2:0];
        12'h01c: want[AllW-7-:16] = d[15:0];
        12'h024: want[AllW-23-:20] = d[19:0];
        12'h028: want[AllW-43-:20] = d[19:0];
        12'h034: want[AllW-63-:24] = d[23:0];
        12'h038: want[AllW-87-:3] = d[2:0];
        12'h03c: want[AllW-90-:16] = d[15:0];
        12'h040: want[31:0] = d;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      apb_ready: assert (pready);
      apb_error: assert (pslverr == (access && err_q));
      if (access) apb_data: assert (prdata == value_q);
      if (was_q && !setup2_q) apb_stable: assert (prdata == prdata_q);
      if (was_q) apb_state: assert (all == want);
      apb_tables: assert (table_write == ({paddr_i[11:8] == 4'h2, paddr_i[11:6] == 6'h5,
                                           paddr_i[11:6] == 6'h4} & {3{good}}));
      apb_push: assert (ev_push == (good && paddr_i == 12'h044) && !(ev_push && ev_full));
      apb_pop: assert (rec_pop == (access && !pwrite_i && !err_q && paddr_i == 12'h04c) &&
                       !(rec_pop && rec_empty));
      apb_clear: assert (irq_clear == (good && paddr_i == 12'h014 && pstrb_i[0]));
      apb_refused: assert (refused == (access && pwrite_i && paddr_i == 12'h044 && err_q));
      apb_capacity: assert (used_q[0] <= cap_sram && used_q[1] <= cap_hbm);
      // Needed by the induction only.
      apb_level: assert (int'(ev_level) <= EvDepth && int'(rec_level) <= DecDepth);

      c_refused: cover (refused && ev_full);
      c_partial: cover (refused && !ev_full);
      c_busy: cover (pslverr && pwrite_i && paddr_i == 12'h01c);
      c_below: cover (pslverr && pwrite_i && paddr_i == 12'h028 && ev_empty);
      c_nothing: cover (pslverr && !pwrite_i && paddr_i == 12'h04c);
      c_record: cover (rec_pop);
      c_back: cover (access && setup2_q && paddr_i == 12'h024 && prdata == 32'h12345);
      c_unmapped: cover (pslverr && paddr_i == 12'h300);
    end
  end
endmodule
