"""MLflow for the concept graph: a run for each build of a course, with its labelling functions and its scores.

Belongs here: what such a run holds. A course is a tag, so that an ML engineer compares one course's builds in a chart.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import mlflow
import pandas as pd
from mlflow.entities import Metric, Param, RunTag

from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.gold import Gold
from models.tracking.circumstances import begun
from models.tracking.runs import TrackedRun, open_experiment, url_path

EXPERIMENT = "concept graph"
_EXPERIMENT_TAGS = {
    "mlflow.note.content": "One run for each build of a course's concepts and prerequisites. The tables hold what the "
    "label model learnt of each labelling function; figures against gold are there for courses that bring a gold list.",
    "mlflow.experimentKind": "custom_model_development",
}

_NO_GOLD = Gold()


@dataclass(frozen=True)
class GraphRun:
    """What one build of a course's graph leaves in MLflow.

    `functions` are keyed by what they vote on: "concepts", "prerequisites". `metrics` by a name MLflow accepts. `gold`
    is logged as the run's data.
    """

    course_id: str
    params: Mapping[str, str | int]
    metrics: Mapping[str, float]
    functions: Mapping[str, tuple[FunctionReport, ...]]
    gold: Gold = _NO_GOLD


def log_graph_run(record: GraphRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one build as a run of the experiment `concept graph`."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun(record.course_id, experiment_id) as run:
        run_id = run.info.run_id
        for name, reports in record.functions.items():
            _log_table(reports, f"{name}_functions.json")
        _log_gold(record.gold)
        mlflow.MlflowClient().log_batch(
            run_id,
            metrics=[Metric(name, value, run.info.start_time, 0) for name, value in sorted(record.metrics.items())],
            params=[Param(name, str(value)) for name, value in sorted(record.params.items())],
            tags=[RunTag("course", record.course_id)],
        )
    return TrackedRun(run_id, experiment_id, url_path(experiment_id, run_id))


def _log_gold(gold: Gold) -> None:
    """What people labelled, row by row, each list as a data set with the digest of its file."""
    concepts = pd.DataFrame({"names": ["; ".join(names) for names in gold.concepts]})
    pairs = pd.DataFrame([asdict(pair) for pair in gold.pairs])
    for name, rows, digest in (
        ("gold_concepts", concepts, gold.concepts_digest),
        ("gold_prerequisites", pairs, gold.pairs_digest),
    ):
        if digest is not None and len(rows):
            dataset = mlflow.data.from_pandas(rows, name=name, digest=digest[:32])  # type: ignore[attr-defined]
            mlflow.log_input(dataset, context="evaluation")
            mlflow.log_text(rows.to_csv(index=False), f"{name}.csv")


def _log_table(reports: Sequence[FunctionReport], file: str) -> None:
    names = [field.name for field in fields(FunctionReport)]
    table = {name: [getattr(one, name) for one in reports] for name in names}
    with warnings.catch_warnings():
        # MLflow 3.17 selects columns in a way that pandas 3 deprecates.
        warnings.simplefilter("ignore", pd.errors.Pandas4Warning)
        mlflow.log_table(table, file)
