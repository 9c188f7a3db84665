"""MLflow, as an ML engineer expects to find it: one experiment, one run per training with one nested in it for each
model that was compared, one registered model with aliases.

Everything is kept under the home: `mlflow.db` (SQLite) and `mlartifacts/`. What is trained is not known here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

import mlflow
import pandas as pd
from matplotlib.figure import Figure
from mlflow.entities import Metric, Param, RunTag
from mlflow.exceptions import MlflowException
from mlflow.models import ModelSignature
from mlflow.types.schema import ColSpec, Schema, TensorSpec
from mlflow.utils.mlflow_tags import MLFLOW_RUN_NAME

from knowledge_graph.lake.home import DataDir
from models.progress import TrainingProgress
from models.tracking.circumstances import begun
from models.tracking.relocating import relocate

EXPERIMENT = "intent"
REGISTERED = "coteach-intent"
EXPORT_TAG = "coteach.version"
"""Of runs and registered versions: the name of the exported folder."""

_EXPERIMENT_TAGS = {
    "mlflow.note.content": "The intent model: six categories of questions (LittleMu, Table 1). A run is a training; "
    "open it for the models compared in it: the search, the ablation without context, the baselines. Figures beginning "
    "with `test_` are on held-out questions. The alias `champion` is the model that answers students.",
    "mlflow.experimentKind": "custom_model_development",  # MLflow's pages open on runs and charts, not on traces
}

Alias = Literal["champion", "challenger"]


@dataclass(frozen=True)
class Curve:
    """A figure per step, for MLflow's charts."""

    name: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class ChildRecord:
    """One model of a training, as a run nested in it."""

    name: str
    params: Mapping[str, str | int | float]
    metrics: Mapping[str, float]
    curves: tuple[Curve, ...]
    tags: Mapping[str, str]


@dataclass(frozen=True)
class RunRecord(ChildRecord):
    """What one training leaves in MLflow."""

    questions: pd.DataFrame
    """The labelled questions, logged as the run's dataset."""
    questions_digest: str
    categories: tuple[str, ...]
    model: Path
    """Folder of the exported model, as its loader reads it."""
    loader: Path
    """The module that loads it, packed with it."""
    requirements: tuple[str, ...]
    """Of that module."""
    model_description: str
    """Shown beside the registered version; the run's own `tags` are its tags too."""
    pictures: Mapping[str, Figure] = field(default_factory=dict)
    """By file name."""
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """What is logged as JSON, by file name."""
    children: tuple[ChildRecord, ...] = ()


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
    files: Path | None = None
    """Where the logged model lies; None of one that MLflow has by name alone."""


def tracking_uri(data_dir: DataDir) -> str:
    """The address for `mlflow ui --backend-store-uri`."""
    return f"sqlite:///{data_dir.mlflow_db.resolve()}"


def open_experiment(name: str, tags: Mapping[str, str], *, data_dir: DataDir) -> str:
    """Point MLflow at this home and return the experiment's id, made when missing."""
    data_dir.mlflow_artifacts.mkdir(parents=True, exist_ok=True)
    relocate(data_dir)
    mlflow.set_tracking_uri(tracking_uri(data_dir))
    mlflow.set_registry_uri(tracking_uri(data_dir))
    found = mlflow.get_experiment_by_name(name)
    if found is not None:
        if found.lifecycle_stage == "deleted":
            mlflow.MlflowClient().restore_experiment(found.experiment_id)
        return str(found.experiment_id)
    location = data_dir.mlflow_artifacts.resolve().as_uri()
    return str(mlflow.create_experiment(name, artifact_location=location, tags=dict(tags)))


