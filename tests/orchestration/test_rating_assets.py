"""The assets of ratings, questions and references, on folders that are good, bad and not there."""

import json
import warnings
from dataclasses import replace
from pathlib import Path

import dagster as dg
import mlflow
import pytest
from rating_files import six, write_ratings

from assets.evaluation.data_statistics import data_statistics
from assets.evaluation.human_ratings import human_ratings, rater_reliability, ratings_by_category
from assets.evaluation.question_components import question_components
from assets.evaluation.reference_review import reference_review, reference_subjects, reference_threshold
from knowledge_graph.lake import log_schemas, schemas
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_table
from models.tracking.evaluation import metrics_of
from orchestration.reporting.publishing import PublishedTable, read_shown
from orchestration.resources import EvaluationPaths, Inputs, PipelineSettings, inputs_of
from serving.evaluation.tables import markdown
from serving.feedback import rating_forms

ASSETS = (
    human_ratings,
    ratings_by_category,
    rater_reliability,
    question_components,
    data_statistics,
    reference_review,
    reference_subjects,
    reference_threshold,
)
MIXED = [0, 1, 2, 1, 0, 2, 2, 1, 0, 1] * 6


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    (tmp_path / "courses").mkdir()
    return inputs_of(PipelineSettings(home=tmp_path / "home", courses=tmp_path / "courses", labels=tmp_path / "labels"))


@pytest.fixture
def data_dir(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path / "home")


def make(data_dir: DataDir, inputs: Inputs, *assets: dg.AssetsDefinition) -> dg.ExecuteInProcessResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of MLflow and Dagster among themselves; an error here would fail the step
        made = dg.materialize(list(assets), resources={"data_dir": data_dir, "inputs": inputs})
    assert made.success
    return made


def version(made: dg.ExecuteInProcessResult, asset: str) -> str:
    (event,) = made.asset_materializations_for_node(asset)
    assert event.tags is not None
    return event.tags["dagster/data_version"]


def shown(data_dir: DataDir, name: str) -> PublishedTable:
    return read_shown(data_dir.evaluation_tables / f"{name}.json")


def with_ratings(inputs: Inputs, folder: Path) -> Inputs:
    return replace(inputs, evaluation=EvaluationPaths(ratings=folder))


def test_with_no_data_every_table_shows_what_is_published_and_says_what_is_missing(
    data_dir: DataDir, inputs: Inputs
) -> None:
    make(data_dir, inputs, *ASSETS)
    for asset in ASSETS:
        table = shown(data_dir, asset.key.path[-1]).table
        assert table.notes, table.name
        assert table.rows or table.name == "rater_reliability"
    assert "COTEACH_EVAL_RATINGS" in markdown(shown(data_dir, "human_ratings").table)


def test_one_bad_row_and_one_bad_file_are_named_and_the_rest_is_counted(
    data_dir: DataDir, inputs: Inputs, tmp_path: Path
) -> None:
    folder = tmp_path / "ratings"
    write_ratings(folder / "GLM" / "GLM_1.csv", [*six(*MIXED), [3, 1, 1, 1, 1, 1]])
    write_ratings(folder / "GLM" / "GLM_2.csv", [*six(*reversed(MIXED)), [1, 1, 1, 1, 1, 1]])
    (folder / "XiaoMu").mkdir()
    (folder / "XiaoMu" / "XiaoMu_1.csv").write_text("query,coherence\nq,1\n")
    made = make(data_dir, with_ratings(inputs, folder), human_ratings, ratings_by_category, rater_reliability)
    (check,) = made.get_asset_check_evaluations()
    assert (check.check_name, check.passed, check.severity) == ("input_is_clean", False, dg.AssetCheckSeverity.WARN)
    assert "GLM/GLM_1.csv:62: Expected 0, 1 or 2; found coherence 3." in (check.description or "")
    assert "XiaoMu/XiaoMu_1.csv:1: Expected the columns" in (check.description or "")
    metrics = shown(data_dir, "human_ratings").table.metrics()
    assert metrics["glm/ratings"] == 2 * len(MIXED) + 2
    assert (data_dir.evaluation_tables / "ratings_by_category.png").read_bytes().startswith(b"\x89PNG")


def test_copies_are_found_every_figure_is_tracked_and_a_second_run_is_the_same_version(
    data_dir: DataDir, inputs: Inputs, tmp_path: Path
) -> None:
    folder = tmp_path / "ratings"
    for rater in ("1", "2"):
        write_ratings(folder / "EVA" / f"EVA_general_{rater}.csv", six(*MIXED))
        write_ratings(folder / "CoT-10b" / f"CoT-10b_{rater}.csv", six(*MIXED))
    specific = six(*MIXED), six(*[(value + 1) % 3 for value in MIXED])
    for rater, rows in zip(("1", "2"), specific, strict=True):
        write_ratings(folder / "EVA" / f"EVA_specific_{rater}.csv", rows)
    first = make(data_dir, with_ratings(inputs, folder), rater_reliability)
    found = shown(data_dir, "rater_reliability")
    text = markdown(found.table)
    assert "EVA2.0: EVA/EVA_general_2.csv is a copy of EVA/EVA_general_1.csv, byte for byte" in text
    assert "LittleMu (10B): CoT-10b/CoT-10b_2.csv is a copy of CoT-10b/CoT-10b_1.csv, byte for byte" in text
    assert found.table.metrics()["eva2_0/coherence.kappa"] < 0, "raters of the other part disagree on every row"
    assert metrics_of(found.run_id, data_dir=data_dir) == found.table.metrics()
    again = make(data_dir, with_ratings(inputs, folder), rater_reliability)
    assert version(again, "rater_reliability") == version(first, "rater_reliability")


