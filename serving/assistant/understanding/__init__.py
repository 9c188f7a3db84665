"""What a question asks for: intent, form, options, complexity, concepts, and whether it can be answered at all."""
