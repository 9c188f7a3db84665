"""Which intent model serves: the contest, the registry, and what MLflow gets of it."""
