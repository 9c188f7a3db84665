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
from models.tracking.place import place_of
from models.tracking.reaching import reaching, require_server
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
    """Where the logged model lies; None of one that is on a server, or that MLflow has by name alone."""


def finish_training(live: LiveRun, found: IntentRun) -> TrackedModel:
    """Log what came out of a training into its run, and register its model as `challenger`."""
    mlflow.set_tag(MLFLOW_RUN_NAME, found.name)
    live.add(found.content)
    for name, content in found.nested:
        with begun(name, live.experiment_id, data_dir=live.data_dir, nested=True) as inner:
            record(inner.info.run_id, content, data_dir=live.data_dir)
    version, files = _log_model(found)
    _describe(found, version, live.data_dir)
    return TrackedModel(live.run_id, live.experiment_id, live.tracked_run.url_path, version, files)


def name_champion(
    exported: str, *, data_dir: DataDir, who: str = "", why: str = "", by_hand: bool = False
) -> int | None:
    """Give the alias `champion` to the newest registered version of this export: the one that answers students.

    `who` put it in use, and `why`, are kept as tags. Returns its number; None, and nothing changes, when the export was
    never registered here. On a server the alias of another home's version is only moved `by_hand`: else the builds of
    all homes would take it from each other.
    """
    open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    client, place = mlflow.MlflowClient(), place_of(data_dir)
    with reaching(place):
        registered = {one.version: one for one in client.search_model_versions(place.own(f"name = '{REGISTERED}'"))}
        numbers = [int(number) for number, one in registered.items() if one.tags.get(EXPORT_TAG) == exported]
        if not numbers:
            return None
        newest = str(max(numbers))
        holder = client.get_registered_model(REGISTERED).aliases.get("champion", newest)
        if by_hand or str(holder) in {str(number) for number in registered}:
            client.set_registered_model_alias(REGISTERED, "champion", newest)
        for name, value in (("who", who), ("why", why)):
            if value:
                client.set_model_version_tag(REGISTERED, newest, f"coteach.{name}", value)
    return int(newest)


def find_aliases(data_dir: DataDir) -> dict[str, str]:
    """The published version behind each alias, of those that this home registered."""
    place = place_of(data_dir)
    with reaching(place):
        require_server(place)
        client = mlflow.MlflowClient(place.uri, place.uri)
        own = client.search_model_versions(place.own(f"name = '{REGISTERED}'"))
        exported = {str(one.version): one.tags[EXPORT_TAG] for one in own if EXPORT_TAG in one.tags}
        aliases = client.get_registered_model(REGISTERED).aliases if own else {}
    return {alias: exported[str(number)] for alias, number in aliases.items() if str(number) in exported}


def version_of(alias: Alias, *, data_dir: DataDir) -> int | None:
    """The registered model's version behind an alias, None when nothing has it."""
    open_experiment(INTENT_EXPERIMENT, data_dir=data_dir)
    client = mlflow.MlflowClient()
    try:
        return int(client.get_model_version_by_alias(REGISTERED, alias).version)
    except MlflowException:
        return None


def _log_model(found: IntentRun) -> tuple[int, Path | None]:
    """The registered version, and where its files lie, if that is on this machine.

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
    location = urlsplit(str(mlflow.get_logged_model(logged.model_id).artifact_location))
    files = Path(url2pathname(location.path)) if location.scheme in ("", "file") else None
    return int(logged.registered_model_version), files


def _describe(found: IntentRun, version: int, data_dir: DataDir) -> None:
    """Say what the registered version is, and that it is the newest."""
    client = mlflow.MlflowClient()
    client.update_model_version(REGISTERED, str(version), found.model_description)
    own = {name: value for name, value in found.content.tags.items() if not name.startswith("mlflow.")}
    for name, value in {**own, **place_of(data_dir).own_tags}.items():
        client.set_model_version_tag(REGISTERED, str(version), name, value)
    client.set_registered_model_alias(REGISTERED, "challenger", str(version))
