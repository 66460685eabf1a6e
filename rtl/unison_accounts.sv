/// The accounts: tokens resident in each tier, and what fits.
///
/// Policy: the owner never adds what does not fit. Room means free tokens alone; a tier is eligible
/// if its free tokens and its candidates' together reach the need (contract section 4). Eligibility
/// is followed while a pass runs and frozen with its end: an eviction leaves it as it is.
/// Timing: changes show in the next cycle, room is combinational, eligibility one cycle late.
module unison_accounts (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Capacity of the SRAM.
  input  logic [unison_pkg::TokW-1:0]   cap_sram_i,
  /// Capacity of the HBM.
  input  logic [unison_pkg::TokW-1:0]   cap_hbm_i,
  /// Take `sub_tok_i` from a tier.
  input  logic                          sub_i,
  /// That tier; NONE does nothing.
  input  logic [unison_pkg::TierW-1:0]  sub_tier_i,
  /// Tokens to take.
  input  logic [unison_pkg::TokW-1:0]   sub_tok_i,
  /// Give `need_i` to a tier.
  input  logic                          add_i,
  /// That tier; NONE does nothing.
  input  logic [unison_pkg::TierW-1:0]  add_tier_i,
  /// Exchange: `up_i` tokens from HBM to SRAM, `down_i` the other way.
  input  logic                          move_i,
  /// Tokens promoted.
  input  logic [unison_pkg::TokW-1:0]   up_i,
  /// Tokens demoted.
  input  logic [unison_pkg::TokW-1:0]   down_i,
  /// Tokens the event's session must hold.
  input  logic [unison_pkg::TokW-1:0]   need_i,
  /// Follow the sums.
  input  logic                          track_i,
  /// Sum of the candidates in the SRAM.
  input  logic [unison_pkg::TokW-1:0]   sum_sram_i,
  /// Sum of the candidates in the HBM.
  input  logic [unison_pkg::TokW-1:0]   sum_hbm_i,
  /// Tokens resident in the SRAM.
  output logic [unison_pkg::TokW-1:0]   used_sram_o,
  /// Tokens resident in the HBM.
  output logic [unison_pkg::TokW-1:0]   used_hbm_o,
  /// The need fits: [0] SRAM, [1] HBM.
  output logic [1:0]                    room_o,
  /// Tier is eligible: [0] SRAM, [1] HBM.
  output logic [1:0]                    elig_o
);
  localparam int W = unison_pkg::TokW;

  logic [1:0][W-1:0] used_q, used_d, cap, sum, plus, minus;
  logic [1:0][unison_pkg::TierW-1:0] tier;
  logic [1:0] elig_q;

  assign cap   = {cap_hbm_i, cap_sram_i};
  assign sum   = {sum_hbm_i, sum_sram_i};
  assign tier  = {unison_pkg::TierHbm, unison_pkg::TierSram};

  for (genvar t = 0; t < 2; t++) begin : gen_tier
    logic [W:0] want;

    always_comb begin
      plus[t]  = '0;
      minus[t] = '0;
      if (move_i) begin
        plus[t]  = (t == 0) ? up_i : down_i;
        minus[t] = (t == 0) ? down_i : up_i;
      end else begin
        if (add_i && add_tier_i == tier[t]) plus[t] = need_i;
        if (sub_i && sub_tier_i == tier[t]) minus[t] = sub_tok_i;
      end
    end

    assign used_d[t] = used_q[t] + plus[t] - minus[t];
    assign want      = {1'b0, used_q[t]} + {1'b0, need_i};
    assign room_o[t] = want <= {1'b0, cap[t]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        used_q[t] <= '0;
        elig_q[t] <= 1'b0;
      end else begin
        used_q[t] <= used_d[t];
        if (track_i) elig_q[t] <= want <= {1'b0, cap[t]} + {1'b0, sum[t]};
      end
    end
  end

  assign elig_o = elig_q;
  assign used_sram_o = used_q[0];
  assign used_hbm_o  = used_q[1];
endmodule
