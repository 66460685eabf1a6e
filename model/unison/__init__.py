"""Unison: ranking of LLM-agent sessions whose KV prefixes share a two-tier pool.

The package holds the contract (widths, encodings, registers), the scoring function in
float and in integer, the golden event core, traces, metrics and the command line.
"""

__version__ = "0.1.0"
