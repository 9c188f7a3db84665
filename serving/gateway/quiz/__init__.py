"""Quiz me: a course's own multiple-choice questions and definitions, one at a time, again when they are about to be
forgotten."""
