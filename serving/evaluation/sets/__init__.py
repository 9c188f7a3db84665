"""What is evaluated on: sets of questions, choices and labels, where they come from, and that none was seen before."""
