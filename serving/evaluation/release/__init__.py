"""Whether a candidate may be released: questions in the shape of traffic, paired comparisons, the gate."""
