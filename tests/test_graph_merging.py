"""Courses' concepts and prerequisites become one graph."""

import networkx as nx
import pytest
from graph_rows import concept, edge, merged_concepts, merged_edges
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.lake.records import Locator, Span
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS, GRAPH_PREREQUISITES
from knowledge_graph.lake.tables import Row


def test_a_concept_of_two_courses_becomes_one() -> None:
    rows = [
        concept(
            "Heap", "heaps", course="b", score=0.4, definition="A heap is a pile.", kind="search", domains=("x", "y")
        ),
        concept("heap", course="a", score=0.9, domains=("y",), mentions=3),
        concept("heap", "HEAP tree", course="c", score=0.2, definition="A heap is a tree.", kind="subtitle"),
    ]
    (merged,) = merged_concepts(rows).to_pylist()
    assert (merged["name"], merged["score"], merged["mention_count"]) == ("heap", 0.9, 5)
    assert merged["aliases"] == ["HEAP tree", "Heap", "heaps"]
    assert (merged["definition"], merged["definition_course_id"]) == ("A heap is a tree.", "c")
    assert merged["domains"] == ["algorithms", "x", "y"]
    assert merged["course_ids"] == ["a", "b", "c"]


def test_a_teachers_definition_is_trusted_before_all_others() -> None:
    rows = [
        concept("heap", course="a", score=0.1, definition="A tree with its least key on top.", kind="teacher"),
        concept("heap", course="b", score=0.9, definition="A heap is a pile.", kind="subtitle"),
        concept("heap", course="c", score=0.5),
    ]
    (merged,) = merged_concepts(rows).to_pylist()
    assert (merged["definition_kind"], merged["definition_course_id"]) == ("teacher", "a")


def test_of_equally_trusted_definitions_the_better_scored_course_gives_it() -> None:
    at = Locator(video_id="v2", start_ms=5, end_ms=9)
    rows = [
        concept("heap", course="a", score=0.3, definition="A heap is a pile.", kind="subtitle"),
        concept("heap", course="b", score=0.7, definition="A heap is a tree.", kind="subtitle", locator=at),
    ]
    (merged,) = merged_concepts(rows).to_pylist()
    assert (merged["definition"], merged["definition_course_id"]) == ("A heap is a tree.", "b")
    assert merged["definition_locator"]["video_id"] == "v2"


def test_a_concept_that_nobody_defines_has_no_course_of_definition() -> None:
    (merged,) = merged_concepts([concept("heap")]).to_pylist()
    assert (merged["definition"], merged["definition_kind"], merged["definition_course_id"]) == (None, "none", None)


def test_evidence_is_that_of_the_best_course_first_and_says_the_course() -> None:
    def spans(*starts: int) -> tuple[Span, ...]:
        return tuple(Span("v", start, start + 1, "") for start in starts)

    rows = [
        concept("heap", course="a", score=0.3, evidence=spans(1, 2, 3)),
        concept("heap", course="b", score=0.7, evidence=spans(11, 12, 13)),
        concept("queue", course="b", evidence=spans(20)),
    ]
    heap, queue = merged_concepts(rows).to_pylist()
    places = [(item["course_id"], item["span"]["start_ms"]) for item in heap["evidence"]]
    assert places == [("b", 11), ("b", 12), ("b", 13), ("a", 1), ("a", 2)]
    assert [item["course_id"] for item in queue["evidence"]] == ["b"]


def test_courses_that_contradict_each_other_still_give_an_acyclic_graph() -> None:
    rows = [
        edge("tree", "graph", 0.9, course="a"),
        edge("graph", "list", 0.8, course="b"),
        edge("list", "tree", 0.6, course="c"),
        edge("graph", "tree", 0.7, course="c"),
    ]
    edges = [(row["prerequisite_id"], row["concept_id"]) for row in rows]
    merged = [(row["prerequisite_id"], row["concept_id"]) for row in merged_edges(rows).to_pylist()]
    assert not nx.is_directed_acyclic_graph(nx.DiGraph(edges))
    assert merged == [("en:graph", "en:list"), ("en:tree", "en:graph")]


def test_only_accepted_edges_are_merged_and_the_surest_course_counts() -> None:
    rows = [
        edge("tree", "heap", 0.6, course="a"),
        edge("tree", "heap", 0.8, course="b"),
        edge("heap", "tree", 0.2, course="b", accepted=False),
    ]
    (merged,) = merged_edges(rows).to_pylist()
    assert (merged["probability"], merged["course_ids"]) == (0.8, ["a", "b"])
    assert [item["course_id"] for item in merged["evidence"]] == ["b", "a"]


@pytest.mark.parametrize(
    ("merge", "schema"), [(merge_concepts, GRAPH_CONCEPTS), (merge_prerequisites, GRAPH_PREREQUISITES)]
)
def test_without_courses_the_graph_is_empty(merge: object, schema: object) -> None:
    assert callable(merge)
    merged = merge([])
    assert (len(merged), merged.schema) == (0, schema)


CONCEPT_ROWS = [
    concept("Heap", "heaps", course="b", score=0.5, definition="A heap is a pile.", kind="search"),
    concept("heap", "HEAP tree", course="a", score=0.5, domains=("y", "x")),
    concept("heap", "heaps", course="c", score=0.2, definition="It is a tree.", kind="subtitle"),
    concept("queue", course="a", evidence=(Span("v", 0, 1, "queue"),)),
    concept("堆", "heap", course="d", lang="zh"),
]
EDGE_ROWS = [
    edge("tree", "graph", 0.9, course="a"),
    edge("graph", "list", 0.8, course="b"),
    edge("graph", "list", 0.8, course="c"),
    edge("list", "tree", 0.8, course="c"),
    edge("list", "list", 0.9, course="c"),
]


@given(st.permutations(CONCEPT_ROWS))
def test_merged_concepts_do_not_depend_on_the_order_of_rows(rows: list[Row]) -> None:
    assert merged_concepts(rows).equals(merged_concepts(CONCEPT_ROWS))


@given(st.permutations(EDGE_ROWS))
def test_merged_edges_do_not_depend_on_the_order_of_rows(rows: list[Row]) -> None:
    assert merged_edges(rows).equals(merged_edges(EDGE_ROWS))
