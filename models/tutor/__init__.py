"""Fine-tuning of a small language model on answers of the home's own courses; which those are is decided elsewhere."""
