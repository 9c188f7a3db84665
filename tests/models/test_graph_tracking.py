"""A build of a graph is a run in MLflow, with tables a person can open."""

from dataclasses import replace
from pathlib import Path

import mlflow
import pytest

from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.gold import Gold, LabelledPair
from models.tracking.circumstances import circumstances
from models.tracking.graph import EXPERIMENT, GraphRun, log_graph_run

REPORT = FunctionReport("named_in_title", "Titles name what is taught.", 12, 3, 0.3, 0.2, 0.1, 0.8)
SILENT = FunctionReport("asked_about", "People ask about concepts.", 0, 0, 0.0, 0.0, 0.0, None)


@pytest.fixture
def record() -> GraphRun:
    return GraphRun(
        course_id="sorting",
        params={"concepts": 40, "gold_digest": "abc"},
        metrics={"prerequisites.f1": 0.5, "concepts.average_precision": 0.25},
        functions={"concepts": (REPORT, SILENT), "prerequisites": (REPORT,)},
    )


def test_a_build_is_a_run_with_figures_and_tables(tmp_path: Path, record: GraphRun) -> None:
    tracked = log_graph_run(record, data_dir=DataDir(tmp_path))
    run = mlflow.get_run(tracked.run_id)
    assert run.info.run_name == "sorting"
    assert run.data.tags["course"] == "sorting"
    assert run.data.tags.items() >= circumstances().items()
    assert run.data.metrics == {"prerequisites.f1": 0.5, "concepts.average_precision": 0.25}
    assert run.data.params == {"concepts": "40", "gold_digest": "abc"}
    mlflow.set_experiment(EXPERIMENT)
    table = mlflow.load_table("concepts_functions.json", run_ids=[tracked.run_id])
    assert table["name"].tolist() == ["named_in_title", "asked_about"]
    assert table["coverage"].tolist() == pytest.approx([0.3, 0.0])


def test_what_a_build_was_measured_by_is_the_data_of_its_run(tmp_path: Path, record: GraphRun) -> None:
    gold = Gold((("stack",), ("queue", "FIFO")), (LabelledPair("stack", "queue", None),), "a" * 64, "b" * 64)
    tracked = log_graph_run(replace(record, gold=gold), data_dir=DataDir(tmp_path))
    data = {one.dataset.name: one.dataset.digest for one in mlflow.get_run(tracked.run_id).inputs.dataset_inputs}
    assert data == {"gold_concepts": "a" * 32, "gold_prerequisites": "b" * 32}
    logged = {one.dataset.name: one for one in mlflow.get_run(tracked.run_id).inputs.dataset_inputs}
    kept = Path(mlflow.data.get_source(logged["gold_concepts"]).load())  # type: ignore[attr-defined]
    assert kept.read_text().splitlines() == ["names", "stack", "queue; FIFO"]


def test_builds_of_a_course_stand_side_by_side(tmp_path: Path, record: GraphRun) -> None:
    for _ in range(2):
        log_graph_run(record, data_dir=DataDir(tmp_path))
    found = mlflow.search_runs(
        experiment_names=[EXPERIMENT], filter_string="tags.course = 'sorting'", output_format="list"
    )
    assert len(found) == 2


def test_an_experiment_that_somebody_deleted_is_there_again(tmp_path: Path, record: GraphRun) -> None:
    first = log_graph_run(record, data_dir=DataDir(tmp_path))
    mlflow.delete_experiment(first.experiment_id)
    assert log_graph_run(record, data_dir=DataDir(tmp_path)).experiment_id == first.experiment_id
