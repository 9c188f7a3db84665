"""MLflow for multiple-choice answers: a run for each evaluation of a model on a set of questions."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge_graph.lake.home import DataDir
from models.tracking.recording import DataSet, RunContent, TrackedExperiment, TrackedRun, log_run

EXPERIMENT = "multiple choice"
_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "One run for each evaluation of a served model on multiple-choice questions with known answers: accuracy with its "
    "95 % interval beside the chance level, and how often the model itself explained all.",
)


@dataclass(frozen=True)
class ChoiceRun:
    """What one evaluation leaves in MLflow."""

    name: str
    params: Mapping[str, str | int]
    metrics: Mapping[str, float]
    tables: Mapping[str, Mapping[str, object]]
    """Logged as JSON, by file name."""
    questions: DataSet


def log_choice_run(run: ChoiceRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one evaluation as a run of the experiment `multiple choice`."""
    content = RunContent(run.metrics, run.params, objects=run.tables, data_sets=[run.questions])
    return log_run(_EXPERIMENT, run.name, content, data_dir=data_dir)