@dataclass(frozen=True)
class OpenRun:
    """The run of a training that goes on: it is in MLflow's pages from the beginning, and failed when that fails."""

    run_id: str
    experiment_id: str

    def tell(self, progress: TrainingProgress) -> None:
        """A sign of life, with its time: `training.finetune.loss` at step 2."""
        for name, value in {**progress.figures, "done": progress.done / max(1, progress.total)}.items():
            mlflow.log_metric(f"training.{progress.phase}.{name}", value, step=progress.done, run_id=self.run_id)

    def finish(self, record: RunRecord) -> TrackedModel:
        """Log what came out of the training, and register its model as `challenger`."""
        mlflow.set_tag(MLFLOW_RUN_NAME, record.name)
        _log_figures(self.run_id, record)
        _log_dataset(record)
        for file, picture in record.pictures.items():
            mlflow.log_figure(picture, file)
        for file, table in record.tables.items():
            mlflow.log_dict(dict(table), file)
        for child in record.children:
            with begun(child.name, self.experiment_id, nested=True) as nested:
                _log_figures(nested.info.run_id, child)
        version, place = _log_model(record)
        _describe(record, version)
        return TrackedModel(self.run_id, self.experiment_id, url_path(self.experiment_id, self.run_id), version, place)


@contextmanager
def open_intent_run(name: str, *, data_dir: DataDir) -> Iterator[OpenRun]:
    """A run of the experiment `intent`, open while its models are trained, with the machine's metrics."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun(name, experiment_id, watched=True) as run:
        yield OpenRun(run.info.run_id, experiment_id)


def url_path(experiment_id: str, run_id: str) -> str:
    """Where the MLflow UI shows a run."""
    return f"#/experiments/{experiment_id}/runs/{run_id}"


def name_champion(exported: str, *, data_dir: DataDir, who: str = "", why: str = "") -> int | None:
    """Give the alias `champion` to the newest registered version of this export: the one that answers students.

    `who` put it in use, and `why`, are kept as tags. Returns its number; None, and nothing changes, when the export was
    never registered here.
    """
    open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    client = mlflow.MlflowClient()
    registered = client.search_model_versions(f"name = '{REGISTERED}'")
    numbers = [int(one.version) for one in registered if one.tags.get(EXPORT_TAG) == exported]
    if not numbers:
        return None
    newest = str(max(numbers))
    client.set_registered_model_alias(REGISTERED, "champion", newest)
    for name, value in (("who", who), ("why", why)):
        if value:
            client.set_model_version_tag(REGISTERED, newest, f"coteach.{name}", value)
    return int(newest)


def version_of(alias: Alias, *, data_dir: DataDir) -> int | None:
    """The registered model's version behind an alias, None when nothing has it."""
    open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    client = mlflow.MlflowClient()
    try:
        return int(client.get_model_version_by_alias(REGISTERED, alias).version)
    except MlflowException:
        return None


def _log_figures(run_id: str, record: ChildRecord) -> None:
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


def _log_model(record: RunRecord) -> tuple[int, Path]:
    """The registered version, and where its files lie."""
    texts: list[ColSpec | TensorSpec] = [ColSpec("string", "question")]
    texts += [ColSpec("string", name, required=False) for name in ("previous", "course")]
    scores: list[ColSpec | TensorSpec] = [ColSpec("string", "category")]
    scores += [ColSpec("double", "h"), ColSpec("boolean", "is_chat")]
    scores += [ColSpec("double", name) for name in ("complex_score", *record.categories)]
    logged = mlflow.pyfunc.log_model(
        name="intent",
        loader_module=record.loader.stem,
        code_paths=[str(record.loader)],
        data_path=str(record.model),
        signature=ModelSignature(Schema(texts), Schema(scores)),
        input_example=pd.DataFrame([{"question": "What is a heap?", "previous": "", "course": "Data Structures"}]),
        pip_requirements=list(record.requirements),
        registered_model_name=REGISTERED,
    )
    place = str(mlflow.get_logged_model(logged.model_id).artifact_location)
    return int(logged.registered_model_version), Path(url2pathname(urlsplit(place).path))


def _describe(record: RunRecord, version: int) -> None:
    """Say what the registered version is, and that it is the newest."""
    client = mlflow.MlflowClient()
    client.update_model_version(REGISTERED, str(version), record.model_description)
    own = {name: value for name, value in record.tags.items() if not name.startswith("mlflow.")}
    for name, value in own.items():
        client.set_model_version_tag(REGISTERED, str(version), name, value)
    client.set_registered_model_alias(REGISTERED, "challenger", str(version))
