"""The merged concept graph: what it answers, how it is merged, kept free of circles and drawn."""
