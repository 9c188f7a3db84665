"""The asset `evaluation_sets` with its checks, over two course folders and a home with a few tables."""

import json
from pathlib import Path
from typing import Any

import dagster as dg
import mlflow
import pytest

from assets.evaluation.evaluation_sets import (
    evaluation_sets,
    every_gold_source_exists,
    no_public_question_leaks,
    no_question_leaks,
)
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import FAQ, INTENT_EXAMPLES, QA_PAIRS
from knowledge_graph.lake.tables import digest, write_table
from models.tracking.evaluation import metrics_of
from orchestration.reporting.publishing import read_shown
from orchestration.resources import EvaluationPaths, Inputs
from serving.evaluation.sets.evaluation_sets import read_choices, read_groundedness, read_questions

QUESTION = {"question": "what does LIFO stand for", "gold": ["stack-faq"], "answer": "Last in, first out."}
CHINESE = {"question": "队列有什么用处", "gold": ["zh:队列"], "answer": "先来先办。", "kind": "complex"}
CHOICE = {"id": "1", "question": "Which one is LIFO?", "options": {"A": "stack", "B": "queue"}, "answer": "A"}
PAIR = {"id": "1", "question": "LIFO?", "knowledge": "A stack is LIFO.", "answer": "A stack is.", "grounded": True}
PUBLIC = (
    "id,question,session_id,category,answer\n"
    "1,什么是栈,1,简单问题,后进先出的表\n"
    "2,栈和队列的区别,1,复杂问题,一头和两头\n"
)


class Place:
    """Two course folders and a home that knows a pair for each of their questions."""

    def __init__(self, root: Path) -> None:
        self.data_dir, self.courses = DataDir(root / "home"), root / "courses"
        self.answers: Path | None = None
        self.write("ds", questions=QUESTION, choices=CHOICE, groundedness=PAIR)
        self.write("sjjg", questions=CHINESE)
        pairs = [("q1", "ds", "stack-faq"), ("q2", "sjjg", "zh:队列")]
        write_table(self.data_dir.qa_pairs, [pair(*one) for one in pairs], QA_PAIRS)

    def write(self, course: str, **files: object) -> None:
        folder = self.courses / course
        (folder / "gold").mkdir(parents=True, exist_ok=True)
        (folder / "course.yaml").write_text("title: A course\n", encoding="utf-8")
        for name, row in files.items():
            text = row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)
            (folder / "gold" / f"{name}.jsonl").write_text(text + "\n", encoding="utf-8")

    def learn(self, question: str) -> None:
        row = {**dict.fromkeys(INTENT_EXAMPLES.names), "id": "en/1", "question": question, "split": "train"}
        write_table(self.data_dir.intent_examples, [row | {"label_kind": "human"}], INTENT_EXAMPLES)

    def make(self) -> dg.ExecuteInProcessResult:
        inputs = Inputs(
            courses=self.courses,
            labels=self.courses,
            albert=None,
            mlflow_url="http://mlflow.example",
            gateway_url="http://gateway.example",
            web=None,  # type: ignore[arg-type]
            store_url="sqlite://",
            evaluation=EvaluationPaths(answers=self.answers),
        )
        return dg.materialize(
            [evaluation_sets, no_question_leaks, no_public_question_leaks, every_gold_source_exists],
            resources={"data_dir": self.data_dir, "inputs": inputs},
            raise_on_error=False,
        )


def pair(qa_id: str, course_id: str, origin_id: str) -> dict[str, Any]:
    row = {"qa_id": qa_id, "course_id": course_id, "origin_id": origin_id, "source": "faq", "domains": []}
    return {**dict.fromkeys(QA_PAIRS.names), **row, "also_from": []}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("DAGSTER_HOME", "")
    return Place(tmp_path)


def outcome(result: dg.ExecuteInProcessResult, check: str) -> dg.AssetCheckEvaluation:
    return next(one for one in result.get_asset_check_evaluations() if one.check_name == check)


def told(result: dg.ExecuteInProcessResult, check: str, name: str) -> str:
    return str(outcome(result, check).metadata[name].value)


