"""Sequences of APB transfers: configuration, event streams, registers."""
