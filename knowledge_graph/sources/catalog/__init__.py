"""A university's catalogue: its pages, from the web or saved, to one record per class and per topic of a program.

Tulane 2.I. `reading.py` is the way in; the rest is pure but for `crawl.py`, which asks the web.
"""
