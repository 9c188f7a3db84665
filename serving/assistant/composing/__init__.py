"""Answers put together from the material without a language model: one composer for each kind of question."""
