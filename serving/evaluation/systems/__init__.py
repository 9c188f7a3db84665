"""Ways to answer, side by side: what each answered to the same questions, and the measures and tables of that."""
