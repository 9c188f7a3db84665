"""Who asks to see the course's concept map is shown where it opens; who asks what one is, is not."""

from typing import cast

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.answer import Answer
from serving.assistant.composing.course_map import compose_map
from serving.assistant.composing.request import Request


def shown_by(answer: Answer) -> list[str]:
    return [one.label for one in answer.references if one.source == "map"]


@pytest.mark.parametrize(
    "wish",
    [
        "concept map",
        "Course map",
        "Can I see the knowledge graph?",
        "please open this course's concept map",
        "where's the concept map",
        "Is there a map of the concepts?",
        "show me the concept map of Data structures",
        "what is the concept map of this course?",
        "draw me a concept map of stacks",
        "learning path",
        "打开概念图",
        "有没有知识图谱",
        "课程的概念图在哪里",
        "栈的知识图谱",
    ],
)
def test_the_map_is_shown_however_it_is_asked_for(composed_by: Asker, wish: str) -> None:
    answer = composed_by(wish)
    assert (answer.route, answer.coverage, len(shown_by(answer))) == ("teach", "full", 1)


def test_the_map_is_shown_in_the_middle_of_a_conversation(composed_by: Asker) -> None:
    assert shown_by(composed_by("What is a stack?", "concept map")) == ["Concept map: Data structures"]


@pytest.mark.parametrize(
    "question",
    ["What is a concept map?", "knowledge graph completion", "知识图谱是什么", "concept map for the exam", "map"],
)
def test_other_questions_that_name_a_map_are_asked_of_the_material(composed_by: Asker, question: str) -> None:
    assert shown_by(composed_by(question)) == []


def request(asked: str, graph: ConceptGraph, *, of_all: bool = False) -> Request:
    card = None if of_all else graph.course("ds")
    known = {"asked": asked, "spoken": "en", "graph": graph, "card": card, "course_id": card and card.course_id}
    return cast(Request, type("Asked", (), known)())


def test_where_a_course_teaches_what_a_knowledge_graph_is_only_its_own_map_is_shown() -> None:
    taught = rows.concept("en:knowledge graph", "knowledge graph", "A knowledge graph is a graph of facts.")
    graph = ConceptGraph.from_rows([*rows.CONCEPTS, taught], [], rows.COURSES)
    assert compose_map(request("knowledge graph", graph)) is None
    assert compose_map(request("show me the knowledge graph of this course", graph)) is not None
    assert compose_map(request("concept map", graph)) is not None


def test_of_all_courses_each_that_has_a_map_is_named_and_of_none_it_is_said_that_there_is_none() -> None:
    graph = ConceptGraph.from_rows(rows.CONCEPTS, [], rows.COURSES)
    found = compose_map(request("concept map", graph, of_all=True))
    assert found is not None
    assert [one.course_id for one in found.evidence] == ["ds", "sjjg"]
    empty = compose_map(request("concept map", ConceptGraph.from_rows([], [], rows.COURSES)))
    assert empty is not None
    assert (empty.coverage, empty.evidence) == ("full", ())
    assert "There is no concept map here" in empty.text
