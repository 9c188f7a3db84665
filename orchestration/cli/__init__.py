"""The command line: one module for what a verb does and prints; `main.py` parses."""
