"""What a run looked like, and the whole evaluation on one page."""
