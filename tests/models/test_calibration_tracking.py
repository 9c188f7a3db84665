"""What calibration found is read in MLflow beside the training that made the model."""

from pathlib import Path

import mlflow
import pytest

from knowledge_graph.lake.home import DataDir
from models.tracking.calibration import log_calibration
from models.tracking.place import place_of
from models.tracking.recording import open_experiment
from models.tracking.runs import INTENT_EXPERIMENT


def test_the_figures_join_the_newest_run_of_the_version(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    experiment = open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    for version in ("one", "two"):
        with mlflow.start_run(experiment_id=experiment, tags={"coteach.version": version}) as run:
            runs = {version: run.info.run_id}
    tracked = log_calibration("two", {"promise_alpha": 0.7, "temperature": 1.3}, data_dir=data_dir)
    assert tracked is not None
    assert tracked.run_id == runs["two"]
    assert mlflow.get_run(tracked.run_id).data.metrics == pytest.approx({"promise_alpha": 0.7, "temperature": 1.3})
    assert tracked.url_path == f"#/experiments/{experiment}/runs/{tracked.run_id}"


def test_a_version_that_mlflow_does_not_know_is_logged_nowhere(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    mlflow.set_tracking_uri(place_of(data_dir).uri)
    assert log_calibration("one", {"temperature": 1.0}, data_dir=data_dir) is None
    open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    assert log_calibration("one", {"temperature": 1.0}, data_dir=data_dir) is None
