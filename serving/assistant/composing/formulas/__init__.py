"""Formulas of the courses' subjects with the numbers of a question put in: what one is, and the tables by subject."""
