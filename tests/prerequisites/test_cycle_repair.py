"""Cycles lose their weakest edge; what stays is a DAG."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.prerequisites.repair import weakest_of_cycles

CYCLE = {("array", "list"): 0.9, ("list", "stack"): 0.8, ("stack", "array"): 0.6, ("list", "queue"): 0.5}


def test_without_repair_the_edges_are_cyclic_and_with_it_they_are_not() -> None:
    removed = weakest_of_cycles(CYCLE)
    assert not nx.is_directed_acyclic_graph(nx.DiGraph(CYCLE.keys()))
    assert nx.is_directed_acyclic_graph(nx.DiGraph(CYCLE.keys() - removed))


def test_the_weakest_edge_of_the_cycle_goes_and_weaker_edges_outside_stay() -> None:
    assert weakest_of_cycles(CYCLE) == {("stack", "array")}


def test_two_cycles_that_share_an_edge_lose_one_edge_each_at_most() -> None:
    edges = {("a", "b"): 0.6, ("b", "a"): 0.9, ("b", "c"): 0.8, ("c", "a"): 0.7}
    assert weakest_of_cycles(edges) == {("a", "b")}


def test_a_self_loop_is_removed() -> None:
    assert weakest_of_cycles({("a", "a"): 0.99, ("a", "b"): 0.5}) == {("a", "a")}


def test_no_edges_need_no_repair() -> None:
    assert weakest_of_cycles({}) == frozenset()


NODES = st.sampled_from("abcdefg")
EDGES = st.dictionaries(st.tuples(NODES, NODES), st.floats(0, 1), max_size=40)


@given(EDGES)
def test_whatever_the_edges_what_stays_is_acyclic_and_every_removal_was_needed(
    edges: dict[tuple[str, str], float],
) -> None:
    removed = weakest_of_cycles(edges)
    kept = nx.DiGraph([edge for edge in edges if edge not in removed])
    assert nx.is_directed_acyclic_graph(kept)
    for source, target in removed:
        assert source == target or nx.has_path(kept, target, source)


@given(EDGES, st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(edges: dict[tuple[str, str], float], random: object) -> None:
    shuffled = sorted(edges.items(), key=lambda item: hash((item, str(random))))
    assert weakest_of_cycles(dict(shuffled)) == weakest_of_cycles(edges)
