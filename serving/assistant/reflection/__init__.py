"""Self-reflection (Maastricht 3.4-3.5): what happens after a draft, as a table, and the graders that decide."""
