// Soak bench: the core, the APB rules, and a driver in HDL that plays events from a file and writes
// the records to another, so that Python wakes once a chunk and not at each transfer.
//
// Every rising `go` plays `events.txt` (a line an event: port, EV_PUSH word, EV_TIME word, in hex;
// port 1 is the sideband), until the core is idle and drained; `records.txt` then holds the record
// words, `beats.txt` the DMA descriptors, and `done` is 1. While `on` is 0 the pins below are
// Python's. Reads, retries and DMA answers come at random moments.
`timescale 1ns / 1ps

module tb_soak #(
  parameter int NumSlots = 64,
  parameter int NumLanes = 4,
  parameter int TokW     = 20,
  parameter int EvDepth  = 8,
  parameter int DecDepth = 16,
  parameter int Scorer   = 0,
  parameter int Arch     = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        on,
  input  logic        go,
  output logic        done,
  output logic [31:0] refused,
  output logic [10:0] broken,
  // APB pins while `on` is 0, named as in tb/block/bus.py.
  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  logic [11:0] paddr_i,
  input  logic [31:0] pwdata_i,
  input  logic [3:0]  pstrb_i,
  input  logic [2:0]  pprot_i,
  // For the block tests' reset; the driver has its own.
  input  logic        dma_ready_i,
  input  logic        ev_valid_i,
  output logic [31:0] prdata_o,
  output logic        pready_o,
  output logic        pslverr_o
);
  typedef enum logic [3:0] {
    StOff, StNext, StTime, StPush, StHead, StPop, StSide, StStatus, StDone
  } state_e;

  state_e state_q, after_q;
  logic psel_q, penable_q, sb_valid_q, port_q, go_q, dma_ready_q, last_q;
  logic [31:0] word_q, time_q, head_q, lfsr_q;
  int events_f, records_f, beats_f;

  function automatic void open_files();
    events_f  = $fopen("events.txt", "r");
    records_f = $fopen("records.txt", "w");
    beats_f   = $fopen("beats.txt", "w");
  endfunction

  // What the driver asks for in each state.
  logic s_write;
  logic [11:0] s_addr;
  logic [31:0] s_data;
  assign s_write = state_q == StTime || state_q == StPush;
  assign s_data  = state_q == StTime ? time_q : word_q;

  always_comb begin
    unique case (state_q)
      StTime:  s_addr = unison_pkg::AddrEvTime;
      StPush:  s_addr = unison_pkg::AddrEvPush;
      StPop:   s_addr = unison_pkg::AddrDecPop;
      StStatus: s_addr = unison_pkg::AddrStatus;
      default: s_addr = unison_pkg::AddrDecHead;
    endcase
  end

  logic psel, penable, pwrite;
  logic [11:0] paddr;
  logic [31:0] pwdata;
  logic [3:0] pstrb;
  assign psel    = on ? psel_q : psel_i;
  assign penable = on ? penable_q : penable_i;
  assign pwrite  = on ? s_write : pwrite_i;
  assign paddr   = on ? s_addr : paddr_i;
  assign pwdata  = on ? s_data : pwdata_i;
  assign pstrb   = on ? {4{s_write}} : pstrb_i;

  logic sb_ready, dma_valid, dma_promote, dma_last, irq;
  logic [7:0] dma_slot;
  logic [19:0] dma_tokens;
  logic [31:0] unused_count;
  logic [11:0] unused_first;

  unison #(
    .NumSlots(NumSlots), .NumLanes(NumLanes), .TokW(TokW), .EvDepth(EvDepth),
    .DecDepth(DecDepth), .Scorer(Scorer), .Arch(Arch)
  ) dut (
    .clk_i, .rst_ni,
    .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr), .pwdata_i(pwdata),
    .pstrb_i(pstrb), .pprot_i(pprot_i), .prdata_o, .pready_o, .pslverr_o,
    .ev_valid_i(sb_valid_q), .ev_ready_o(sb_ready), .ev_code_i(word_q[31:28]),
    .ev_slot_i(word_q[27:20]), .ev_tokens_i(word_q[19:0]), .ev_time_i(time_q),
    .dma_valid_o(dma_valid), .dma_ready_i(dma_ready_q), .dma_promote_o(dma_promote),
    .dma_slot_o(dma_slot), .dma_tokens_o(dma_tokens), .dma_last_o(dma_last), .irq_o(irq)
  );

  apb_rules u_rules (
    .clk_i, .rst_ni, .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr),
    .pwdata_i(pwdata), .pstrb_i(pstrb), .pprot_i(pprot_i), .pready_i(pready_o),
    .pslverr_i(pslverr_o), .prdata_i(prdata_o), .broken_o(broken), .count_o(unused_count),
    .first_o(unused_first)
  );

  logic access_ends;
  assign access_ends = psel_q && penable_q && pready_o;
  assign done        = state_q == StDone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StOff;
      after_q     <= StNext;
      psel_q      <= 1'b0;
      penable_q   <= 1'b0;
      sb_valid_q  <= 1'b0;
      go_q        <= 1'b0;
      last_q      <= 1'b0;
      dma_ready_q <= 1'b0;
      refused     <= '0;
      lfsr_q      <= 32'hace1_2357;
      {word_q, time_q, head_q, port_q} <= '0;
    end else begin
      go_q        <= go;
      lfsr_q      <= {lfsr_q[30:0], lfsr_q[31] ^ lfsr_q[21] ^ lfsr_q[1] ^ lfsr_q[0]};
      dma_ready_q <= lfsr_q[7:5] == '0;
      if (dma_valid && dma_ready_q && on) begin
        $fwrite(beats_f, "%h %h %h %h\n", dma_promote, dma_slot, dma_tokens, dma_last);
      end
      // The sideband event stays on offer while APB reads on.
      if (sb_valid_q && sb_ready) sb_valid_q <= 1'b0;

      if (psel_q) penable_q <= 1'b1;
      if (access_ends) begin
        psel_q    <= 1'b0;
        penable_q <= 1'b0;
      end

      unique case (state_q)
        StOff, StDone: if (go && !go_q) begin
          open_files();
          state_q <= StNext;
          last_q  <= 1'b0;
        end
        StNext: begin
          if ($fscanf(events_f, "%h %h %h", port_q, word_q, time_q) != 3) begin
            last_q  <= 1'b1;
            state_q <= StStatus;
            psel_q  <= 1'b1;
          end else if (port_q) begin
            sb_valid_q <= 1'b1;
            state_q    <= StSide;
          end else begin
            state_q <= StTime;
            psel_q  <= 1'b1;
          end
        end
        StTime: if (access_ends) begin
          state_q <= StPush;
          psel_q  <= 1'b1;
        end
        StPush: if (access_ends) begin
          psel_q  <= 1'b1;
          state_q <= StHead;
          after_q <= StNext;
          if (pslverr_o) begin
            refused <= refused + 1;
            after_q <= StPush;
          end else if (lfsr_q[3:0] < 4'd5) begin
            // A reader that is not always there: the decision FIFO fills.
            state_q <= StNext;
            psel_q  <= 1'b0;
          end
        end
        StHead: if (access_ends) begin
          head_q <= prdata_o;
          if (prdata_o[31]) begin
            state_q <= StPop;
            psel_q  <= 1'b1;
          end else begin
            state_q <= after_q;
            psel_q  <= after_q == StPush || after_q == StStatus;
          end
        end
        StPop: if (access_ends) begin
          $fwrite(records_f, "%h %h\n", head_q, prdata_o);
          state_q <= StHead;
          psel_q  <= 1'b1;
        end
        StSide: if (!sb_valid_q || sb_ready) begin
          state_q <= StNext;
        end else if (lfsr_q[1:0] == '0) begin
          state_q <= StHead;
          after_q <= StSide;
          psel_q  <= 1'b1;
        end
        StStatus: if (access_ends) begin
          if (prdata_o[16] || prdata_o[15:8] != '0) begin
            state_q <= StHead;
            after_q <= StStatus;
            psel_q  <= 1'b1;
          end else if (!dma_valid) begin
            state_q <= StDone;
            $fclose(events_f);
            $fclose(records_f);
            $fclose(beats_f);
          end else begin
            psel_q <= 1'b1;
          end
        end
        default: state_q <= StOff;
      endcase
    end
  end

  logic unused;
  assign unused = ^{irq, last_q, dma_ready_i, ev_valid_i};
endmodule
