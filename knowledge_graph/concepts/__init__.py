"""Concepts of a course: terms found in its lectures, ranked, named, defined and traced to the cues that say them.

The one entrance is `extract.extract_concepts`.
"""
