"""MLflow for the evaluation: a run for each table and for each system, with its figures, data sets and pictures.

Belongs here: what such a run holds. What is measured, and how, is `serving.evaluation`'s.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

import mlflow

from knowledge_graph.lake.home import DataDir
from models.tracking.place import place_of
from models.tracking.reaching import reaching
from models.tracking.recording import DataSet, RunContent, TrackedExperiment, TrackedRun, log_run, open_experiment

Kind = Literal["tables", "systems", "models", "intent systems", "comparisons"]
"""The experiment: `tables` are what papers print, `systems` are ways to answer, side by side on the same questions;
`models` are language models in the exam of the courses, `intent systems` ways to tell what a question is,
`comparisons` two systems that `coteach compare` set side by side."""

_ABOUT: Mapping[Kind, str] = {
    "tables": "One run for each evaluation table that was made; its metrics are every number that the table shows.",
    "models": "One run for each exam of a language model; the same metrics under the same names, so that several "
    "can be compared.",
    "comparisons": "One run for each `coteach compare` or `coteach model compare`: two systems or intent models on the "
    "same questions, with paired tests.",
    "intent systems": "One run for each way to tell what a question is, by cross-validation on all labels; the tag "
    "`coteach.chosen` says which one the rule would serve.",
    "systems": "One run for each system that answered the evaluation questions. The same metrics under the same names: "
    "choose several runs and press Compare.",
}


@dataclass(frozen=True)
class EvaluationRun:
    """What one evaluation leaves in MLflow. `texts` and `pictures` are files by name."""

    kind: Kind
    name: str
    metrics: Mapping[str, float]
    params: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    data_sets: Sequence[DataSet] = ()


def log_evaluation(run: EvaluationRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one evaluation as a run of its experiment."""
    content = RunContent(
        run.metrics, run.params, run.tags, data_sets=run.data_sets, texts=run.texts, pictures=run.pictures
    )
    return log_run(_experiment(run.kind), run.name, content, data_dir=data_dir)


def metrics_of(run_id: str, *, data_dir: DataDir) -> dict[str, float] | None:
    """The figures that a run holds; `None` when the home has no such run."""
    open_experiment(_experiment("tables"), data_dir=data_dir)
    try:
        return dict(mlflow.get_run(run_id).data.metrics)
    except mlflow.MlflowException:
        return None


def comparison_path(kind: Kind, *, data_dir: DataDir) -> str | None:
    """Where the MLflow UI shows the newest run of each name side by side; `None` before there are two."""
    experiment_id = open_experiment(_experiment(kind), data_dir=data_dir)
    newest: dict[str, str] = {}
    place = place_of(data_dir)
    with reaching(place):
        found = mlflow.MlflowClient().search_runs([experiment_id], place.own(), order_by=["attributes.start_time DESC"])
    for run in found:
        newest.setdefault(str(run.info.run_name), str(run.info.run_id))
    if len(newest) < 2:
        return None
    runs, experiments = (json.dumps(ids, separators=(",", ":")) for ids in (sorted(newest.values()), [experiment_id]))
    return f"#/compare-runs?runs={quote(runs)}&experiments={quote(experiments)}"


def _experiment(kind: Kind) -> TrackedExperiment:
    return TrackedExperiment(kind, _ABOUT[kind])
