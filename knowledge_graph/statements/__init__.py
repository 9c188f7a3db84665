"""What people say of a course's graph, applied to what was extracted. Reading it is in `sources/statements.py`."""
