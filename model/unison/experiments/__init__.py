"""Named, seeded, resumable experiments, and the pages under docs/results they regenerate."""
