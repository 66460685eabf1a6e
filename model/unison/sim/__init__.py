"""The pool simulator: contract sections 2 to 6, compiled, with any policy."""
