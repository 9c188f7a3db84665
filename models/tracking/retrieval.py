"""MLflow for retrieval: a run for each comparison, with one nested in it for each strategy and set of questions."""

from collections.abc import Mapping
from dataclasses import dataclass

import mlflow
from mlflow.entities import Metric, Param, RunTag

from knowledge_graph.lake.home import DataDir
from models.tracking.circumstances import begun
from models.tracking.runs import TrackedRun, open_experiment, url_path

EXPERIMENT = "retrieval"
_EXPERIMENT_TAGS = {
    "mlflow.note.content": "One run for each comparison of retrieval strategies; open it for a strategy on a set of "
    "questions. Figures without a length are over all questions, `chars_1_10.` and so on over questions of so many "
    "characters. Latency is of this machine, with whatever else it did.",
    "mlflow.experimentKind": "custom_model_development",
}


@dataclass(frozen=True)
class StrategyRecord:
    """One strategy on one set of questions; `figures` are measures by bucket of question length."""

    strategy: str
    questions: str
    digest: str
    figures: Mapping[str, Mapping[str, float]]

    @property
    def metrics(self) -> dict[str, float]:
        """By names that MLflow accepts."""
        return {
            measure if bucket == "all" else f"chars_{bucket.replace('-', '_').replace('+', '_more')}.{measure}": value
            for bucket, measures in self.figures.items()
            for measure, value in measures.items()
        }


def log_retrieval_run(
    records: tuple[StrategyRecord, ...], *, params: Mapping[str, str], table: str, data_dir: DataDir
) -> TrackedRun:
    """Log one comparison as a run of the experiment `retrieval`; `table` is the same for people, in Markdown."""
    experiment_id = open_experiment(EXPERIMENT, _EXPERIMENT_TAGS, data_dir=data_dir)
    with begun("strategies", experiment_id) as run:
        run_id = run.info.run_id
        mlflow.log_text(table, "strategies.md")
        mlflow.MlflowClient().log_batch(run_id, params=[Param(name, value) for name, value in sorted(params.items())])
        for record in records:
            _log_child(record, experiment_id)
    return TrackedRun(run_id, experiment_id, url_path(experiment_id, run_id))


def _log_child(record: StrategyRecord, experiment_id: str) -> None:
    name = f"{record.strategy} on {record.questions}"
    with begun(name, experiment_id, nested=True) as run:
        mlflow.MlflowClient().log_batch(
            run.info.run_id,
            metrics=[Metric(key, value, run.info.start_time, 0) for key, value in sorted(record.metrics.items())],
            params=[Param("questions_digest", record.digest), Param("strategy", record.strategy)],
            tags=[RunTag("questions", record.questions), RunTag("strategy", record.strategy)],
        )
