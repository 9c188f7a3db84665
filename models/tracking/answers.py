"""One MLflow trace per answer, for those who switch it on: question in, answer out, a span for each stage between.

What an answer is made of is not known here; serving makes the `TracedAnswer`.
"""

import mlflow

from models.tracking.traced_answer import TracedAnswer

EXPERIMENT = "answers"

_NS = 1_000_000
"""Nanoseconds in a millisecond."""


class AnswerTracker:
    """Writes traces to one experiment. Raises `MlflowException` when the server cannot be reached."""

    def __init__(self, uri: str, *, artifacts: str | None = None) -> None:
        """`artifacts` is where a new experiment keeps its files, as a URI; by default the server decides."""
        mlflow.set_tracking_uri(uri)
        known = mlflow.get_experiment_by_name(EXPERIMENT)
        self._experiment = (
            mlflow.create_experiment(EXPERIMENT, artifact_location=artifacts) if known is None else known.experiment_id
        )

    def write(self, answer: TracedAnswer) -> str:
        """Write one trace; returns its id in MLflow."""
        root = mlflow.start_span_no_context(
            "answer",
            span_type="CHAIN",
            inputs={"question": answer.question},
            tags=dict(answer.tags),
            experiment_id=self._experiment,
            start_time_ns=answer.began_ns,
        )
        for stage in answer.stages:
            span = mlflow.start_span_no_context(
                stage.name,
                span_type=stage.kind,
                parent_span=root,
                start_time_ns=answer.began_ns + int(stage.began_ms * _NS),
            )
            span.end(outputs=dict(stage.found), end_time_ns=answer.began_ns + int(stage.ended_ms * _NS))
        if answer.error is not None:
            root.set_attribute("error", answer.error)
        root.end(
            outputs={"answer": answer.answer},
            status="OK" if answer.error is None else "ERROR",
            end_time_ns=answer.began_ns + int(answer.took_ms * _NS),
        )
        return str(root.trace_id)

    @staticmethod
    def flush() -> None:
        """Wait until all that was written has arrived: MLflow sends in the background."""
        mlflow.flush_trace_async_logging()