def test_questions_of_a_file_and_labels_of_the_home_stand_beside_the_paper(
    data_dir: DataDir, inputs: Inputs, tmp_path: Path
) -> None:
    (tmp_path / "labels" / "intents").mkdir(parents=True)
    (tmp_path / "labels" / "intents" / "own.csv").write_text("question,category\nwhat is a heap,simple\nhi,\n")
    path = tmp_path / "public.csv"
    path.write_text("id,question,session_id,category\n1,什么是堆,1,简单问题\n2,我好累,1,情绪闲聊\n3,,2,\n")
    made = replace(inputs, evaluation=EvaluationPaths(intents=path))
    make(data_dir, made, question_components)
    found = shown(data_dir, "question_components")
    metrics = found.table.metrics()
    assert (metrics["file/simple"], metrics["file/emotional_chat"], metrics["file/blank"]) == (1, 1, 1)
    assert (metrics["labels/simple"], metrics["labels/blank"]) == (1, 1)
    assert set(found.made_of) == {"intents", "labels"}


def test_reviews_of_course_folders_are_counted_and_bad_ones_named(
    data_dir: DataDir, inputs: Inputs, tmp_path: Path
) -> None:
    course = tmp_path / "courses" / "heaps"
    (course / "gold").mkdir(parents=True)
    (course / "lecture.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nA heap.\n")
    rows = [f"q{n},computer science,p{n},{'exact' if n % 2 else 'irrelevant'},x" for n in range(30)]
    lines = ["question,subject,passage,rating,reviewer", *rows, "q,computer science,p,3,x"]
    (course / "gold" / "reference_reviews.csv").write_text("\n".join(lines) + "\n")
    made = make(data_dir, inputs, reference_review, reference_subjects)
    (check,) = made.get_asset_check_evaluations()
    assert "heaps/gold/reference_reviews.csv:32: Expected one of" in (check.description or "")
    metrics = shown(data_dir, "reference_review").table.metrics()
    assert (metrics["rated"], metrics["relevant"]) == (30, 15)
    assert shown(data_dir, "reference_subjects").table.metrics()["computer_science/relevant"] == 0.5
    assert set(shown(data_dir, "reference_subjects").pictures) == {"reference_subjects.png"}
    assert json.loads((data_dir.evaluation_tables / "reference_review.json").read_text())["made_of"]


def test_ratings_are_data_sets_of_their_runs_and_other_ratings_have_another_digest(
    data_dir: DataDir, inputs: Inputs, tmp_path: Path
) -> None:
    found = []
    for scores in (MIXED, MIXED[::-1]):
        for rater in ("1", "2"):
            write_ratings(tmp_path / "ratings" / "EVA" / f"EVA_{rater}.csv", six(*scores))
        make(data_dir, with_ratings(inputs, tmp_path / "ratings"), human_ratings)
        logged = mlflow.get_run(shown(data_dir, "human_ratings").run_id).inputs
        assert logged is not None
        found += [(one.dataset.name, one.dataset.digest) for one in logged.dataset_inputs]
    assert [name for name, _ in found] == ["human_ratings"] * 2
    assert found[0] != found[1]


def test_ratings_of_this_home_have_the_category_of_their_course(data_dir: DataDir, inputs: Inputs) -> None:
    given = (("t1", "ds", "2"), ("t2", "law", "1"), ("t3", "radio", "0"))
    turns = [
        dict.fromkeys(log_schemas.LOG_TURNS.names) | {"trace_id": trace, "session": trace, "course_id": course}
        for trace, course, _ in given
    ]
    aspects = [item.name for item in rating_forms.ASPECTS.items]
    ratings = [
        dict.fromkeys(log_schemas.LOG_RATINGS.names)
        | {"trace_id": trace, "rater": rater, "form": "aspects", "item": aspect, "value": value}
        for trace, _, value in given
        for rater in ("x", "y")
        for aspect in aspects
    ]
    courses = [
        dict.fromkeys(schemas.GRAPH_COURSES.names) | {"course_id": course, "domains": [domain]}
        for course, domain in (("ds", "computer science"), ("law", "法学"), ("radio", "Ham radio"))
    ]
    write_table(data_dir.logs_table("turns"), turns, log_schemas.LOG_TURNS)
    write_table(data_dir.logs_table("ratings"), ratings, log_schemas.LOG_RATINGS)
    write_table(data_dir.graph_courses, courses, schemas.GRAPH_COURSES)
    make(data_dir, inputs, ratings_by_category)
    metrics = shown(data_dir, "ratings_by_category").table.metrics()
    assert (metrics["coteach/engineering"], metrics["coteach/social_science"]) == (2, 1)
    assert metrics["without_category"] == 2
