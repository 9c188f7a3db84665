"""What people rated: answers in six aspects, references in seven ways, and how far the raters agree."""
