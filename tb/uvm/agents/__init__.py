"""Agents: APB (active or passive), DMA port, and the probes into the core."""
