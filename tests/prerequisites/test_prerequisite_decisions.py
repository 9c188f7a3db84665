"""Which pairs are accepted, and why the others are not."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import Statement, StatementKind
from knowledge_graph.prerequisites.decide import (
    BELOW_THRESHOLD,
    BY_TEACHER,
    MOST_INTO,
    NOT_AMONG_THE_MOST,
    WEAKEST_OF_CYCLE,
    EdgeDecision,
    ScoredPair,
    decide,
)
from knowledge_graph.prerequisites.statement_labels import Stated

NOBODY = Stated({})


def teacher(kind: StatementKind) -> Statement:
    return Statement("c", kind, "teacher", "a", "b", None, "graph.yaml", 1)


def scored(**values: float) -> list[ScoredPair]:
    return [ScoredPair((name[0], name[1]), value, supported=True) for name, value in values.items()]


def test_pairs_from_the_cut_on_are_accepted() -> None:
    assert decide(scored(ab=0.3, bc=0.2, cd=0.1), cut=0.2, stated=NOBODY, most=9) == [
        EdgeDecision(("a", "b"), 0.3, None),
        EdgeDecision(("b", "c"), 0.2, None),
        EdgeDecision(("c", "d"), 0.1, BELOW_THRESHOLD),
    ]


def test_the_weakest_edge_of_a_cycle_is_kept_with_its_reason() -> None:
    found = decide(scored(ab=0.9, bc=0.8, ca=0.7), cut=0.5, stated=NOBODY, most=9)
    assert {one.edge: one.rejected_because for one in found} == {
        ("a", "b"): None,
        ("b", "c"): None,
        ("c", "a"): WEAKEST_OF_CYCLE,
    }


def test_of_very_many_prerequisites_of_a_concept_the_most_probable_are_accepted() -> None:
    into_z = [ScoredPair((f"a{at:02}", "z"), 0.9 - at / 100, supported=True) for at in range(MOST_INTO + 2)]
    stated = Stated({("a21", "z"): teacher("prerequisite")})
    found = {one.edge[0]: one.rejected_because for one in decide(into_z, cut=0.5, stated=stated, most=99)}
    assert [name for name, reason in found.items() if reason] == ["a20"]
    assert found["a20"] == NOT_AMONG_THE_MOST


def dataset() -> Statement:
    return Statement("c", "prerequisite", "dataset", "a", "b", None, "prerequisites.jsonl", 1)


def test_what_a_dataset_gives_is_accepted_however_many_there_are_and_whatever_the_cut() -> None:
    edges = [(f"a{at:02}", "z") for at in range(MOST_INTO + 1)]
    found = decide([], cut=1.0, stated=Stated(dict.fromkeys(edges, dataset())), most=99)
    assert [one.edge for one in found if one.rejected_because is None] == edges


def test_pairs_that_no_function_votes_for_are_not_kept() -> None:
    assert decide([ScoredPair(("a", "b"), 0.1, supported=False)], cut=0.5, stated=NOBODY, most=9) == []


def test_a_teachers_word_is_kept_whatever_the_machine_says() -> None:
    stated = Stated({("a", "b"): teacher("prerequisite"), ("b", "c"): teacher("no_prerequisite")})
    found = decide(scored(ba=0.99, bc=0.98), cut=0.5, stated=stated, most=1)
    assert found == [EdgeDecision(("a", "b"), 1.0, None), EdgeDecision(("b", "c"), 0.0, BY_TEACHER)]
    assert EdgeDecision(("b", "a"), 0.99, WEAKEST_OF_CYCLE) in decide(scored(ba=0.99), cut=0.5, stated=stated, most=9)


def test_who_says_that_one_comes_first_denies_the_reverse() -> None:
    stated = Stated({("a", "b"): teacher("prerequisite"), ("c", "d"): teacher("no_prerequisite")})
    assert stated.labels([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("a", "d")]) == {0: True, 1: False, 2: False}


PAIRS = st.dictionaries(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda edge: edge[0] != edge[1]),
    st.floats(0, 1),
    max_size=30,
)


@settings(deadline=None)
@given(PAIRS, st.floats(0.01, 1), st.integers(0, 30))
def test_what_is_accepted_is_acyclic_and_nothing_accepted_is_lost(
    values: dict[tuple[str, str], float], cut: float, most: int
) -> None:
    pairs = [ScoredPair(edge, value, supported=True) for edge, value in values.items()]
    found = decide(pairs, cut=cut, stated=NOBODY, most=most)
    accepted = {one.edge for one in found if one.rejected_because is None}
    assert nx.is_directed_acyclic_graph(nx.DiGraph(accepted))
    assert len(found) <= max(most, len(accepted))
    everything = decide(pairs[::-1], cut=cut, stated=NOBODY, most=99)
    assert accepted == {one.edge for one in everything if one.rejected_because is None}
