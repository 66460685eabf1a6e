"""Speed of the simulator, as ratios within one run: ``unison bench`` (`make bench`)."""
