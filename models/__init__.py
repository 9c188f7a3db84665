"""The models coteach trains itself: intent classification, its baselines, tracking. No Dagster here."""
