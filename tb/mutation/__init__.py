"""Mutation testing of the RTL and of the golden model: ``python -m tb.mutation`` (`make mutate`)."""
