"""What to learn before a concept: worked by hand, and against the definition on random graphs."""

import networkx as nx
import pytest
from graph_rows import concept, edge, graph_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Step
from knowledge_graph.lake.records import Locator, Span

LIST_AT = Locator(video_id="1 - lists", start_ms=192_000, end_ms=245_000)
NOTES = Locator(document="notes.pdf", page=4)
GRAPH = graph_of(
    [
        concept("array", evidence=(Span("0 - arrays", 1_000, 2_000, "an array"),)),
        concept("list", definition="A list is a row.", kind="subtitle", locator=LIST_AT),
        concept("list", course="other", score=0.1, evidence=(Span("lists again", 7_000, 8_000, "lists"),)),
        concept("queue", definition="A queue is fair.", kind="document", locator=NOTES),
        concept("tree"),
        concept("heap"),
        concept("dijkstra"),
        concept("music"),
    ],
    [
        edge("array", "list", 0.9),
        edge("list", "queue", 0.8),
        edge("queue", "heap", 0.9),
        edge("tree", "heap", 0.95),
        edge("list", "tree", 0.9),
        edge("heap", "dijkstra", 0.9),
        edge("music", "dijkstra", 0.45),
    ],
)


def names(steps: tuple[Step, ...]) -> list[str]:
    return [step.concept.name for step in steps]


def test_what_is_needed_comes_before_what_needs_it() -> None:
    """heap .9; tree .855, queue .81; list max(.9 * .855, .8 * .81) = .7695; array .69255; music .45 is not needed."""
    steps = GRAPH.study_path("en:dijkstra")
    assert names(steps) == ["array", "list", "queue", "tree", "heap"]
    assert [step.need for step in steps] == pytest.approx([0.69255, 0.7695, 0.81, 0.855, 0.9])


def test_what_is_known_and_what_that_needs_is_not_learnt_again() -> None:
    assert names(GRAPH.study_path("en:dijkstra", known=["en:queue"])) == ["tree", "heap"]
    assert names(GRAPH.study_path("en:dijkstra", known=["en:array", "en:unheard of"])) == [
        "list",
        "queue",
        "tree",
        "heap",
    ]
    assert GRAPH.study_path("en:dijkstra", known=["en:dijkstra"]) == GRAPH.study_path("en:music") == ()


def test_a_short_path_keeps_the_most_needed() -> None:
    assert names(GRAPH.study_path("en:dijkstra", most=2)) == ["tree", "heap"]
    assert names(GRAPH.study_path("en:dijkstra", least=0.8)) == ["queue", "tree", "heap"]
    assert names(GRAPH.study_path("en:dijkstra", least=0.4))[-1] == "heap"
    assert GRAPH.study_path("en:dijkstra", most=0) == ()


def test_each_step_says_which_later_one_asks_for_it() -> None:
    steps = {step.concept.name: step.because for step in GRAPH.study_path("en:dijkstra")}
    assert {name: edge.concept_id for name, edge in steps.items()} == {
        "array": "en:list",
        "list": "en:tree",
        "queue": "en:heap",
        "tree": "en:heap",
        "heap": "en:dijkstra",
    }
    assert steps["list"].evidence[0].span.text == "list then tree"


def test_a_step_opens_where_the_concept_is_defined_else_where_it_is_spoken_of() -> None:
    array, listed, queue, tree, _ = GRAPH.study_path("en:dijkstra")
    assert (array.watch, array.course_id) == (Span("0 - arrays", 1_000, 2_000, "an array"), "ds")
    assert listed.watch == Span("1 - lists", 192_000, 245_000, "A list is a row.")
    assert queue.watch == Span(None, None, None, "A queue is fair.", "notes.pdf", 4)
    assert (tree.watch, tree.course_id) == (None, None)


def test_a_step_opens_in_the_students_own_course_when_that_speaks_of_it() -> None:
    _, listed, queue, *_ = GRAPH.study_path("en:dijkstra", course_id="other")
    assert (listed.course_id, listed.watch) == ("other", Span("lists again", 7_000, 8_000, "lists"))
    assert queue.course_id == "ds"


def test_steps_of_which_none_needs_the_other_go_in_lecture_order() -> None:
    places = {
        "a": Span("10 - sorting", 0, 1, ""),
        "b": Span("2 - lists", 90_000, 95_000, ""),
        "c": Span("2 - lists", 1_000, 2_000, ""),
        "d": Span(None, None, None, "", "notes.pdf", 3),
    }
    rows = [concept(name, evidence=(span,)) for name, span in places.items()]
    edges = [edge(name, "goal", 0.8) for name in "abcde"]
    graph = graph_of([*rows, concept("e"), concept("goal")], edges)
    assert names(graph.study_path("en:goal")) == ["c", "b", "a", "d", "e"]


def test_a_graph_with_a_cycle_still_gives_a_path() -> None:
    rows = [{"prerequisite_id": a, "concept_id": b, "probability": 0.9} for a, b in ("xy", "yx", "yz")]
    keys = [{"concept_id": key, "name": key, "aliases": [], "evidence": []} for key in "xyz"]
    edges = [{**row, "course_ids": [], "evidence": []} for row in rows]
    concepts = [{**key, "domains": [], "course_ids": []} for key in keys]
    assert names(ConceptGraph.from_rows(concepts, edges).study_path("z")) == ["x", "y"]


PAIRS = st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from([0.55, 0.7, 0.9, 1.0]))


@given(st.lists(PAIRS, max_size=40), st.sets(st.integers(0, 11), max_size=3), st.integers(1, 8))
def test_a_path_is_an_ordered_set_of_unmet_prerequisites(
    pairs: list[tuple[int, int, float]], known: set[int], most: int
) -> None:
    rows = [edge(f"c{min(a, b)}", f"c{max(a, b)}", p) for a, b, p in pairs if a != b]
    graph = graph_of([concept(f"c{number}") for number in range(12)], rows)
    before = nx.DiGraph([(row["prerequisite_id"], row["concept_id"]) for row in rows])
    before.add_nodes_from(f"en:c{number}" for number in range(12))
    steps = graph.study_path("en:c11", [f"en:c{number}" for number in known], most=most)
    path = [step.concept.concept_id for step in steps]
    assert len(path) == len(set(path)) <= most
    assert set(path) <= nx.ancestors(before, "en:c11") - {f"en:c{number}" for number in known}
    for at, key in enumerate(path):
        assert not nx.ancestors(before, key) & set(path[at:])
        assert steps[at].because.concept_id in {"en:c11", *path[at + 1 :]}
