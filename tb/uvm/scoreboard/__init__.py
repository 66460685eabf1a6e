"""Checks: decision monitor, scoreboard against the golden core, fidelity, coverage."""
