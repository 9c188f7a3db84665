"""Answers as MLflow traces, when `COTEACH_MLFLOW_TRACES` says where to; off otherwise, and never in a student's way.

Writing happens on one thread of its own with a bounded queue: a slow or missing MLflow costs traces, not answers.
"""

import queue
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime

import structlog

from knowledge_graph.lake.home import DataDir
from models.tracking.place import place_of
from models.tracking.traced_answer import Stage, TracedAnswer
from serving.assistant.trace import Trace

log = structlog.get_logger(__name__)

MOST_WAITING = 1_000
"""Answers that wait to be written; more are dropped, with a warning."""

HOME = "home"
"""The value of the setting that means where the home's runs are."""


class MlflowTraces:
    """Writes to MLflow in the background. `close` waits for what is queued, no longer than it is told to."""

    def __init__(self, uri: str, *, artifacts: str | None = None) -> None:
        self._uri, self._artifacts = uri, artifacts
        self._waiting: queue.Queue[tuple[Trace, str] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._write_all, name="mlflow-traces", daemon=True)
        self._thread.start()

    def put(self, trace: Trace, text: str) -> None:
        if not self._thread.is_alive():  # it said why when it ended
            return
        try:
            self._waiting.put_nowait((trace, text))
        except queue.Full:
            log.warning("mlflow_trace_dropped", trace_id=trace.trace_id, waiting=MOST_WAITING)

    def close(self, timeout_s: float = 10.0) -> None:
        if not self._thread.is_alive():
            return
        until = time.monotonic() + timeout_s
        with suppress(queue.Full):
            self._waiting.put(None, timeout=timeout_s)
        self._thread.join(max(0.0, until - time.monotonic()))

    def _write_all(self) -> None:
        try:
            from models.tracking.answers import AnswerTracker  # noqa: PLC0415  MLflow takes 4 s, is not always installed
        except Exception as error:
            log.exception("mlflow_traces_off", reason=str(error))
            return
        tracker: AnswerTracker | None = None
        while (one := self._waiting.get()) is not None:
            try:
                tracker = tracker or AnswerTracker(self._uri, artifacts=self._artifacts)
                tracker.write(trace_answer(*one))
            except Exception as error:
                log.exception("mlflow_trace_lost", trace_id=one[0].trace_id, reason=str(error))
        if tracker is not None:
            try:
                tracker.flush()
            except Exception as error:
                log.exception("mlflow_traces_lost", reason=str(error))


def open_sink(to: str | None, data_dir: DataDir) -> MlflowTraces | None:
    """The sink that a setting names; `None` when it names none."""
    if to is None:
        return None
    if to != HOME:
        return MlflowTraces(to)
    place = place_of(data_dir)
    return MlflowTraces(place.uri, artifacts=place.artifacts)


def trace_answer(trace: Trace, text: str) -> TracedAnswer:
    """The trace as MLflow shows it: a span for understanding, for looking up and planning, and for writing."""
    times = trace.timings
    total = times.get("total_ms", 0.0)
    understood = min(times.get("understood_ms", 0.0), total)
    planned = min(times.get("planned_ms", understood), total)
    written = min(times.get("written_ms", planned), total)
    stages = (
        Stage("understand", "CHAIN", 0.0, understood, _understood(trace)),
        Stage("retrieve", "RETRIEVER", understood, planned, _retrieval_outputs(trace)),
        Stage("answer", "CHAT_MODEL" if trace.model else "CHAIN", planned, written, _generation_outputs(trace)),
        Stage("refer", "RERANKER", written, total, {"references": list(trace.references)}),
    )
    began = datetime.fromisoformat(trace.at).timestamp() - total / 1000
    tags = {"coteach.trace_id": trace.trace_id, "coteach.route": trace.route, "coteach.index": trace.index_version}
    course = {"coteach.course": trace.course_id} if trace.course_id else {}
    return TracedAnswer(trace.question, text, int(began * 1e9), total, stages, tags | course, trace.error)


def _understood(trace: Trace) -> dict[str, object]:
    return {
        "resolved": trace.resolved,
        "category": trace.category,
        "form": trace.form,
        "kind": trace.kind,
        "h": trace.h,
        "alpha": trace.alpha,
        "concepts": list(trace.concepts),
    }


def _retrieval_outputs(trace: Trace) -> dict[str, object]:
    candidates = [asdict(one) for one in trace.candidates]
    return {"strategy": trace.strategy, "queries": list(trace.queries), "beta": trace.beta, "candidates": candidates}


def _generation_outputs(trace: Trace) -> dict[str, object]:
    return {
        "route": trace.route,
        "template": trace.template,
        "prompt_sha256": trace.prompt_sha256,
        "model": trace.model,
        "evidence": list(trace.evidence),
        "path": list(trace.path),
        "verdicts": [asdict(one) for one in trace.verdicts],
    }
