"""How assets report what they made: tables, checks, problems, files for people."""
