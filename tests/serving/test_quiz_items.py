"""What a course can be asked: its own questions and definitions, with other options that are not right too."""

from typing import Any

import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.evaluation.choice_questions import KnownQuestion
from serving.gateway.quiz.items import BLANK, OPTIONS, blank_names, course_quiz

ORIGIN: dict[str, Any] = {"url": None, "video_title": None, "document": None, "page": None, "article": None}
DEFINED = {
    "stack": "A stack is a list where the last element in is the first one out.",
    "queue": "A queue serves its elements in the order in which they came.",
    "heap": "A heap keeps the smallest element at its root, above all others.",
    "hash table": "A hash table finds a value by computing its place from its key.",
    "binary tree": "In a binary tree every node has at most two children.",
    "tree": "Trees.",
}


def concept(name: str, definition: str | None, course: str = "ds") -> dict[str, Any]:
    span = {"video_id": f"{name} lecture", "start_ms": 5000, "end_ms": 9000, "text": name}
    where = None if definition is None else ORIGIN | {"video_id": f"{name} lecture", "start_ms": 5000, "end_ms": 9000}
    return {
        "concept_id": f"en:{name}",
        "name": name,
        "aliases": [],
        "lang": "en",
        "score": 0.9,
        "definition": definition,
        "definition_kind": "none" if definition is None else "subtitle",
        "definition_locator": where,
        "definition_course_id": None if definition is None else course,
        "domains": [],
        "course_ids": [course],
        "mention_count": 3,
        "evidence": [{"course_id": course, "span": span}],
    }


def graph_of(defined: dict[str, str | None]) -> ConceptGraph:
    from course_rows import COURSES

    cards = [one for one in COURSES if one["course_id"] == "ds"]
    return ConceptGraph.from_rows([concept(name, told) for name, told in defined.items()], [], cards)


GRAPH = graph_of(dict(DEFINED))
KNOWN = KnownQuestion("q1", "Which removes what came last?", {"A": "A queue", "B": "A stack"}, "B", "cs", "Last in.")


def test_a_definition_is_asked_without_its_name_and_its_other_options_are_no_answers_too() -> None:
    quiz = course_quiz(GRAPH, "ds", [])
    asked = {item.options[item.answer]: item for item in quiz.items}
    assert set(asked) == set(DEFINED) - {"tree"}, "one that says nothing is not asked"
    for name, item in asked.items():
        assert BLANK in item.stem
        assert name not in item.stem.casefold()
        assert len(set(item.options.values())) == OPTIONS
        assert item.url == f"/courses/ds/videos/{name.replace(' ', '%20')}%20lecture?t=5"
    assert "tree" not in asked["binary tree"].options.values(), "a tree is what a binary tree is"


def test_the_courses_own_questions_come_first_with_why_and_where_the_course_says_so() -> None:
    first = course_quiz(GRAPH, "ds", [KNOWN]).items[0]
    assert (first.stem, first.answer, first.explanation) == (KNOWN.stem, "B", "Last in.")
    assert first.url == "/courses/ds/videos/stack%20lecture?t=5"
    assert first.concept_ids == {"en:stack"}


def test_a_quiz_is_of_one_concept_or_one_lecture_where_that_is_asked() -> None:
    quiz = course_quiz(GRAPH, "ds", [KNOWN])
    assert [one.is_definition for one in quiz.about(concept_id="en:stack")] == [False, True]
    assert [one.options[one.answer] for one in quiz.about(video_id="heap lecture")] == ["heap"]
    assert quiz.about(concept_id="en:nothing") == []


def test_what_stands_under_a_rule_about_graded_work_is_not_asked() -> None:
    quiz = course_quiz(GRAPH, "ds", [KNOWN], is_protected=lambda text: "came last" in text)
    assert [one for one in quiz.items if not one.is_definition] == []


def test_a_course_with_too_few_concepts_to_choose_from_asks_no_definitions() -> None:
    few = graph_of({name: DEFINED[name] for name in ("stack", "queue", "heap")})
    assert course_quiz(few, "ds", []).items == ()
    assert course_quiz(graph_of(dict.fromkeys(DEFINED)), "ds", []).items == (), "nothing is defined"


def test_the_same_course_asks_the_same_questions_at_each_look() -> None:
    assert course_quiz(GRAPH, "ds", [KNOWN]).items == course_quiz(GRAPH, "ds", [KNOWN]).items


@pytest.mark.parametrize(
    ("definition", "names", "asked"),
    [
        ("Heaps are trees; a heap is full.", ["heap"], "____ are trees; a(n) ____ is full."),
        ("A cheap heap.", ["heap"], "A cheap ____."),
        ("栈是后进先出的线性表。", ["栈"], "____是后进先出的线性表。"),
        ("A B-tree (B tree) is balanced.", ["B-tree", "B tree"], "A(n) ____ (____) is balanced."),
    ],
)
def test_every_name_is_left_out_of_a_definition(definition: str, names: list[str], asked: str) -> None:
    assert blank_names(definition, names) == asked
