"""Prerequisite relations between the concepts of a course, by the votes of labelling functions.

The one entrance is `find.find_prerequisites`.
"""
