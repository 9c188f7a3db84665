"""MLflow, as an ML engineer expects to find it: one experiment, one run per training, one registered model.

Everything is kept under the home: `mlflow.db` (SQLite) and `mlartifacts/`. What is trained is not known here.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # read by mlflow when it is imported

import mlflow
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from mlflow.entities import Metric, Param, RunTag
from mlflow.exceptions import MlflowException
from mlflow.models import ModelSignature
from mlflow.types.schema import ColSpec, Schema, TensorSpec

from knowledge_graph.home import DataDir

EXPERIMENT = "intent"
REGISTERED = "coteach-intent"

_EXPERIMENT_TAGS = {
    "mlflow.note.content": "The intent model: six categories of questions (LittleMu, Table 1). Figures beginning with "
    "`test_` are on held-out questions, per model; the baselines are trained in the same run.",
    "mlflow.experimentKind": "custom_model_development",  # MLflow's pages open on runs and charts, not on traces
}

Alias = Literal["champion", "challenger"]


@dataclass(frozen=True)
class Curve:
    """A figure per step, for MLflow's charts."""

    name: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class RunRecord:
    """What one training leaves in MLflow."""

    name: str
    params: Mapping[str, str | int | float]
    metrics: Mapping[str, float]
    curves: tuple[Curve, ...]
    tags: Mapping[str, str]
    questions: pd.DataFrame
    """The labelled questions, logged as the run's dataset."""
    questions_digest: str
    confusion: tuple[tuple[int, ...], ...]
    categories: tuple[str, ...]
    model: Path
    """Folder of the exported model."""


@dataclass(frozen=True)
class TrackedRun:
    """Where to find it again."""

    run_id: str
    experiment_id: str
    url_path: str
    """To append to the address of the MLflow UI."""


@dataclass(frozen=True)
class TrackedModel(TrackedRun):
    """The run of a training, and the model it registered."""

    model_version: int


def tracking_uri(data_dir: DataDir) -> str:
    """The address for `mlflow ui --backend-store-uri`."""
    return f"sqlite:///{data_dir.mlflow_db.resolve()}"


def open_experiment(name: str, tags: Mapping[str, str], *, data_dir: DataDir) -> str:
    """Point MLflow at this home and return the experiment's id, made when missing."""
    data_dir.mlflow_artifacts.mkdir(parents=True, exist_ok=True)
    mlflow.set_tracking_uri(tracking_uri(data_dir))
    mlflow.set_registry_uri(tracking_uri(data_dir))
    found = mlflow.get_experiment_by_name(name)
    if found is not None:
        if found.lifecycle_stage == "deleted":
            mlflow.MlflowClient().restore_experiment(found.experiment_id)
        return str(found.experiment_id)
    location = data_dir.mlflow_artifacts.resolve().as_uri()
    return str(mlflow.create_experiment(name, artifact_location=location, tags=dict(tags)))


def log_intent_run(record: RunRecord, *, data_dir: DataDir) -> TrackedModel:
    """Log one training as a run of the experiment `intent` and register its model as `challenger`."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with mlflow.start_run(experiment_id=experiment_id, run_name=record.name) as run:
        run_id = run.info.run_id
        _log_figures(run_id, record)
        _log_dataset(record)
        mlflow.log_figure(draw_confusion(record.confusion, record.categories), "confusion_matrix.png")
        version = _log_model(record)
    mlflow.MlflowClient().set_registered_model_alias(REGISTERED, "challenger", str(version))
    return TrackedModel(run_id, experiment_id, url_path(experiment_id, run_id), version)


def url_path(experiment_id: str, run_id: str) -> str:
    """Where the MLflow UI shows a run."""
    return f"#/experiments/{experiment_id}/runs/{run_id}"


def promote(version: int, *, data_dir: DataDir) -> None:
    """Give the registered model's `version` the alias `champion`: the one that answers students."""
    open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    mlflow.MlflowClient().set_registered_model_alias(REGISTERED, "champion", str(version))


def version_of(alias: Alias, *, data_dir: DataDir) -> int | None:
    """The registered model's version behind an alias, None when nothing has it."""
    open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    client = mlflow.MlflowClient()
    try:
        return int(client.get_model_version_by_alias(REGISTERED, alias).version)
    except MlflowException:
        return None


def draw_confusion(confusion: Sequence[Sequence[int]], categories: Sequence[str]) -> Figure:
    """Labels down, predictions across, counts in the cells; shaded by the share of the label's row."""
    figure = Figure(figsize=(6.4, 5.6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    shares = [[count / max(1, sum(row)) for count in row] for row in confusion]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(categories)), categories, rotation=40, ha="right")
    axes.set_yticks(range(len(categories)), categories)
    axes.set_xlabel("predicted")
    axes.set_ylabel("labelled")
    for down, row in enumerate(confusion):
        for across, count in enumerate(row):
            axes.text(
                across,
                down,
                str(count),
                ha="center",
                va="center",
                color="white" if shares[down][across] > 0.5 else "black",
            )
    return figure


def _log_figures(run_id: str, record: RunRecord) -> None:
    now = mlflow.get_run(run_id).info.start_time
    points = [Metric(curve.name, value, now, step) for curve in record.curves for step, value in curve.points]
    finals = [Metric(name, value, now, 0) for name, value in record.metrics.items()]
    params = [Param(name, str(value)) for name, value in record.params.items()]
    tags = [RunTag(name, value) for name, value in record.tags.items()]
    mlflow.MlflowClient().log_batch(run_id, metrics=[*finals, *points], params=params, tags=tags)


def _log_dataset(record: RunRecord) -> None:
    dataset = mlflow.data.from_pandas(  # type: ignore[attr-defined]
        record.questions, name="intent_examples", targets="category", digest=record.questions_digest[:32]
    )
    mlflow.log_input(dataset, context="training")


def _log_model(record: RunRecord) -> int:
    texts: list[ColSpec | TensorSpec] = [ColSpec("string", "question")]
    texts += [ColSpec("string", name, required=False) for name in ("previous", "course")]
    scores: list[ColSpec | TensorSpec] = [ColSpec("string", "category")]
    scores += [ColSpec("double", name) for name in ("h", "complex_score", *record.categories)]
    logged = mlflow.pyfunc.log_model(
        name="intent",
        loader_module="models.intent.mlflow_flavour",
        data_path=str(record.model),
        signature=ModelSignature(Schema(texts), Schema(scores)),
        input_example=pd.DataFrame([{"question": "What is a heap?", "previous": "", "course": "Data Structures"}]),
        pip_requirements=["coteach"],
        registered_model_name=REGISTERED,
    )
    return int(logged.registered_model_version)
