"""Which kinds there are: those that a course defines are listed where it has no list, and said to be no whole one."""

from pathlib import Path

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.assistant import Assistant
from serving.assistant.understanding.question_kind import question_kind
from serving.index.search import SearchIndex
from serving.settings import Settings

DEFINED = {
    "merge sort": "Merge sort is an algorithm that merges sorted halves.",
    "quicksort": "Quicksort is an algorithm that parts a list at a pivot.",
    "insertion sort": "Insertion sort is an algorithm that inserts one by one.",
    "topological sort": "A topological sort is an ordering of vertices.",
    "binary tree": "A binary tree has two children at most.",
    "search tree": "A search tree is in order.",
    "sorting algorithm": None,
    "tree": "A tree has a root.",
}


@pytest.fixture
def ask(tmp_path: Path, index: SearchIndex) -> Asker:
    listed = [
        rows.concept(f"en:{name}", name, text, definition_locator={**rows.AT_STACKS, "start_ms": 1_000 * place})
        for place, (name, text) in enumerate(DEFINED.items())
    ]
    graph = ConceptGraph.from_rows(listed, [], rows.COURSES)
    return Asker(
        Assistant(
            graph=graph, index=index, intent=None, llm=None, settings=Settings(home=tmp_path, model_admission="exam")
        )
    )


def test_the_kinds_that_a_course_defines_are_listed_with_what_it_says(ask: Asker) -> None:
    answer = ask("list all sorting algorithms")
    assert answer.text.startswith("I found no whole list of these in the material.")
    assert [name for name in DEFINED if f"**{name}**" in answer.text] == ["merge sort", "quicksort", "insertion sort"]
    assert answer.coverage == "partial"


def test_two_kinds_are_no_list(ask: Asker) -> None:
    assert "**binary tree**" not in ask("list the types of trees").text


@pytest.mark.parametrize("question", ["types of trees", "list types of trees", "what kinds of graphs are there"])
def test_kinds_are_asked_for_without_a_verb(question: str) -> None:
    assert question_kind(question) == "list"
