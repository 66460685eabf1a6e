"""Coverage, functional and of code: merged over runs, judged, shown (docs/coverage.md)."""
