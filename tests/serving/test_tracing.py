"""Answers as MLflow traces: what is shown of them, and that a missing MLflow costs nothing but the traces."""

import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import mlflow
import pytest

from knowledge_graph.lake.home import DataDir
from serving.assistant.trace import CandidateTrace, Trace, VerdictTrace
from serving.gateway.mlflow_traces import MOST_WAITING, MlflowTraces, open_sink, trace_answer

TRACE = Trace(
    trace_id="t1",
    at="2026-11-22T10:00:01.000+00:00",
    question="and a queue?",
    resolved="What is a queue?",
    follow_up="same_question",
    added=("What is",),
    choices=(),
    course_id="ds",
    lang="en",
    route="teach",
    category="simple_question",
    kind=None,
    form="frq",
    refusal=None,
    h=0.1,
    alpha=0.5,
    beta=0.7,
    concepts=("queue",),
    strategy="hybrid",
    queries=("What is a queue?",),
    retrieval_notes=(),
    by_concepts=False,
    candidates=(CandidateTrace("e1", "faq", 1.0, 0.5, {"bm25": 3.0}),),
    evidence=("e1",),
    references=("e1",),
    template="teach@2",
    policy=None,
    prompt_sha256="ab",
    model="m",
    index_version="v1",
    rewordings=(),
    path=("retrieve: found",),
    verdicts=(VerdictTrace("grounded", True, 0.9, "material"),),
    error=None,
    timings={"understood_ms": 2.0, "planned_ms": 5.0, "first_token_ms": 50.0, "written_ms": 900.0, "total_ms": 1000.0},
)


def test_the_stages_of_an_answer_lie_one_after_the_other() -> None:
    shown = trace_answer(TRACE, "First in, first out.")
    assert [(one.name, one.began_ms, one.ended_ms) for one in shown.stages] == [
        ("understand", 0.0, 2.0),
        ("retrieve", 2.0, 5.0),
        ("answer", 5.0, 900.0),
        ("refer", 900.0, 1000.0),
    ]
    assert shown.began_ns == 1_795_341_600_000_000_000


def test_a_refusal_without_times_of_its_own_still_makes_a_trace() -> None:
    shown = trace_answer(replace(TRACE, timings={"total_ms": 1.0}, model=None), "No.")
    assert all(0 <= one.began_ms <= one.ended_ms <= 1.0 for one in shown.stages)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_trace_stands_in_the_homes_own_mlflow_with_its_spans(tmp_path: Path) -> None:
    sink = open_sink("home", DataDir(tmp_path))
    assert sink is not None
    sink.put(TRACE, "First in, first out.")
    sink.close(timeout_s=100)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'mlflow.db'}")
    experiment = mlflow.get_experiment_by_name("answers")
    assert experiment is not None
    (found,) = mlflow.search_traces(locations=[experiment.experiment_id], return_type="list")
    assert found.info.tags["coteach.route"] == "teach"
    assert {span.name for span in found.data.spans} == {"answer", "understand", "retrieve", "refer"}


def test_an_mlflow_that_is_not_there_costs_only_the_trace(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()  # not even root makes a folder in it
    sink = open_sink(f"sqlite:///{tmp_path / 'a file' / 'mlflow.db'}", DataDir(tmp_path))
    assert sink is not None
    sink.put(TRACE, "First in, first out.")
    sink.close(timeout_s=60)
    assert list(tmp_path.iterdir()) == [tmp_path / "a file"]


def test_nothing_is_traced_unless_somebody_says_where(tmp_path: Path) -> None:
    assert open_sink(None, DataDir(tmp_path)) is None


def test_a_writer_that_cannot_begin_costs_the_traces_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "models.tracking.answers", None)
    sink = MlflowTraces("sqlite://")
    sink.close(timeout_s=10)
    for _ in range(MOST_WAITING + 1):
        sink.put(TRACE, "First in, first out.")
    began = time.monotonic()
    sink.close(timeout_s=60)
    assert time.monotonic() - began < 5


def test_a_writer_that_is_stuck_does_not_keep_the_gateway_from_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = threading.Event()
    monkeypatch.setattr(MlflowTraces, "_write_all", lambda _: stuck.wait(60))
    sink = MlflowTraces("sqlite://")
    for _ in range(MOST_WAITING + 1):
        sink.put(TRACE, "First in, first out.")
    began = time.monotonic()
    sink.close(timeout_s=0.2)
    stuck.set()
    assert 0.1 < time.monotonic() - began < 5
