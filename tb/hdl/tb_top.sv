// Test bench top: the core under test, its pins named for cocotb-bus, and probes.
// The probes only read the design; nothing in it depends on them.
`timescale 1ns / 1ps

module tb_top #(
  parameter int NumSlots = 64,
  parameter int NumLanes = 4,
  parameter int TokW     = 20,
  parameter int EvDepth  = 8,
  parameter int DecDepth = 16,
  parameter int Scorer   = 0,
  parameter int Arch     = 0
) (
  input logic clk_i,
  input logic rst_ni
);

  localparam int KeyW = unison_pkg::KeyW;

  // APB, driven by tb/uvm/agents/apb_bus.py.
  logic        apb_psel, apb_penable, apb_pwrite;
  logic [11:0] apb_paddr;
  logic [31:0] apb_pwdata, apb_prdata;
  logic [3:0]  apb_pstrb;
  logic [2:0]  apb_pprot;
  logic        apb_pready, apb_pslverr;

  // Sideband events, driven by tb/uvm/agents/sideband_bus.py; idle where no one does.
  logic        sb_valid = 1'b0, sb_ready;
  logic [3:0]  sb_code = '0;
  logic [7:0]  sb_slot = '0;
  logic [19:0] sb_tokens = '0;
  logic [31:0] sb_time = '0;

  // DMA descriptors; ready is driven by tb/uvm/agents/dma_bus.py.
  logic        dma_valid, dma_ready, dma_promote, dma_last;
  logic [7:0]  dma_slot;
  logic [19:0] dma_tokens;

  logic        irq;

  // What the RTL answers. It drives the pins, unless a mapped netlist does: then the RTL runs beside
  // it on the same inputs, for the probes only.
  logic [31:0] rtl_prdata;
  logic        rtl_pready, rtl_pslverr, rtl_sb_ready;
  logic        rtl_dma_valid, rtl_dma_promote, rtl_dma_last, rtl_irq;
  logic [7:0]  rtl_dma_slot;
  logic [19:0] rtl_dma_tokens;

  unison #(
    .NumSlots(NumSlots),
    .NumLanes(NumLanes),
    .TokW    (TokW),
    .EvDepth (EvDepth),
    .DecDepth(DecDepth),
    .Scorer  (Scorer),
    .Arch    (Arch)
  ) dut (
    .clk_i,
    .rst_ni,
    .psel_i       (apb_psel),
    .penable_i    (apb_penable),
    .pwrite_i     (apb_pwrite),
    .paddr_i      (apb_paddr),
    .pwdata_i     (apb_pwdata),
    .pstrb_i      (apb_pstrb),
    .pprot_i      (apb_pprot),
    .prdata_o     (rtl_prdata),
    .pready_o     (rtl_pready),
    .pslverr_o    (rtl_pslverr),
    .ev_valid_i   (sb_valid),
    .ev_ready_o   (rtl_sb_ready),
    .ev_code_i    (sb_code),
    .ev_slot_i    (sb_slot),
    .ev_tokens_i  (sb_tokens),
    .ev_time_i    (sb_time),
    .dma_valid_o  (rtl_dma_valid),
    .dma_ready_i  (dma_ready),
    .dma_promote_o(rtl_dma_promote),
    .dma_slot_o   (rtl_dma_slot),
    .dma_tokens_o (rtl_dma_tokens),
    .dma_last_o   (rtl_dma_last),
    .irq_o        (rtl_irq)
  );

`ifdef UNISON_GATES
  unison_gates gates (
    .clk_i,
    .rst_ni,
    .psel_i       (apb_psel),
    .penable_i    (apb_penable),
    .pwrite_i     (apb_pwrite),
    .paddr_i      (apb_paddr),
    .pwdata_i     (apb_pwdata),
    .pstrb_i      (apb_pstrb),
    .pprot_i      (apb_pprot),
    .prdata_o     (apb_prdata),
    .pready_o     (apb_pready),
    .pslverr_o    (apb_pslverr),
    .ev_valid_i   (sb_valid),
    .ev_ready_o   (sb_ready),
    .ev_code_i    (sb_code),
    .ev_slot_i    (sb_slot),
    .ev_tokens_i  (sb_tokens),
    .ev_time_i    (sb_time),
    .dma_valid_o  (dma_valid),
    .dma_ready_i  (dma_ready),
    .dma_promote_o(dma_promote),
    .dma_slot_o   (dma_slot),
    .dma_tokens_o (dma_tokens),
    .dma_last_o   (dma_last),
    .irq_o        (irq)
  );
