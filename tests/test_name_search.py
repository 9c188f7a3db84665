"""What is named by the text sought comes first, everywhere that names are searched."""

import pytest
from graph_rows import concept

from knowledge_graph.graph.name_search import NOT_NAMED, name_rank
from knowledge_graph.lake.records import Concept, from_row
from serving.pages.graph_reading import CourseGraph, list_concepts

ROWS = (
    concept("linked list"),
    concept("merge sort", definition="It sorts a list by halves."),
    concept("adjacency list"),
    concept("array", definition="A row of cells, as a list keeps them."),
    concept("list comprehension"),
    concept("list"),
)
CONCEPTS = tuple(from_row(Concept, row) for row in ROWS)
"""By rank."""


def found(sought: str) -> list[str]:
    return [one.concept.name for one in list_concepts(CourseGraph(CONCEPTS), [], sought)]


def test_the_concept_itself_is_found_first_then_names_that_begin_so_then_names_then_definitions() -> None:
    assert found("list") == [
        "list",
        "list comprehension",
        "linked list",
        "adjacency list",
        "merge sort",
        "array",
    ]


@pytest.mark.parametrize("typed", ["lists", "LIST ", " List"])
def test_a_plural_and_capitals_find_the_concept_itself(typed: str) -> None:
    assert found(typed)[0] == "list"


def test_without_words_the_concepts_stand_by_rank() -> None:
    assert found(" ") == [one.name for one in CONCEPTS]


def test_a_further_name_counts_less_than_the_first() -> None:
    assert name_rank("list", ["list", "sequence"]) < name_rank("list", ["sequence", "list"])
    assert name_rank("list", ["sequence", "list"]) < name_rank("list", ["list comprehension"])


@pytest.mark.parametrize(
    ("sought", "name", "rank"), [("", "list", NOT_NAMED), ("队列", "优先队列", 4), ("栈", "栈", 0)]
)
def test_names_of_any_language_are_ranked_and_no_text_names_nothing(sought: str, name: str, rank: int) -> None:
    assert name_rank(sought, [name]) == rank
