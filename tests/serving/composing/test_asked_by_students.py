"""What students asked of the samples in their own words, and what came amiss."""

from types import SimpleNamespace
from typing import cast

import pytest
from asker import Asker

from knowledge_graph.graph.records import GraphConcept
from serving.assistant.composing import logistics
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.definition import find_defined_kind
from serving.assistant.composing.people import _MADE, _NAME
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import question_kind


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("can u explain recursion like im 5", "can you explain recursion"),
        ("explain stacks as if I was a five year old", "explain stacks"),
        ("eli5: what is a queue", "what is a queue"),
        ("what is a queue in simple terms?", "what is a queue?"),
        ("in simple terms", "in simple terms"),
        ("I like 5 of them", "I like 5 of them"),
    ],
)
def test_how_plainly_it_is_wanted_is_no_part_of_what_is_asked(text: str, plain: str) -> None:
    assert say_plainly(text) == plain


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("can you explain recursion", "definition"),
        ("could you please describe hash tables", "definition"),
        ("can you explain how a heap works", "how"),
        ("can you explain why it is slow", "why"),
    ],
)
def test_who_asks_to_explain_a_thing_asks_what_it_is(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize("question", ["How many lectures are there?", "how many videos does this course have"])
def test_lectures_are_counted(composed_by: Asker, question: str) -> None:
    assert "There are 3 lectures here, from “Welcome” to “Measures”." in composed_by(question).text


@pytest.mark.parametrize("question", ["how many lectures can I miss?", "how many lectures before the exam?"])
def test_how_many_may_be_missed_is_no_count(composed_by: Asker, question: str) -> None:
    assert "There are 2 lectures" not in composed_by(question).text


def test_what_a_lecture_says_of_the_words_is_no_rule_of_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Composed("other", "full", (ComposedStatement("The last exam of Multics was leaked."),), score=0.9)
    for name in ("compose_teachers", "compose_timetable", "compose_close"):
        monkeypatch.setattr(logistics, name, lambda request: None)
    monkeypatch.setattr(logistics, "_best_rules", lambda request, rules: [])
    monkeypatch.setattr(logistics, "compose_explanation", lambda request: said)
    request = SimpleNamespace(question="is there an exam?", spoken="en", pieces=(), units=(), card=None, stored=())
    found = logistics.compose_logistics(cast(Request, request))
    assert found is not None
    assert (found.coverage, found.statements) == ("partial", said.statements)
    assert found.note == wording("en").not_direct


def test_a_thing_called_after_people_names_them() -> None:
    said = "The first one is from 1962, by Adelson-Velsky and Landis, and so it's called the AVL tree."
    assert _MADE.search(said) is not None
    assert _NAME.search(said) is not None


def test_a_thing_that_is_not_defined_is_told_by_the_kind_of_it_that_is() -> None:
    concepts = {
        name: SimpleNamespace(
            concept_id=name, name=name, definition=said, definition_kind=kind, mention_count=count, score=0.5
        )
        for name, said, kind, count in (
            ("heap", None, "none", 19),
            ("binary heap", "A binary heap is a tree.", "subtitle", 2),
            ("max heap", "A max heap is turned round.", "subtitle", 1),
            ("fibonacci heap", "A Fibonacci heap is of the web.", "search", 9),
            ("heapsort", "Heapsort sorts.", "subtitle", 9),
        )
    }
    graph = SimpleNamespace(concepts_of=lambda course_id: [(name, name) for name in concepts], concept=concepts.get)
    request = cast(Request, SimpleNamespace(graph=graph, course_id="ds"))
    assert find_defined_kind(request, cast(GraphConcept, concepts["heap"])) is concepts["binary heap"]
    assert find_defined_kind(request, cast(GraphConcept, concepts["max heap"])) is None
