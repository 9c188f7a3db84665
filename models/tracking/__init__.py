"""MLflow: what each kind of run logs, and where its artifacts are. Nothing here trains or measures."""
