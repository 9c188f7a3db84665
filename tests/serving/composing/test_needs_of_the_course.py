"""What has to be known before the whole course: by its background, and never by what the lectures on a thing use."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.course_kinds import kind_of
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.offers import NOTHING
from serving.assistant.composing.study_before import _IS_BEFORE_ALL, compose_before
from serving.assistant.composing.terms import NEVER, unit_of
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.schema import Entry

GRAPH = ConceptGraph.from_rows([concept("en:python", "python", None)], [], [])


def ask_before(question: str, *pieces: MaterialPiece, known: str = "", stored: tuple[Any, ...] = ()) -> Any:
    taught = CourseLectures((one_lecture("Today we look at python.", "Python has loops."),))
    material = SimpleNamespace(
        pieces=lambda *_, **__: list(pieces), vector_of=lambda _: None, lectures=taught, course_id="ml"
    )
    request = SimpleNamespace(
        question=question,
        kind="before",
        lang="zh" if any(char > "\u4e00" for char in question) else "en",
        spoken="en",
        units=tuple(unit_of(one, lambda term: 2.0 if term == NEVER else 1.0) for one in known.split()),
        material=material,
        stored=stored,
        graph=GRAPH,
        catalogue=NOTHING,
        position=None,
        course_id="ml",
    )
    return compose_before(cast(Request, request))


def page(heading: str, text: str) -> MaterialPiece:
    entry = Entry("p", "passage", "document", "ml", "en", f"Syllabus — {heading}", text, section=heading)
    return MaterialPiece(entry, (MaterialLine(text),), 1.0, 0.5)


@pytest.mark.parametrize(
    ("question", "is_of_course"),
    [
        ("do i need to know python before this course", True),
        ("do i need to know how to program to follow this series", True),
        ("is calculus a prerequisite for this course?", True),
        ("should i learn statistics first?", True),
        ("学这门课要先会Python吗", True),
        ("需要先学编程吗", True),
        ("上这个课之前要不要懂点编程", True),
        ("这门课有先修要求吗", True),
        ("what do i need to know before the lecture on python in this course", False),
        ("for loops do i need to know python first", False),
        ("what do i have to know first", False),
        ("what do i need for this course on python", False),
        ("学快排要先会递归吗", False),
        ("学图的遍历之前要先学什么", False),
    ],
)
def test_what_is_needed_for_the_course_is_told_from_what_is_needed_for_a_part(
    question: str, *, is_of_course: bool
) -> None:
    assert (_IS_BEFORE_ALL.search(question) is not None) is is_of_course


@pytest.mark.parametrize("question", ["do i need to know python before this course", "学这门课要先会python吗"])
def test_where_nothing_is_said_of_the_background_no_lecture_on_the_thing_is_listed(question: str) -> None:
    found = ask_before(question, known="python")
    assert found.coverage == "none"
    assert "names nothing that has to be known before it" in found.text


@pytest.mark.parametrize(
    ("heading", "text", "known"),
    [
        ("What you need to know before", "School chemistry: atoms and ions.", "python"),
        ("Staff", "First year, eight lectures. No Latin is needed.", "latin"),
    ],
)
def test_a_page_says_what_is_needed_by_its_heading_or_of_what_is_asked(heading: str, text: str, known: str) -> None:
    found = ask_before(f"do i need to know {known} before this course", page(heading, text), known=known)
    assert found.coverage == "partial"
    assert text in found.statements[0].text


def test_the_faq_on_the_background_stands_under_a_doubt() -> None:
    entry = Entry("q", "qa", "faq", "ml", "en", "How much math do I need?", "School calculus.")
    stored = (PairCandidate(entry, 1.0, match=0.5),)
    found = ask_before("what do i need to know before starting the course", stored=stored)
    assert "School calculus." in found.text
    assert found.note


def test_a_skill_that_is_a_concept_of_the_course_may_be_its_background() -> None:
    assert kind_of("没学过编程能学这门课吗", names_concept=True)[0] == "logistics"
    assert kind_of("编程能不能自动化", names_concept=True)[0] == "yes_no"
