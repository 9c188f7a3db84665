"""Graders that need no language model: is an answer grounded in its evidence, and does it answer the question."""
