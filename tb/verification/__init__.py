"""The page a design team signs off from: what was measured, by which command, on which RTL."""
