/// A board's top level: the core, driven by a small APB master, with a clock, a reset and LEDs.
///
/// The master writes configuration and tables, then sends every slot round the life of a session
/// (REQ, GAP_OPEN, GAP_CLOSE, REQ, ...) with sizes from a shift register, and reads all records.
/// `led_o`: [7] a record was an ERROR or an access was refused, [6] records come, [5:0] a signature
/// over all records, so that nothing of the core can be optimised away.
/// Timing: one APB transfer takes two cycles; migrations are answered by the DMA port at once, and
/// their MIG_DONE is sent with the next event.
module unison_board #(
  /// Slots.
  parameter int NumSlots = 64,
  /// Lanes.
  parameter int NumLanes = 4,
  /// Form of the score.
  parameter int Scorer = 0
) (
  /// Clock.
  input  logic       clk_i,
  /// Reset, active low, asynchronous.
  input  logic       rst_ni,
  /// LEDs.
  output logic [7:0] led_o
);
  localparam int SlotW = $clog2(NumSlots);

  // Set-up writes: 5 registers, 32 weights, 64 turn odds, then CTRL.
  localparam int NumSetup = 102;
  typedef enum logic [2:0] {StSetup, StEvent, StMig, StHead, StTail} state_e;
  state_e state_q, state_d;

  logic psel_q, penable_q, done;
  logic pwrite, pready, pslverr;
  logic [11:0] paddr;
  logic [31:0] pwdata, prdata;
  logic [6:0] step_q;
  logic [SlotW-1:0] slot_q;
  logic [1:0] phase_q;
  logic [15:0] random_q;
  logic [31:0] sign_q;
  logic error_q, seen_q, mig_q;
  logic dma_valid, dma_promote, dma_last, irq, ev_ready;
  logic [7:0] dma_slot;
  logic [19:0] dma_tokens;

  // What to write, by step of the set-up.
  logic [11:0] setup_addr;
  logic [31:0] setup_data;
  logic [6:0] table_step, turn_step;
  assign table_step = step_q - 7'd5;
  assign turn_step  = step_q - 7'd37;
  always_comb begin
    setup_addr = unison_pkg::AddrCtrl;
    setup_data = 32'd5;
    if (step_q == 7'd0) begin
      setup_addr = unison_pkg::AddrCapSram;
      setup_data = 32'(64 * NumSlots);
    end else if (step_q == 7'd1) begin
      setup_addr = unison_pkg::AddrCapHbm;
      setup_data = 32'(160 * NumSlots);
    end else if (step_q == 7'd2) begin
      setup_addr = unison_pkg::AddrGapPrior;
      setup_data = 32'd640;
    end else if (step_q == 7'd3) begin
      setup_addr = unison_pkg::AddrDmaBw;
      setup_data = 32'hffff;
    end else if (step_q == 7'd4) begin
      setup_addr = unison_pkg::AddrPrescale;
      setup_data = 32'd63;
    end else if (step_q < 7'd37) begin
      setup_addr = unison_pkg::AddrWeightW + 12'({table_step, 2'b00});
      setup_data = 32'd16 + 32'(table_step);
    end else if (step_q < 7'd101) begin
      setup_addr = unison_pkg::AddrTurn + 12'({turn_step, 2'b00});
      setup_data = 32'd4096 - 32'd32 * 32'(turn_step);
    end
  end

  // The event; the size of the same session grows from REQ to GAP_OPEN or not, as it comes.
  logic [3:0] code;
  logic [19:0] tokens;
  always_comb begin
    code   = unison_pkg::EvReq;
    tokens = 20'd100 + 20'(random_q[8:0]);
    if (phase_q == 2'd1) code = unison_pkg::EvGapOpen;
    if (phase_q == 2'd2) code = unison_pkg::EvGapClose;
  end

  always_comb begin
    pwrite = 1'b0;
    paddr  = unison_pkg::AddrDecHead;
    pwdata = '0;
    unique case (state_q)
      StSetup: begin
        pwrite = 1'b1;
        paddr  = setup_addr;
        pwdata = setup_data;
      end
      StEvent: begin
        pwrite = 1'b1;
        paddr  = unison_pkg::AddrEvPush;
        pwdata = {code, 8'(slot_q), tokens};
      end
      StMig: begin
        pwrite = 1'b1;
        paddr  = unison_pkg::AddrEvPush;
        pwdata = {unison_pkg::EvMigDone, 28'd0};
      end
      StHead: paddr = unison_pkg::AddrDecHead;
      StTail: paddr = unison_pkg::AddrDecPop;
      default: ;
    endcase
  end

  assign done = psel_q & penable_q & pready;

  always_comb begin
    state_d = state_q;
    if (done) begin
      unique case (state_q)
        StSetup: if (step_q == 7'(NumSetup - 1)) state_d = StEvent;
        StEvent: state_d = StHead;
        StMig:   state_d = StHead;
        StHead: begin
          if (prdata[31]) state_d = StTail;
          else if (mig_q) state_d = StMig;
          else state_d = StEvent;
        end
        StTail:  state_d = StHead;
        default: state_d = StSetup;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StSetup;
      psel_q    <= 1'b0;
      penable_q <= 1'b0;
      step_q    <= '0;
      slot_q    <= '0;
      phase_q   <= '0;
      random_q  <= 16'hace1;
      sign_q    <= '0;
      error_q   <= 1'b0;
      seen_q    <= 1'b0;
      mig_q     <= 1'b0;
    end else begin
      state_q   <= state_d;
      psel_q    <= ~done;
      penable_q <= psel_q & ~done;
      if (dma_valid && dma_last) mig_q <= 1'b1;
      if (done) begin
        random_q <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
        if (pslverr && state_q != StEvent) error_q <= 1'b1;
        if (state_q == StSetup) step_q <= step_q + 7'd1;
        if (state_q == StMig && !pslverr) mig_q <= 1'b0;
        if (state_q == StEvent && !pslverr) begin
          slot_q <= slot_q + 1'b1;
          if (slot_q == SlotW'(NumSlots - 1)) begin
            slot_q  <= '0;
            phase_q <= (phase_q == 2'd2) ? 2'd0 : phase_q + 2'd1;
          end
        end
        if (state_q == StHead && prdata[31]) begin
          seen_q <= ~seen_q;
          if (prdata[30:28] == unison_pkg::RecError) error_q <= 1'b1;
        end
        if (state_q == StHead || state_q == StTail) sign_q <= {sign_q[30:0], sign_q[31]} ^ prdata;
      end
    end
  end

  unison #(.NumSlots(NumSlots), .NumLanes(NumLanes), .Scorer(Scorer)) u_unison (
    .clk_i, .rst_ni,
    .psel_i(psel_q), .penable_i(penable_q), .pwrite_i(pwrite), .paddr_i(paddr),
    .pwdata_i(pwdata), .pstrb_i(4'hf), .pprot_i(3'b0),
    .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr),
    .ev_valid_i(1'b0), .ev_ready_o(ev_ready), .ev_code_i(4'b0), .ev_slot_i(8'b0),
    .ev_tokens_i(20'b0), .ev_time_i(32'b0),
    .dma_valid_o(dma_valid), .dma_ready_i(1'b1), .dma_promote_o(dma_promote),
    .dma_slot_o(dma_slot), .dma_tokens_o(dma_tokens), .dma_last_o(dma_last), .irq_o(irq)
  );

  logic unused;
  assign unused = ^{dma_promote, dma_slot, dma_tokens, irq, ev_ready};
  assign led_o  = {error_q, seen_q, sign_q[31:26] ^ sign_q[5:0]};
endmodule
