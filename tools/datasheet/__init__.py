"""Writes docs/datasheet.md and its figures: ``python -m tools.datasheet``."""
