"""Retrieval time by stage: every stage in every run, shares of the whole, figures that say no more than they know."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from catalog_rows import COURSES, SAMPLE, graph_of, sample_home

from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.folders import find_courses
from serving.evaluation.catalog.catalogs import read_catalogs
from serving.evaluation.catalog.stage_latency import (
    COSINE,
    KEYWORD,
    RUNS,
    STAGES,
    WHOLE,
    Latency,
    latency_table,
    measure_stages,
    round_to_digits,
)
from serving.evaluation.tables import markdown
from serving.index.search import SearchIndex

MEASURED = Latency(
    "Sample",
    "sample",
    32,
    {stage: [0.25] * 4 for stage in STAGES} | {WHOLE: [1.0, 1.0, 1.0, 5.0], COSINE: [0.1] * 4, KEYWORD: [0.2] * 4},
)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    return sample_home(tmp_path_factory.mktemp("catalogue") / "home")


def ticks() -> Iterator[float]:
    """A clock that shows one millisecond more at each look."""
    return (number / 1000 for number in count())


def test_every_run_has_every_stage(data_dir: DataDir) -> None:
    asked = read_catalogs(data_dir, find_courses(COURSES))[0].questions_of_one_mode()
    clock = ticks()
    found = measure_stages(
        SearchIndex.open(data_dir.index), asked, graph_of(data_dir), where="Sample", name="sample", runs=50,
        clock=lambda: next(clock),
    )  # fmt: skip
    assert set(found.runs) == set(STAGES)
    assert {len(times) for times in found.runs.values()} == {50}
    assert found.pages == 32
    assert all(found.mean(stage) == pytest.approx(1.0) for stage in STAGES)


def test_there_are_more_runs_than_the_papers() -> None:
    assert RUNS > 100


def test_nothing_to_ask_is_an_error(data_dir: DataDir) -> None:
    with pytest.raises(ValueError, match="Without questions"):
        measure_stages(SearchIndex.open(data_dir.index), [], graph_of(data_dir), where="Sample", name="sample")


def test_shares_are_of_medians_which_one_long_run_does_not_move() -> None:
    assert MEASURED.mean(WHOLE) == 2.0
    assert MEASURED.median(WHOLE) == 1.0
    assert MEASURED.ratio(KEYWORD, WHOLE) == pytest.approx(0.2)
    assert replace(MEASURED, runs={**MEASURED.runs, COSINE: [0.0]}).ratio(KEYWORD, COSINE) is None


def test_the_table_stands_beside_the_published_mean_and_says_what_to_compare() -> None:
    table = latency_table([MEASURED])
    shown = markdown(table)
    assert "*320*" in shown
    assert "2.0 times as long as the cosine" in shown
    assert "The shares are what to compare" in shown
    metrics = table.metrics()
    assert (metrics["sample/whole/p50_ms"], metrics["sample/whole/p95_ms"]) == (1.0, 5.0)
    assert metrics["sample/keyword/share"] == 0.2
    assert "sample/whole/share" not in metrics


@pytest.mark.parametrize(("value", "expected"), [(0.03449, 0.034), (3.449, 3.4), (344.9, 340.0), (0.0, 0.0)])
def test_times_have_two_digits(value: float, expected: float) -> None:
    assert round_to_digits(value) == expected


def test_a_table_of_nothing_has_the_papers_row_alone(tmp_path: Path) -> None:
    assert len(latency_table([]).rows) == 1
    assert read_catalogs(DataDir(tmp_path), find_courses(COURSES)) == ()


def test_a_question_belongs_to_the_mode_of_its_gold(data_dir: DataDir) -> None:
    catalog = read_catalogs(data_dir, find_courses(COURSES))[0]
    modes = {one.question.question: one.mode for one in catalog.questions_of_one_mode()}
    assert modes["COMP 3400"] == "class"
    assert modes["math minor needs"] == "program"
    assert {one.question.course_id for one in catalog.questions_of_one_mode()} == {SAMPLE}