def test_the_sets_are_written_published_and_logged_with_their_digests(place: Place) -> None:
    assert place.make().success
    questions = read_questions(place.data_dir.evaluation_set("questions"))
    assert [(one.set, one.lang, one.kind) for one in questions] == [("ds", "en", "simple"), ("sjjg", "zh", "complex")]
    assert len(read_choices(place.data_dir.evaluation_set("choices"))) == 1
    assert len(read_groundedness(place.data_dir.evaluation_set("groundedness"))) == 1

    shown = read_shown(place.data_dir.evaluation_tables / "evaluation_sets.json")
    assert len(shown.made_of) == 4
    assert metrics_of(shown.run_id, data_dir=place.data_dir) == shown.table.metrics()
    inputs = mlflow.get_run(shown.run_id).inputs
    assert inputs is not None
    logged = {one.dataset.name: one.dataset.digest for one in inputs.dataset_inputs}
    assert sorted(logged) == ["choices", "groundedness", "questions, ds", "questions, sjjg"]
    in_table = {row[0]: row[-1] for row in shown.table.rows}
    assert all(logged[name].startswith(str(in_table[name])) for name in logged)


def test_with_a_public_file_its_questions_join_them(place: Place, tmp_path: Path) -> None:
    place.answers = tmp_path / "public.csv"
    place.answers.write_text(PUBLIC, encoding="utf-8")
    assert place.make().success
    public = [one for one in read_questions(place.data_dir.evaluation_set("questions")) if one.section == "public"]
    assert [(one.set, one.question, one.kind) for one in public] == [
        ("public", "什么是栈", "simple"),
        ("public", "栈和队列的区别", "complex"),
    ]


def test_a_clean_set_passes_every_check(place: Place) -> None:
    assert all(one.passed for one in place.make().get_asset_check_evaluations())


def test_a_question_that_was_learnt_from_stops_everything(place: Place) -> None:
    place.learn("What does LIFO stand for?")
    result = place.make()
    found = outcome(result, "no_question_leaks")
    assert (found.passed, found.severity, found.blocking) == (False, dg.AssetCheckSeverity.ERROR, True)
    assert "intent example en/1 (train, human)" in told(result, "no_question_leaks", "where")


def test_a_question_of_the_faq_leaks(place: Place) -> None:
    entry = {**dict.fromkeys(FAQ.names), "course_id": "ds", "origin_id": "lifo", "question": "What does LIFO stand for"}
    write_table(place.data_dir.table("faq", "ds"), [entry], FAQ)
    assert "FAQ ds/lifo" in told(place.make(), "no_question_leaks", "where")


def test_a_question_of_the_labelled_references_leaks(place: Place) -> None:
    place.write("ds", references={**QUESTION, "relevant": [], "irrelevant": []})
    assert "labelled reference of ds" in told(place.make(), "no_question_leaks", "where")


def test_a_multiple_choice_question_that_a_label_says_leaks(place: Place) -> None:
    place.learn("which one is LIFO")
    assert "'Which one is LIFO?'" in told(place.make(), "no_question_leaks", "where")


def test_a_public_question_that_a_label_says_warns_only(place: Place, tmp_path: Path) -> None:
    place.answers = tmp_path / "public.csv"
    place.answers.write_text(PUBLIC, encoding="utf-8")
    place.learn("什么是栈？")
    result = place.make()
    found = outcome(result, "no_public_question_leaks")
    assert (found.passed, found.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert outcome(result, "no_question_leaks").passed
    assert result.success


def test_a_source_that_no_table_has_is_named(place: Place) -> None:
    place.write("ds", questions=QUESTION | {"gold": ["stack-faq", "gone"]})
    result = place.make()
    assert result.success
    assert told(result, "every_gold_source_exists", "missing") == "1"
    assert "'what does LIFO stand for' names gone" in told(result, "every_gold_source_exists", "sources")


def test_a_broken_file_is_told_and_the_others_are_used(place: Place) -> None:
    place.write("ds", questions="no question")
    result = place.make()
    assert result.success
    assert [one.set for one in read_questions(place.data_dir.evaluation_set("questions"))] == ["sjjg"]
    found = outcome(result, "input_is_clean")
    assert not found.passed
    assert "ds/gold/questions.jsonl: questions.jsonl:1: Expected" in (found.description or "")


def test_without_any_gold_the_table_is_empty_and_nothing_fails(place: Place) -> None:
    for file in place.courses.rglob("*.jsonl"):
        file.unlink()
    result = place.make()
    assert result.success
    assert read_questions(place.data_dir.evaluation_set("questions")) == ()


def test_made_again_the_sets_are_the_same_bytes(place: Place) -> None:
    place.make()
    before = {name: digest(place.data_dir.evaluation_set(name)) for name in ("questions", "choices", "groundedness")}
    place.make()
    assert before == {name: digest(place.data_dir.evaluation_set(name)) for name in before}
