// Counts what both event ports do at once, cycle by cycle; read at the end by
// tb/uvm/scoreboard/ports.py, which names the counts. It only looks at the pins and the level of
// the event FIFO, and goes on counting through resets.
`timescale 1ns / 1ps

module port_watch (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        psel_i,
  input logic        penable_i,
  input logic        pwrite_i,
  input logic        pslverr_i,
  input logic [11:0] paddr_i,
  input logic        sb_valid_i,
  input logic        sb_ready_i,
  input logic        empty_i,
  input logic        last_i,
  input logic        full_i
);
  // By number: APB's phase * 12 + room * 3 + sideband.
  logic [31:0] count_q [96];

  logic [2:0] apb;
  logic [1:0] room, sideband;
  logic cfg, event_write;
  logic [6:0] at;

  assign event_write = pwrite_i && paddr_i == unison_pkg::AddrEvPush;
  assign cfg = pwrite_i &&
      (paddr_i == unison_pkg::AddrPrescale || paddr_i == unison_pkg::AddrCapSram ||
       paddr_i == unison_pkg::AddrCapHbm || paddr_i == unison_pkg::AddrGapPrior ||
       paddr_i == unison_pkg::AddrEmaShift || paddr_i == unison_pkg::AddrDmaBw);

  always_comb begin
    if (!psel_i) apb = 3'd0;
    else if (event_write) apb = !penable_i ? 3'd1 : pslverr_i ? 3'd3 : 3'd2;
    else if (cfg) apb = !penable_i ? 3'd4 : pslverr_i ? 3'd6 : 3'd5;
    else apb = 3'd7;
    room = full_i ? 2'd3 : last_i ? 2'd2 : empty_i ? 2'd0 : 2'd1;
    sideband = !sb_valid_i ? 2'd0 : sb_ready_i ? 2'd2 : 2'd1;
  end

  assign at = 7'(apb) * 7'd12 + 7'(room) * 7'd3 + 7'(sideband);

  initial for (int i = 0; i < 96; i++) count_q[i] = '0;

  always_ff @(posedge clk_i) if (rst_ni) count_q[at] <= count_q[at] + 1;
endmodule
