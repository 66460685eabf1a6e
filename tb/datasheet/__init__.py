"""Records the pins and measures the latencies that docs/datasheet.md shows."""
