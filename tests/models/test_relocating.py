"""A home that was copied or moved: its MLflow records lead to its own artifacts, and the original is left alone."""

import shutil
from dataclasses import replace
from pathlib import Path

import mlflow
import pandas as pd
import pytest
from tiny_intent import INTENT, Trained, labelled

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.albert import resolve_encoder
from models.intent.classifier import IntentClassifier
from models.intent.release.aliases import aliases_of
from models.intent.release.release import TrainingPlan, train_intent
from models.intent.thresholds import read_thresholds, thresholds_path
from models.tracking.place import place_of
from models.tracking.recording import open_experiment
from models.tracking.relocating import relocate
from models.tracking.runs import INTENT_EXPERIMENT


@pytest.fixture
def copied(trained: Trained, tmp_path: Path) -> DataDir:
    data_dir = DataDir(tmp_path / "a copy")
    data_dir.root.mkdir()
    shutil.copy(trained.data_dir.mlflow_db, data_dir.mlflow_db)
    shutil.copytree(trained.data_dir.mlflow_artifacts, data_dir.mlflow_artifacts)
    return data_dir


def test_a_copied_home_writes_nothing_into_the_original(trained: Trained, copied: DataDir) -> None:
    before = sorted(trained.data_dir.mlflow_artifacts.rglob("*"))
    experiment = open_experiment(INTENT_EXPERIMENT, data_dir=copied)
    with mlflow.start_run(experiment_id=experiment):
        mlflow.log_dict({"a": 1}, "a.json")
    assert sorted(trained.data_dir.mlflow_artifacts.rglob("*")) == before
    assert list(copied.mlflow_artifacts.rglob("a.json"))


def files(home: DataDir) -> dict[str, str]:
    return {str(path.relative_to(home.root)): digest(path) for path in home.root.rglob("*") if path.is_file()}


def train_again(home: DataDir, **settings: float) -> str:
    report = train_intent(
        labelled(),
        data_dir=home,
        encoder=resolve_encoder(None, data_dir=home),
        settings=replace(INTENT, epochs=1, refit=False, **settings),
        plan=TrainingPlan(ablation=False),
    )
    return report.version


def test_a_home_and_its_copy_train_and_answer_without_touching_each_other(trained: Trained, tmp_path: Path) -> None:
    first, second = DataDir(tmp_path / "first"), DataDir(tmp_path / "second")
    shutil.copytree(trained.data_dir.root, first.root)
    relocate(first)
    shutil.copytree(first.root, second.root)
    before = files(first)
    in_second = train_again(second, learning_rate=2e-2)
    assert files(first) == before
    after = files(second)
    in_first = train_again(first, learning_rate=3e-2)
    assert files(second) == after
    for home, version in ((first, in_first), (second, in_second)):
        assert aliases_of(home) == {"champion": trained.report.version, "challenger": version}
        mlflow.set_tracking_uri(place_of(home).uri)
        mlflow.set_registry_uri(place_of(home).uri)
        loaded = mlflow.pyfunc.load_model("models:/coteach-intent@challenger")
        asked = pd.DataFrame([{"question": "what is a heap?", "previous": "", "course": ""}])
        gateway = IntentClassifier(
            home.intent / version, thresholds=read_thresholds(thresholds_path(home.intent / version))
        )
        assert loaded.predict(asked)["h"].item() == pytest.approx(gateway.classify("what is a heap?").h, abs=1e-6)


def test_the_places_of_a_moved_home_are_its_own(copied: DataDir) -> None:
    moved = DataDir(copied.root.rename(copied.root.with_name("moved")))
    assert relocate(moved) > 0
    assert relocate(moved) == 0, "once is enough"
    run = mlflow.MlflowClient(place_of(moved).uri).search_runs(["1"])[0]
    assert run.info.artifact_uri.startswith(moved.mlflow_artifacts.as_uri())


def test_a_home_without_mlflow_has_nothing_to_move(tmp_path: Path) -> None:
    assert relocate(DataDir(tmp_path)) == 0
