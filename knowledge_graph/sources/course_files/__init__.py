"""The files of a course as people change them without a shell: which names are taken, edits as a whole and back again,
packed courses, and what a build said of each file.

What a file says is for the readers; who may change it is for the gateway.
"""
