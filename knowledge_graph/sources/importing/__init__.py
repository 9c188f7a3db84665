"""Courses as other systems publish them, to course folders: `sources.py` says which are known and writes them."""
