"""Whatever a run is of, it is logged through one module: data with its rows, any number of figures, tables."""

import re
from pathlib import Path

import mlflow
import pandas as pd
import pytest
from tiny_intent import ALBERT, Trained

import models.tracking
from knowledge_graph.lake.home import DataDir
from models.progress import TrainingProgress
from models.tracking.circumstances import circumstances
from models.tracking.encoders import pretraining_content
from models.tracking.recording import DATA, Curve, DataSet, RunContent, TrackedExperiment, log_run, open_run
from models.tracking.relocating import relocate

TRIALS = TrackedExperiment("trials", "What is tried here.")
ROWS = DataSet.of_rows("what was/asked", [{"id": 1, "question": "二叉树 \ud800?"}, {"id": 2, "question": "why"}])


def logged(data_dir: DataDir, content: RunContent) -> mlflow.entities.Run:
    return mlflow.get_run(log_run(TRIALS, "a trial", content, data_dir=data_dir).run_id)


def rows_of(run: mlflow.entities.Run) -> pd.DataFrame:
    (one,) = run.inputs.dataset_inputs
    return pd.read_csv(mlflow.data.get_source(one).load())  # type: ignore[attr-defined]


def test_the_rows_of_a_data_set_are_kept_once_by_its_digest(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    first, second = (logged(data_dir, RunContent(data_sets=[ROWS])) for _ in range(2))
    assert rows_of(first)["id"].tolist() == rows_of(second)["id"].tolist() == [1, 2]
    other = logged(data_dir, RunContent(data_sets=[DataSet.of_rows(ROWS.name, [{"id": 3}])]))
    assert rows_of(other)["id"].tolist() == [3]
    assert len(list((data_dir.mlflow_artifacts / DATA).iterdir())) == 2


def test_the_rows_are_found_where_a_home_was_moved_to(tmp_path: Path) -> None:
    first = DataDir(tmp_path / "first")
    run = logged(first, RunContent(data_sets=[ROWS]))
    moved = DataDir(first.root.rename(tmp_path / "moved"))
    relocate(moved)
    mlflow.set_tracking_uri(f"sqlite:///{moved.mlflow_db}")
    (one,) = mlflow.get_run(run.info.run_id).inputs.dataset_inputs
    assert Path(mlflow.data.get_source(one).load()).is_relative_to(moved.root)  # type: ignore[attr-defined]


def test_more_figures_and_settings_than_mlflow_takes_at_once_are_logged(tmp_path: Path) -> None:
    metrics = {f"m{number}": float(number) for number in range(1_500)}
    params = {f"p{number}": "x" * 600 for number in range(150)}
    found = logged(DataDir(tmp_path), RunContent(metrics, params, {"coteach.of": "trials"})).data
    assert found.metrics == metrics
    assert (len(found.params), {len(value) for value in found.params.values()}) == (150, {500})
    assert found.tags.items() >= {"coteach.of": "trials", **circumstances()}.items()


def test_a_point_of_a_curve_keeps_its_step_and_its_time(tmp_path: Path) -> None:
    run = logged(DataDir(tmp_path), RunContent(curves=[Curve("loss", [(1, 0.5, 100.0), (2, 0.25, 160.0), (3, 0.1)])]))
    told = mlflow.MlflowClient().get_metric_history(run.info.run_id, "loss")
    assert [(one.step, one.value) for one in told] == [(1, 0.5), (2, 0.25), (3, 0.1)]
    assert [one.timestamp for one in told[:2]] == [100_000, 160_000]
    assert told[2].timestamp >= run.info.start_time


def test_no_other_module_logs_by_itself_what_this_one_logs() -> None:
    folder = Path(models.tracking.__file__).parent
    own = re.compile(r"log_batch|log_input|log_text|log_dict|log_figure|log_table|create_experiment")
    found = {path.name for path in folder.glob("*.py") if own.search(path.read_text())}
    assert found == {"recording.py", "answers.py"}, "answers are traces, whose experiment may be on another server"


def test_a_run_is_open_while_something_is_trained_and_fails_with_it(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    with pytest.raises(ZeroDivisionError), open_run(TRIALS, "a training", data_dir=data_dir) as live:  # noqa: PT012
        live.tell(TrainingProgress("pretrain", 1, 2, {"loss": 5.0}))
        seen = mlflow.get_run(live.run_id)
        assert (seen.info.status, seen.data.metrics["training.pretrain.done"]) == ("RUNNING", 0.5)
        raise ZeroDivisionError
    assert mlflow.get_run(live.run_id).info.status == "FAILED"


def test_a_pre_training_is_a_run_with_its_loss(trained: Trained, tmp_path: Path) -> None:
    content = pretraining_content(trained.pretrained, ALBERT, texts=120)
    run = logged(DataDir(tmp_path), content)
    told = mlflow.MlflowClient().get_metric_history(run.info.run_id, "loss")
    assert [(one.step, one.value) for one in told] == list(trained.pretrained.curve)
    assert run.data.params["version"] == trained.pretrained.version
    assert (run.data.params["hidden"], run.data.params["texts"]) == ("32", "120")
