"""A gateway without a home of its own: what it reads of a home, and how it follows one published elsewhere."""
