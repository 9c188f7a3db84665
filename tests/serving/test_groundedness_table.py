"""The groundedness grader beside what people say: figures, and an asset that keeps them."""

import json
import math
from pathlib import Path

import dagster as dg
import mlflow
import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from assets.evaluation.groundedness_grades import groundedness_grades, the_grader_is_never_certainly_wrong
from knowledge_graph.lake.evaluation_schemas import EVALUATION_GROUNDEDNESS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_table
from models.statistics.bootstrap import area
from models.tracking.place import place_of
from orchestration.reporting.publishing import read_shown
from orchestration.resources import PipelineSettings, inputs_of
from serving.evaluation.sets.evaluation_sets import EvaluationGroundedness, groundedness_of_course, rows_of
from serving.evaluation.sets.groundedness_pairs import read_groundedness_pairs
from serving.evaluation.sets.groundedness_table import GradedAnswer, grade_all, groundedness_table

COURSES = Path(__file__).parents[2] / "examples" / "courses"
STACK = "A stack is a list of which the element that came last leaves first."


def answer(name: str, text: str, *, grounded: bool) -> EvaluationGroundedness:
    return EvaluationGroundedness(name, "ds", "en", "What is a stack?", STACK, text, grounded)


def test_the_area_is_that_of_scikit_learn_within_its_interval() -> None:
    source = np.random.default_rng(4)
    higher, lower = source.normal(0.6, 1, 40).round(1), source.normal(0, 1, 50).round(1)
    found = area(higher.tolist(), lower.tolist())
    expected = roc_auc_score([1] * 40 + [0] * 50, np.concatenate([higher, lower]))
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < expected < found.high < 1
    error = math.sqrt(expected * (1 - expected) / 20)
    assert found.high - found.low < 4 * error


def test_without_answers_of_both_kinds_there_is_no_area() -> None:
    assert area([0.5], []).value is None
    assert area([], []).n == 0


def test_figures_are_counted_for_all_and_by_language() -> None:
    graded = [
        GradedAnswer("a", "en", True, 0.9, True, True),
        GradedAnswer("b", "en", False, 0.8, True, True),
        GradedAnswer("c", "zh", True, 0.3, False, False),
        GradedAnswer("d", "zh", False, 0.1, False, True),
    ]
    metrics = groundedness_table(graded).metrics()
    assert (metrics["all/answers"], metrics["en/answers"], metrics["zh/answers"]) == (4, 2, 2)
    assert (metrics["all/auc"], metrics["en/auc"], metrics["zh/auc"]) == (0.75, 1.0, 1.0)
    assert (metrics["all/supported_kept"], metrics["all/others_kept"]) == (0.5, 0.5)
    assert (metrics["all/certainly_wrong"], metrics["zh/certainly_wrong"]) == (1, 0)


def test_supported_answers_of_the_sample_courses_score_above_the_others_and_no_other_is_certainly_kept() -> None:
    gold = [
        one
        for path in sorted(COURSES.glob("*/gold/groundedness.jsonl"))
        for one in groundedness_of_course(read_groundedness_pairs(path), course_id=path.parent.parent.name)
    ]
    graded = grade_all(gold)
    metrics = groundedness_table(graded).metrics()
    assert metrics["all/auc"] > 0.8
    assert [one.id for one in graded if one.is_certainly_wrong and not one.is_supported] == []


def make(data_dir: DataDir, *answers: EvaluationGroundedness) -> dg.ExecuteInProcessResult:
    write_table(data_dir.evaluation_set("groundedness"), rows_of(answers), EVALUATION_GROUNDEDNESS)
    inputs = inputs_of(PipelineSettings(home=data_dir.root, courses=data_dir.root, labels=data_dir.root))
    return dg.materialize(
        [groundedness_grades, the_grader_is_never_certainly_wrong], resources={"data_dir": data_dir, "inputs": inputs}
    )


def test_the_asset_keeps_figures_and_rows_in_a_run_and_its_check_names_what_is_certainly_wrong(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    made = make(
        data_dir,
        answer("right", STACK, grounded=True),
        answer("swapped", "A queue is a list of which the element that came last leaves first.", grounded=False),
        answer("mislabelled", STACK, grounded=False),
    )
    assert made.success
    shown = read_shown(data_dir.evaluation_tables / "groundedness_grades.json")
    mlflow.set_tracking_uri(place_of(data_dir).uri)
    run = mlflow.get_run(shown.run_id)
    assert run.data.metrics["all/answers"] == 3
    for lang in ("en", "zh"):
        told = {name: run.data.metrics[f"probes_{lang}/{name}"] for name in ("answers", "supported", "certainly_wrong")}
        assert told == {"answers": 136, "supported": 34, "certainly_wrong": 0}
    (logged,) = run.inputs.dataset_inputs
    assert json.loads(logged.dataset.profile)["num_rows"] == 3 + 272
    (check,) = made.get_asset_check_evaluations()
    assert (check.passed, check.description) == (False, "Certain, and otherwise than people say: mislabelled.")


def test_without_marked_answers_there_are_the_probes_alone(tmp_path: Path) -> None:
    assert make(DataDir(tmp_path)).success
    table = read_shown(DataDir(tmp_path).evaluation_tables / "groundedness_grades.json").table
    assert [row[0] for row in table.rows] == ["hand-written probes, English", "hand-written probes, Chinese"]
