"""MLflow for trainings of the intent model: one run per training, with one nested in it for each model that was
compared, and one registered model with aliases. What is trained is not known here.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

import mlflow
import pandas as pd
from mlflow.environment_variables import MLFLOW_RECORD_ENV_VARS_IN_MODEL_LOGGING
from mlflow.exceptions import MlflowException
from mlflow.models import ModelSignature
from mlflow.types.schema import ColSpec, Schema, TensorSpec
from mlflow.utils.mlflow_tags import MLFLOW_RUN_NAME

from knowledge_graph.lake.home import DataDir
from models.tracking.circumstances import begun
from models.tracking.recording import LiveRun, RunContent, TrackedExperiment, TrackedRun, open_experiment, record

EXPERIMENT = "intent"
REGISTERED = "coteach-intent"
EXPORT_TAG = "coteach.version"
"""Of runs and registered versions: the name of the exported folder."""

INTENT_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "The intent model: six categories of questions (LittleMu, Table 1). A run is a training; open it for the models "
    "compared in it: the search, the ablation without context, the baselines. Figures beginning with `test_` are on "
    "held-out questions. The alias `champion` is the model that answers students.",
)

Alias = Literal["champion", "challenger"]


@dataclass(frozen=True)
class IntentRun:
    """What one training leaves in MLflow: its own content, that of the models compared in it, and the model."""

    name: str
    content: RunContent
    categories: tuple[str, ...]
    model: Path
    """Folder of the exported model, as its loader reads it."""
    loader: Path
    """The module that loads it, packed with it."""
    requirements: tuple[str, ...]
    """Of that module."""
    model_description: str
    """Shown beside the registered version; the run's own tags are its tags too."""
    nested: tuple[tuple[str, RunContent], ...] = ()


@dataclass(frozen=True)
class TrackedModel(TrackedRun):
    """The run of a training, and the model it registered."""

    model_version: int
    files: Path | None = None
    """Where the logged model lies; None of one that MLflow has by name alone."""


def finish_training(live: LiveRun, found: IntentRun) -> TrackedModel:
    """Log what came out of a training into its run, and register its model as `challenger`."""
    mlflow.set_tag(MLFLOW_RUN_NAME, found.name)
    live.add(found.content)
    for name, content in found.nested:
        with begun(name, live.experiment_id, nested=True) as inner:
            record(inner.info.run_id, content, data_dir=live.data_dir)
    version, place = _log_model(found)
    _describe(found, version)
    return TrackedModel(live.run_id, live.experiment_id, live.tracked_run.url_path, version, place)


def name_champion(exported: str, *, data_dir: DataDir, who: str = "", why: str = "") -> int | None:
    """Give the alias `champion` to the newest registered version of this export: the one that answers students.

    `who` put it in use, and `why`, are kept as tags. Returns its number; None, and nothing changes, when the export was
    never registered here.
    """
    open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
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
    open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    client = mlflow.MlflowClient()
    try:
        return int(client.get_model_version_by_alias(REGISTERED, alias).version)
    except MlflowException:
        return None


def _log_model(found: IntentRun) -> tuple[int, Path]:
    """The registered version, and where its files lie.

    MLflow does not watch meanwhile which variables of the environment are read: its own thread for the machine's
    metrics reads some too, and a training failed where it did in the moment in which they were listed.
    """
    os.environ[MLFLOW_RECORD_ENV_VARS_IN_MODEL_LOGGING.name] = "false"
    texts: list[ColSpec | TensorSpec] = [ColSpec("string", "question")]
    texts += [ColSpec("string", name, required=False) for name in ("previous", "course")]
    scores: list[ColSpec | TensorSpec] = [ColSpec("string", "category")]
    scores += [ColSpec("double", "h"), ColSpec("boolean", "is_chat")]
    scores += [ColSpec("double", name) for name in ("complex_score", *found.categories)]
    logged = mlflow.pyfunc.log_model(
        name="intent",
        loader_module=found.loader.stem,
        code_paths=[str(found.loader)],
        data_path=str(found.model),
        signature=ModelSignature(Schema(texts), Schema(scores)),
        input_example=pd.DataFrame([{"question": "What is a heap?", "previous": "", "course": "Data Structures"}]),
        pip_requirements=list(found.requirements),
        registered_model_name=REGISTERED,
    )
    place = str(mlflow.get_logged_model(logged.model_id).artifact_location)
    return int(logged.registered_model_version), Path(url2pathname(urlsplit(place).path))


def _describe(found: IntentRun, version: int) -> None:
    """Say what the registered version is, and that it is the newest."""
    client = mlflow.MlflowClient()
    client.update_model_version(REGISTERED, str(version), found.model_description)
    own = {name: value for name, value in found.content.tags.items() if not name.startswith("mlflow.")}
    for name, value in own.items():
        client.set_model_version_tag(REGISTERED, str(version), name, value)
    client.set_registered_model_alias(REGISTERED, "challenger", str(version))
