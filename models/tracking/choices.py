"""MLflow for multiple-choice answers: a run for each evaluation of a model on a set of questions."""

from collections.abc import Mapping
from dataclasses import dataclass

import mlflow
from mlflow.entities import Metric, Param

from knowledge_graph.lake.home import DataDir
from models.tracking.circumstances import begun
from models.tracking.runs import TrackedRun, open_experiment, url_path

EXPERIMENT = "multiple choice"
_EXPERIMENT_TAGS = {
    "mlflow.note.content": "One run for each evaluation of a served model on multiple-choice questions with known "
    "answers: accuracy with its 95 % interval beside the chance level, and how often the model itself explained all.",
    "mlflow.experimentKind": "custom_model_development",
}


@dataclass(frozen=True)
class ChoiceRun:
    """What one evaluation leaves in MLflow."""

    name: str
    params: Mapping[str, str | int]
    metrics: Mapping[str, float]
    tables: Mapping[str, Mapping[str, object]]
    """Logged as JSON, by file name."""


def log_choice_run(record: ChoiceRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one evaluation as a run of the experiment `multiple choice`."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun(record.name, experiment_id) as run:
        run_id = run.info.run_id
        mlflow.MlflowClient().log_batch(
            run_id,
            metrics=[Metric(name, value, run.info.start_time, 0) for name, value in sorted(record.metrics.items())],
            params=[Param(name, str(value)) for name, value in sorted(record.params.items())],
        )
        for file, table in record.tables.items():
            mlflow.log_dict(dict(table), file)
    return TrackedRun(run_id, experiment_id, url_path(experiment_id, run_id))
