"""Traffic, candidate and release as Dagster makes them, over a home with a real index: a worse one is not released."""

import os
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import dagster as dg
import pytest
from course_rows import CONCEPTS, COURSES, PREREQUISITES, tables
from release_rows import QUESTIONS, pairs

from assets.evaluation.release_candidate import (
    every_promise_holds,
    not_worse_than_released,
    release_candidate,
    released,
)
from assets.evaluation.system_answers import system_answers
from assets.evaluation.traffic_shape import reshaped_has_the_shape, traffic_retrieval, traffic_shape
from knowledge_graph.lake import evaluation_schemas, log_schemas, schemas
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, rewrite_atomic, write_table
from models.versions import current_version
from orchestration.reporting.publishing import read_shown
from orchestration.resources import PipelineSettings, inputs_of
from serving.assistant.references.calibration import Calibration, CutMeasures, Scorer, write_calibration
from serving.evaluation.systems.systems import DEFAULT
from serving.index.build import build_index

TRAFFIC = [traffic_shape, reshaped_has_the_shape, traffic_retrieval]
RELEASE = [release_candidate, not_worse_than_released, every_promise_holds, released]


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DataDir]:
    """A home with sixty questions, their FAQ and an index of it."""
    home = DataDir(tmp_path / "home")
    for path, rows, schema in (
        (home.graph_concepts, CONCEPTS, schemas.GRAPH_CONCEPTS),
        (home.graph_prerequisites, PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (home.graph_courses, COURSES, schemas.GRAPH_COURSES),
        (home.evaluation_set("questions"), [asdict(one) for one in QUESTIONS], evaluation_schemas.EVALUATION_QUESTIONS),
    ):
        write_table(path, rows, schema)
    for name in [name for name in os.environ if name.startswith("COTEACH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COTEACH_HOME", str(home.root))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Dagster and MLflow do among themselves
        yield home


def build(data_dir: DataDir, *, without: range = range(0), mixed_up: bool = False) -> None:
    """Index the course, ask its questions of the default system, and find them in the shape of traffic."""
    found = tables(data_dir.root / "tables", qa=pairs(without=without, mixed_up=mixed_up), passages=[])
    build_index(found, data_dir.index)
    rewrite_atomic(found.qa_pairs, data_dir.qa_pairs, schemas.QA_PAIRS)
    assert make(data_dir, [system_answers], partition=DEFAULT).success
    assert make(data_dir, TRAFFIC).success


def make(
    data_dir: DataDir, assets: list[dg.AssetsDefinition], *, partition: str | None = None
) -> dg.ExecuteInProcessResult:
    inputs = inputs_of(PipelineSettings())
    return dg.materialize(
        assets, resources={"data_dir": data_dir, "inputs": inputs}, partition_key=partition, raise_on_error=False
    )


def passed(result: dg.ExecuteInProcessResult) -> dict[str, bool]:
    return {found.check_name: found.passed for found in result.get_asset_check_evaluations()}


def test_a_build_of_the_same_is_released_and_a_faulty_one_held_back(data_dir: DataDir) -> None:
    build(data_dir)
    first = make(data_dir, RELEASE)
    assert first.success
    version = current_version(data_dir.releases)
    assert version is not None

    build(data_dir)
    again = make(data_dir, RELEASE)
    assert again.success
    assert passed(again) == {"not_worse_than_released": True, "every_promise_holds": True}
    assert current_version(data_dir.releases) == version

    build(data_dir, without=range(0, 60, 3))
    faulty = make(data_dir, RELEASE)
    assert not faulty.success
    assert passed(faulty) == {"not_worse_than_released": False, "every_promise_holds": True}
    (said,) = [one for one in faulty.get_asset_check_evaluations() if one.check_name == "not_worse_than_released"]
    assert "written/hit_at_1" in str(said.description)
    assert current_version(data_dir.releases) == version

    alone = make(data_dir, [released])
    assert not alone.success
    assert current_version(data_dir.releases) == version


def test_answers_that_are_each_others_are_caught_though_the_right_entry_is_found(data_dir: DataDir) -> None:
    build(data_dir)
    assert make(data_dir, RELEASE).success
    version = current_version(data_dir.releases)
    build(data_dir, mixed_up=True)
    result = make(data_dir, RELEASE)
    (said,) = [one for one in result.get_asset_check_evaluations() if one.check_name == "not_worse_than_released"]
    assert not said.passed
    assert "written/rouge_l" in str(said.description)
    assert current_version(data_dir.releases) == version


def test_a_broken_promise_holds_the_first_release_back(data_dir: DataDir) -> None:
    build(data_dir)
    measured = CutMeasures(60, 900, 100, 50, 0.5, 0.7, 0.86, 0.9, 0.4, 0.5, 0.7, 0.6)
    write_calibration(data_dir.references, Calibration((Scorer("en", None, 0.0, {}, 0.5, measured),)))
    result = make(data_dir, RELEASE)
    assert passed(result) == {"not_worse_than_released": True, "every_promise_holds": False}
    assert current_version(data_dir.releases) is None
    table = read_shown(data_dir.evaluation_tables / "release_candidate.json").table
    assert table.notes[0].format_text() == "Held back, a promise does not hold: references_en_words."


def test_the_tables_and_the_set_are_the_same_twice(data_dir: DataDir) -> None:
    build(data_dir)
    names = ("traffic_shape.json", "traffic_retrieval.json")
    first = [read_shown(data_dir.evaluation_tables / name).table for name in names]
    sets = digest(data_dir.evaluation_set("reshaped"))
    assert make(data_dir, TRAFFIC).success
    assert [read_shown(data_dir.evaluation_tables / name).table for name in names] == first
    assert digest(data_dir.evaluation_set("reshaped")) == sets
    assert (data_dir.evaluation_tables / "traffic_recall.png").is_file()


def test_the_homes_own_turns_are_the_shape_when_there_are_enough(data_dir: DataDir) -> None:
    empty = dict.fromkeys(log_schemas.LOG_TURNS.names)
    turns = [
        {**empty, "question": f"library {number}?", "session": f"s{number}", "position": 0, "lang": "en", "form": "frq"}
        for number in range(40)
    ]
    write_table(data_dir.logs_table("turns"), turns, log_schemas.LOG_TURNS)
    build(data_dir)
    table = read_shown(data_dir.evaluation_tables / "traffic_shape.json").table
    assert table.metrics()["traffic/turns_counted"] == 40
    assert table.metrics()["traffic/question_marks"] == 1.0


def test_without_labelled_questions_the_tables_say_so_and_nothing_is_released(data_dir: DataDir) -> None:
    write_table(data_dir.evaluation_set("questions"), [], evaluation_schemas.EVALUATION_QUESTIONS)
    found = tables(data_dir.root / "tables", qa=pairs(), passages=[])
    build_index(found, data_dir.index)
    rewrite_atomic(found.qa_pairs, data_dir.qa_pairs, schemas.QA_PAIRS)
    assert make(data_dir, TRAFFIC).success
    table = read_shown(data_dir.evaluation_tables / "traffic_retrieval.json").table
    assert table.notes[0].format_text().startswith("No course has labelled questions")
    assert not make(data_dir, RELEASE).success
