"""MLflow for calibration: its figures join the run of the training that made the model. What they mean is not known."""

from collections.abc import Mapping

from mlflow import MlflowClient

from knowledge_graph.lake.home import DataDir
from models.tracking.place import place_of
from models.tracking.reaching import reaching
from models.tracking.recording import RunContent, TrackedRun, open_experiment, record, url_path
from models.tracking.runs import EXPORT_TAG, INTENT_EXPERIMENT


def log_calibration(version: str, metrics: Mapping[str, float], *, data_dir: DataDir) -> TrackedRun | None:
    """Add the figures to the newest run tagged `coteach.version = <version>`; None when MLflow knows no such run."""
    place = place_of(data_dir)
    if not place.may_have_records:
        return None
    experiment_id = open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    with reaching(place):
        found = MlflowClient().search_runs(
            [experiment_id],
            filter_string=place.own(f"tags.`{EXPORT_TAG}` = '{version}'"),
            order_by=["attributes.start_time DESC"],
            max_results=1,
        )
        if not found:
            return None
        run_id = found[0].info.run_id
        record(run_id, RunContent(metrics), data_dir=data_dir)
    return TrackedRun(run_id, experiment_id, url_path(experiment_id, run_id))
