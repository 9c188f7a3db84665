"""Marks of answers to students' questions: what is right, cited and misleading, and the table and files of them."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Locator
from serving.assistant.assistant import Assistant
from serving.assistant.references import Reference
from serving.evaluation.students.answering import Baseline
from serving.evaluation.students.marking import AT_ONCE, GivenAnswer, first_words, mark
from serving.evaluation.students.questions import (
    FLAGS,
    CitablePlace,
    QuestionsBroken,
    StudentQuestion,
    read_student_questions,
)
from serving.evaluation.students.running import MarkedAnswer, answer_all
from serving.evaluation.students.table import student_table
from serving.index.search import SearchIndex
from serving.settings import Settings

LATE = "When is the deadline of homework 3?"


def question(text: str = "How fast is push?", **more: object) -> StudentQuestion:
    facts: dict[str, object] = {
        "question_id": "ds-aspect-01",
        "course_id": "ds",
        "lang": "en",
        "kind": "aspect",
        "question": text,
        "history": (),
        "answerable": True,
        "must": (re.compile("constant", FLAGS),),
        "must_not": (re.compile("linear", FLAGS),),
        "cite": (CitablePlace(video="02 stacks", start=100, end=140),),
        "split": "dev",
    }
    return StudentQuestion(**{**facts, **more})  # type: ignore[arg-type]


def reference(second: int, video_id: str = "02 stacks", **more: str | None) -> Reference:
    nowhere = {"url": None, "video_title": "Stacks", "document": None, "page": None, "article": None}
    at = Locator(**{**nowhere, "video_id": video_id, "start_ms": 1000 * second, "end_ms": None})  # type: ignore[arg-type]
    facts: dict[str, object] = {"title": "Stacks", "label": "Stacks", "source": "subtitle", "course_id": "ds"}
    return Reference(**{"number": 1, "evidence_id": "p1", "locator": at, **facts, **more})  # type: ignore[arg-type]


def test_an_answer_is_right_and_cited_when_it_says_it_and_opens_the_place() -> None:
    found = mark(question(), GivenAnswer("It takes Constant time.", True, (reference(120),)))
    assert (found.right, found.cited, found.misleading) == (True, True, False)


@pytest.mark.parametrize(("second", "cited"), [(69, False), (70, True), (170, True), (171, False)])
def test_a_reference_near_the_stretch_is_one_of_it(second: int, cited: bool) -> None:
    found = mark(question(), GivenAnswer("constant", False, (reference(second),)))
    assert found.cited is cited


def test_a_right_answer_with_a_reference_elsewhere_is_not_cited() -> None:
    assert not mark(question(), GivenAnswer("constant", False, (reference(120, "01 welcome"),))).cited
    assert not mark(question(), GivenAnswer("constant", False, ())).cited


@pytest.mark.parametrize(("before", "at_once"), [(AT_ONCE - 4, True), (AT_ONCE, False)])
def test_what_stands_far_below_is_right_and_not_at_once(before: int, at_once: bool) -> None:
    found = mark(question(), GivenAnswer(f"{'so ' * before}it takes **constant** time.", False, (reference(120),)))
    assert (found.right, found.right_at_once) == (True, at_once)


def test_an_honest_lack_of_an_answer_is_right_at_once() -> None:
    assert mark(question(answerable=False), GivenAnswer("so " * 200, False, ())).right_at_once
    assert not mark(question(), GivenAnswer("fast", False, ())).right_at_once


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one two, three", "one two, "),
        ("one two", "one two"),
        ("O(n) 是", "O(n) "),
        ("栈是后进先出", "栈是后"),
        ("", ""),
    ],
)
def test_a_chinese_character_is_a_part_of_a_word(text: str, first: str) -> None:
    assert first_words(text, 2) == first


@pytest.mark.parametrize("is_sure", [True, False])
def test_what_must_not_be_said_misleads_however_sure(is_sure: bool) -> None:
    found = mark(question(), GivenAnswer("constant, no: linear", is_sure, (reference(120),)))
    assert (found.right, found.misleading) == (False, True)


def test_an_answer_that_lacks_something_misleads_only_when_it_is_sure() -> None:
    assert mark(question(), GivenAnswer("fast", True, ())).misleading
    doubtful = mark(question(), GivenAnswer("fast", False, ()))
    assert (doubtful.right, doubtful.misleading, doubtful.missed) == (False, False, (0,))


def test_what_the_material_does_not_answer_is_right_when_that_is_said() -> None:
    unanswerable = question(answerable=False, must=(), cite=())
    assert mark(unanswerable, GivenAnswer("I do not know.", False, ())).right
    sure = mark(unanswerable, GivenAnswer("It is cubic.", True, ()))
    assert (sure.right, sure.misleading) == (False, True)


@pytest.mark.parametrize(
    ("place", "given", "opens"),
    [
        (CitablePlace(faq="faq#1"), {"source": "faq", "origin_id": "faq#1"}, True),
        (CitablePlace(faq="faq#1"), {"source": "faq", "origin_id": "faq#2"}, False),
        (CitablePlace(faq="faq#1"), {"source": "subtitle", "origin_id": "faq#1"}, False),
        (CitablePlace(video="02 stacks"), {}, True),
    ],
)
def test_a_faq_entry_is_opened_by_its_id(place: CitablePlace, given: dict[str, str], opens: bool) -> None:
    found = mark(question(cite=(place,)), GivenAnswer("constant", False, (reference(120, **given),)))
    assert found.cited is opens


ROW = {
    "id": "ds-logistics-01",
    "course": "ds",
    "lang": "en",
    "kind": "logistics",
    "question": LATE,
    "answerable": True,
    "must": ["sunday"],
    "must_not": [],
    "cite": [{"faq": "faq#1"}],
}


def test_a_file_is_read_with_its_patterns(tmp_path: Path) -> None:
    path = tmp_path / "students.dev.jsonl"
    path.write_text(json.dumps(ROW) + "\n\n", encoding="utf-8")
    (found,) = read_student_questions(path, "dev")
    assert found.must[0].search("Due SUNDAY.")
    assert found.cite == (CitablePlace(faq="faq#1"),)
    assert found.history == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        json.dumps({**ROW, "must": ["("]}),
        json.dumps({key: ROW[key] for key in ROW if key != "kind"}),
        json.dumps({**ROW, "cite": [{"video": "one", "start": 3}]}),
    ],
)
def test_a_broken_line_is_named_with_its_file(tmp_path: Path, line: str) -> None:
    path = tmp_path / "students.dev.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(QuestionsBroken, match=r"students\.dev\.jsonl:2: expected"):
        read_student_questions(path, "dev")


def test_the_product_and_the_baseline_answer_the_same_questions(graph: ConceptGraph, index: SearchIndex) -> None:
    settings = Settings(model_admission="never")
    assistant = Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings)
    asked = [
        question(LATE, kind="logistics", must=(re.compile("sunday", FLAGS),), cite=()),
        question("Who won the world cup in 1998?", kind="other", answerable=False, must=(), must_not=(), cite=()),
    ]

    async def answered() -> list[MarkedAnswer]:
        return [one async for one in answer_all(asked, assistant, Baseline(index, None))]

    late, cup = asyncio.run(answered())
    assert (late.product.right, late.product.is_sure, late.baseline.right) == (True, True, True)
    assert (cup.product.right, cup.product.is_sure) == (True, False)
    metrics = student_table([late, cup]).metrics()
    assert metrics["all.right"] == metrics["kind.logistics.right"] == 1.0
    assert metrics["split.dev.n"] == 2
    assert "split.unseen.n" not in metrics
