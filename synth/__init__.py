"""Silicon flow: mapping, timing, power, FPGA and gate-level replay of the core."""
