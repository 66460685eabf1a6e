// Test bench top: the core under test, its pins named for cocotb-bus, and probes.
// The probes only read the design; nothing in it depends on them.
`timescale 1ns / 1ps

module tb_top #(
  parameter int NumSlots = 64,
  parameter int NumLanes = 4,
  parameter int TokW     = 20,
  parameter int EvDepth  = 8,
  parameter int DecDepth = 16,
  parameter int Scorer   = 0
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

  // DMA descriptors; ready is driven by tb/uvm/agents/dma_bus.py.
  logic        dma_valid, dma_ready, dma_promote, dma_last;
  logic [7:0]  dma_slot;
  logic [19:0] dma_tokens;

  logic        irq;

  unison #(
    .NumSlots(NumSlots),
    .NumLanes(NumLanes),
    .TokW    (TokW),
    .EvDepth (EvDepth),
    .DecDepth(DecDepth),
    .Scorer  (Scorer)
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
    .prdata_o     (apb_prdata),
    .pready_o     (apb_pready),
    .pslverr_o    (apb_pslverr),
    .dma_valid_o  (dma_valid),
    .dma_ready_i  (dma_ready),
    .dma_promote_o(dma_promote),
    .dma_slot_o   (dma_slot),
    .dma_tokens_o (dma_tokens),
    .dma_last_o   (dma_last),
    .irq_o        (irq)
  );

  // Ranking unit: finished passes, and the candidates and keys of the last one.
  logic [31:0]              probe_passes;
  logic [NumSlots-1:0]      probe_cand;
  logic [NumSlots*KeyW-1:0] probe_keys;
  assign probe_passes = dut.u_rank.dbg_pass_q;
  assign probe_cand   = dut.u_rank.dbg_cand_q;
  assign probe_keys   = dut.u_rank.dbg_key_q;

  // Counters: sampled as they change, for the latency of each event.
  logic [31:0] probe_events, probe_lat_events, probe_lat_sum;
  assign probe_events     = dut.cnt[0];
  assign probe_lat_events = dut.cnt[11];
  assign probe_lat_sum    = dut.cnt[12];

endmodule
