"""MLflow for the tutor model: a run for each fine-tuning in the experiment `tutor`, and its adapters as a registered
model. What it may write is no matter of a loss: its exams are runs of the experiment `models`."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import mlflow
from mlflow.exceptions import MlflowException

from knowledge_graph.lake.home import DataDir
from models.tracking.circumstances import begun
from models.tracking.place import place_of
from models.tracking.recording import Curve, DataSet, RunContent, TrackedExperiment, open_experiment, record, url_path
from models.tracking.runs import EXPORT_TAG, TrackedModel

EXPERIMENT = "tutor"
REGISTERED = "coteach-tutor"
BASE_TAG = "coteach.base"

_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "The small language model, fine-tuned on answers of the home's own courses (LoRA). A run is a training; its losses "
    "are of lessons that were held out. Whether it may write is decided by its exam: see the experiment `models`.",
)


@dataclass(frozen=True)
class TutorRecord:
    """What one fine-tuning leaves in MLflow. `lessons` are those learnt from, as JSON would have them; `adapters` the
    folder of the low-rank weights."""

    version: str
    base: str
    params: Mapping[str, str | int | float]
    metrics: Mapping[str, float]
    curve: Sequence[tuple[int, float]]
    lessons: Sequence[Mapping[str, object]]
    adapters: Path


def log_tutor(tutor: TutorRecord, *, data_dir: DataDir) -> TrackedModel:
    """Log a training, and register its adapters as the newest version, `challenger`: an exam decides what follows."""
    experiment_id = open_experiment(_EXPERIMENT, data_dir=data_dir)
    client = mlflow.MlflowClient()
    lessons = "\n".join(json.dumps(one, ensure_ascii=False) for one in tutor.lessons)
    content = RunContent(
        tutor.metrics,
        {"base": tutor.base, **tutor.params},
        curves=[Curve("training.lessons.loss", tutor.curve)],
        data_sets=[DataSet.of_rows("lessons", tutor.lessons, context="training")],
        texts={"lessons.jsonl": lessons},
    )
    with begun(f"tutor {tutor.version}", experiment_id, data_dir=data_dir) as run:
        run_id = run.info.run_id
        record(run_id, content, data_dir=data_dir)
        mlflow.log_artifacts(str(tutor.adapters), "adapters")
        source = mlflow.get_artifact_uri("adapters")
        with suppress(MlflowException):  # it exists
            client.create_registered_model(REGISTERED, description=_EXPERIMENT.about)
        tags = {EXPORT_TAG: tutor.version, BASE_TAG: tutor.base, **place_of(data_dir).own_tags}
        version = client.create_model_version(REGISTERED, source, run_id, tags=tags)
        client.set_registered_model_alias(REGISTERED, "challenger", version.version)
    return TrackedModel(run_id, experiment_id, url_path(experiment_id, run_id), int(version.version))
