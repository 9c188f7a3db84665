"""Rules of a course about graded work: items recognised in what students write, and what they get instead."""
