"""MLflow for calibration: its figures join the run of the training that made the model. What they mean is not known."""

import time
from collections.abc import Mapping

from mlflow import MlflowClient
from mlflow.entities import Metric

from knowledge_graph.lake.home import DataDir
from models.tracking.runs import EXPERIMENT, TrackedRun, tracking_uri, url_path


def log_calibration(version: str, metrics: Mapping[str, float], *, data_dir: DataDir) -> TrackedRun | None:
    """Add the figures to the newest run tagged `coteach.version = <version>`; None when MLflow knows no such run."""
    if not data_dir.mlflow_db.exists():
        return None
    client = MlflowClient(tracking_uri(data_dir))
    experiment = client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return None
    found = client.search_runs(
        [experiment.experiment_id],
        filter_string=f"tags.`coteach.version` = '{version}'",
        order_by=["attributes.start_time DESC"],
        max_results=1,
    )
    if not found:
        return None
    run_id = found[0].info.run_id
    now = int(time.time() * 1000)
    client.log_batch(run_id, metrics=[Metric(name, value, now, 0) for name, value in sorted(metrics.items())])
    return TrackedRun(run_id, experiment.experiment_id, url_path(experiment.experiment_id, run_id))