`else
  assign apb_prdata = rtl_prdata;
  assign apb_pready = rtl_pready;
  assign apb_pslverr = rtl_pslverr;
  assign sb_ready = rtl_sb_ready;
  assign dma_valid = rtl_dma_valid;
  assign dma_promote = rtl_dma_promote;
  assign dma_slot = rtl_dma_slot;
  assign dma_tokens = rtl_dma_tokens;
  assign dma_last = rtl_dma_last;
  assign irq = rtl_irq;
`endif

  // A transfer's end in one word, as one read through the VPI costs as much as six narrow ones.
  logic [50:0] apb_seen;
  assign apb_seen = {apb_pready, apb_pslverr, apb_pwrite, apb_pstrb, apb_paddr,
                     apb_pwrite ? apb_pwdata : apb_prdata};

  // The rules of APB, by an observer of the pins.
  logic [10:0] apb_broken;
  logic [31:0] apb_broken_count;
  logic [11:0] apb_broken_at;

  apb_rules #(
    .MemFrom(unison_pkg::AddrWeightW),
    .MemTo(unison_pkg::AddrTurn + 12'hff)
  ) u_apb_rules (
    .clk_i,
    .rst_ni,
    .psel_i   (apb_psel),
    .penable_i(apb_penable),
    .pwrite_i (apb_pwrite),
    .paddr_i  (apb_paddr),
    .pwdata_i (apb_pwdata),
    .pstrb_i  (apb_pstrb),
    .pprot_i  (apb_pprot),
    .pready_i (apb_pready),
    .pslverr_i(apb_pslverr),
    .prdata_i (apb_prdata),
    .broken_o (apb_broken),
    .count_o  (apb_broken_count),
    .first_o  (apb_broken_at)
  );

  // What both event ports do at once, counted for coverage.
  port_watch u_port_watch (
    .clk_i,
    .rst_ni,
    .psel_i    (apb_psel),
    .penable_i (apb_penable),
    .pwrite_i  (apb_pwrite),
    .pslverr_i (apb_pslverr),
    .paddr_i   (apb_paddr),
    .sb_valid_i(sb_valid),
    .sb_ready_i(sb_ready),
    .empty_i   (dut.ev_empty),
    .last_i    (dut.ev_last),
    .full_i    (dut.ev_full)
  );

  // Ranking unit: finished passes, and the candidates and keys of the last one.
  logic [31:0]              probe_passes;
  logic [NumSlots-1:0]      probe_cand;
  logic [NumSlots*KeyW-1:0] probe_keys;
  assign probe_passes = dut.gen_rank.u_rank.dbg_pass_q;
  assign probe_cand   = dut.gen_rank.u_rank.dbg_cand_q;
  assign probe_keys   = dut.gen_rank.u_rank.dbg_key_q;

  // Latency by a count of our own, so that the core's LAT_* registers are checked and not believed:
  // cycles from an event's first at the head of the FIFO to its last decision record, both counted.
  logic [31:0] probe_events, probe_lat_events, probe_lat_sum;
  logic [31:0] waited, decided;
  logic [2:0] kind;
  logic at_head, decision, has_decision;

  assign at_head  = !dut.ev_empty && dut.ctrl[unison_pkg::CtrlEnable];
  assign kind     = dut.rec_in[$bits(dut.rec_in)-1-:3];
  assign decision = dut.rec_push &&
      (kind == unison_pkg::RecEvict || kind == unison_pkg::RecBypass ||
       kind == unison_pkg::RecPromote || kind == unison_pkg::RecDemote);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      probe_events     <= '0;
      probe_lat_events <= '0;
      probe_lat_sum    <= '0;
      waited           <= '0;
      decided          <= '0;
      has_decision     <= 1'b0;
    end else if (at_head) begin
      waited <= waited + 1;
      if (decision) begin
        decided      <= waited + 1;
        has_decision <= 1'b1;
      end
      if (dut.ev_pop) begin
        waited       <= '0;
        has_decision <= 1'b0;
        probe_events <= probe_events + 1;
        if (decision || has_decision) begin
          probe_lat_events <= probe_lat_events + 1;
          probe_lat_sum    <= probe_lat_sum + (decision ? waited + 1 : decided);
        end
      end
    end
  end

endmodule
