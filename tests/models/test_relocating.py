"""A home that was copied or moved: its MLflow records lead to its own artifacts, and the original is left alone."""

import shutil
from pathlib import Path

import mlflow
import pytest
from tiny_intent import Trained

from knowledge_graph.lake.home import DataDir
from models.tracking.relocating import relocate
from models.tracking.runs import EXPERIMENT, open_experiment, tracking_uri


@pytest.fixture
def copied(trained: Trained, tmp_path: Path) -> DataDir:
    data_dir = DataDir(tmp_path / "a copy")
    data_dir.root.mkdir()
    shutil.copy(trained.data_dir.mlflow_db, data_dir.mlflow_db)
    shutil.copytree(trained.data_dir.mlflow_artifacts, data_dir.mlflow_artifacts)
    return data_dir


def test_a_copied_home_writes_nothing_into_the_original(trained: Trained, copied: DataDir) -> None:
    before = sorted(trained.data_dir.mlflow_artifacts.rglob("*"))
    experiment = open_experiment(EXPERIMENT, {}, data_dir=copied)
    with mlflow.start_run(experiment_id=experiment):
        mlflow.log_dict({"a": 1}, "a.json")
    assert sorted(trained.data_dir.mlflow_artifacts.rglob("*")) == before
    assert list(copied.mlflow_artifacts.rglob("a.json"))


def test_the_champion_of_a_moved_home_loads(copied: DataDir) -> None:
    moved = DataDir(copied.root.rename(copied.root.with_name("moved")))
    assert relocate(moved) > 0
    assert relocate(moved) == 0, "once is enough"
    run = mlflow.MlflowClient(tracking_uri(moved)).search_runs(["1"])[0]
    assert run.info.artifact_uri.startswith(moved.mlflow_artifacts.as_uri())


def test_a_home_without_mlflow_has_nothing_to_move(tmp_path: Path) -> None:
    assert relocate(DataDir(tmp_path)) == 0
