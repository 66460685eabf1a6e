// APB4 protocol rules, checked at every clock edge; knows nothing of the design or our driver.
// `broken_o` collects a bit a rule, `count_o` counts the cycles in which one was broken, and
// `first_o` keeps what was on the bus at the first. tb/uvm/agents/apb_rules.py names the bits.
`timescale 1ns / 1ps

module apb_rules #(
  parameter int MaxWait = 16,
  // Memories without a reset: what was never written there may be read as unknown. None by default.
  parameter logic [11:0] MemFrom = 12'hfff,
  parameter logic [11:0] MemTo = 12'h000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  logic [11:0] paddr_i,
  input  logic [31:0] pwdata_i,
  input  logic [3:0]  pstrb_i,
  input  logic [2:0]  pprot_i,
  input  logic        pready_i,
  input  logic        pslverr_i,
  input  logic [31:0] prdata_i,
  output logic [10:0] broken_o,
  output logic [31:0] count_o,
  output logic [11:0] first_o
);
  logic setup_q, wait_q, write_q;
  logic [11:0] addr_q;
  logic [31:0] data_q;
  logic [3:0] strb_q;
  logic [2:0] prot_q;
  int waited_q;

  logic access, setup;
  logic [10:0] now;
  assign access = psel_i & penable_i;
  assign setup  = psel_i & ~penable_i;

  // 0: PENABLE without PSEL.
  assign now[0] = penable_i === 1'b1 && psel_i !== 1'b1;
  // 1: an access phase that no setup phase came before.
  assign now[1] = access === 1'b1 && !setup_q && !wait_q;
  // 2: a setup phase that no access phase follows.
  assign now[2] = setup_q && access !== 1'b1;
  // 3: an access phase left before PREADY.
  assign now[3] = wait_q && access !== 1'b1;
  // 4: PADDR, PWRITE or PPROT moved during a transfer.
  assign now[4] = (setup_q || wait_q) && access === 1'b1 &&
                  {paddr_i, pwrite_i, pprot_i} !== {addr_q, write_q, prot_q};
  // 5: PWDATA or PSTRB moved during a write.
  assign now[5] = (setup_q || wait_q) && access === 1'b1 && write_q &&
                  {pwdata_i, pstrb_i} !== {data_q, strb_q};
  // 6: PSTRB with a read.
  assign now[6] = psel_i === 1'b1 && pwrite_i === 1'b0 && pstrb_i !== 4'b0;
  // 7: PSLVERR outside the last cycle of a transfer.
  assign now[7] = pslverr_i !== 1'b0 && !(access === 1'b1 && pready_i === 1'b1);
  // 8: the slave never gets ready.
  assign now[8] = wait_q && waited_q > MaxWait;
  // 9: unknown select, enable, address, direction or response.
  assign now[9] = (^{psel_i, penable_i}) === 1'bx ||
                  (psel_i === 1'b1 && (^{paddr_i, pwrite_i, pstrb_i, pprot_i}) === 1'bx) ||
                  (access === 1'b1 && (^{pready_i, pslverr_i}) === 1'bx);
  // 10: unknown data: written, or read without an error.
  assign now[10] = (psel_i === 1'b1 && pwrite_i === 1'b1 && (^pwdata_i) === 1'bx) ||
                   (access === 1'b1 && pready_i === 1'b1 && pslverr_i === 1'b0 &&
                    pwrite_i === 1'b0 && !(paddr_i >= MemFrom && paddr_i <= MemTo) &&
                    (^prdata_i) === 1'bx);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      setup_q  <= 1'b0;
      wait_q   <= 1'b0;
      waited_q <= 0;
      broken_o <= '0;
      count_o  <= '0;
      first_o  <= '0;
      {addr_q, write_q, prot_q, data_q, strb_q} <= '0;
    end else begin
      setup_q  <= setup === 1'b1;
      wait_q   <= access === 1'b1 && pready_i !== 1'b1;
      waited_q <= wait_q ? waited_q + 1 : 0;
      {addr_q, write_q, prot_q, data_q, strb_q} <=
          {paddr_i, pwrite_i, pprot_i, pwdata_i, pstrb_i};
      if (now != '0) begin
        broken_o <= broken_o | now;
        count_o  <= count_o + 1;
        if (count_o == '0) first_o <= paddr_i;
      end
    end
  end
endmodule
