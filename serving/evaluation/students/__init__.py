"""Questions as students ask them, with what a right answer must say: read, answered, marked and put into a table."""
