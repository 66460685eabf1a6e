"""Everything that is generated from ``rtl/unison.rdl``: ``python -m tools.regs [--check]``."""
