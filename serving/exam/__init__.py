"""The course's exam for a language model: its items, the marks of an answer, and who is admitted to write."""
