"""Filters between what a model or a source wrote and what a student reads: markup, links, origin, prompt leaks,
endings."""
