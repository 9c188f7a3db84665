"""What is read from the web: search engines, scholars and papers, pages. `fetching.py` is the only way out."""
