"""Mutation of the RTL and the golden model: ``python -m tb.mutation`` (`make mutate`)."""
