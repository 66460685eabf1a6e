"""The soak: very many random events through the core, driven in HDL, compared by chunks."""
