"""MLflow for retrieval: a run for each comparison, with one nested in it for each strategy and set of questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.lake.home import DataDir
from models.tracking.recording import DataSet, RunContent, TrackedExperiment, TrackedRun, log_run

EXPERIMENT = "retrieval"
_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "One run for each comparison of retrieval strategies; open it for a strategy on a set of questions. Figures "
    "without a length are over all questions, `chars_1_10.` and so on over questions of so many characters. Latency is "
    "of this machine, with whatever else it did.",
)


@dataclass(frozen=True)
class StrategyRecord:
    """One strategy on one set of questions; `figures` are measures by bucket of question length."""

    strategy: str
    questions: DataSet
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
    records: Sequence[StrategyRecord], *, params: Mapping[str, str], table: str, data_dir: DataDir
) -> TrackedRun:
    """Log one comparison as a run of the experiment `retrieval`; `table` is the same for people, in Markdown."""
    nested = [(f"{one.strategy} on {one.questions.name}", _content(one)) for one in records]
    content = RunContent(params=params, texts={"strategies.md": table})
    return log_run(_EXPERIMENT, "strategies", content, data_dir=data_dir, nested=nested)


def _content(one: StrategyRecord) -> RunContent:
    return RunContent(
        one.metrics,
        {"questions_digest": one.questions.digest, "strategy": one.strategy},
        {"questions": one.questions.name, "strategy": one.strategy},
        data_sets=[one.questions],
    )
