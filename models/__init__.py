"""The models coteach trains itself: intent classification, its baselines, tracking. No Dagster here."""

from knowledge_graph import telemetry  # noqa: F401  before any library is imported
