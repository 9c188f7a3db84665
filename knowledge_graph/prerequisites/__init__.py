"""Prerequisite relations between the concepts of a course, by the votes of labelling functions and a label model.

The one entrance is `find.find_prerequisites`; `evaluation` scores what it finds against pairs that people labelled. On
the way: `mentions` → `measures` → `pairs` → `votes` → `combine` → `decide` → `evidence`.
"""
