"""Readers of everything that comes from outside, each yielding typed records and the problems it met."""
