"""Cycles lose their weakest edge; what stays is a DAG, at any size."""

import time

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.graph.acyclic import Edge, weakest_of_cycles

CYCLE = {("array", "list"): 0.9, ("list", "stack"): 0.8, ("stack", "array"): 0.6, ("list", "queue"): 0.5}
NODES = st.sampled_from("abcdefgh")
EDGES = st.dictionaries(st.tuples(NODES, NODES), st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9]), max_size=50)


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


def one_by_one(edges: dict[Edge, float]) -> frozenset[Edge]:
    kept: nx.DiGraph[str] = nx.DiGraph()
    removed = set()
    for edge in sorted(edges, key=lambda edge: (-edges[edge], edge)):
        kept.add_edge(*edge)
        if not nx.is_directed_acyclic_graph(kept):
            kept.remove_edge(*edge)
            removed.add(edge)
    return frozenset(removed)


@given(EDGES)
def test_an_edge_is_given_up_when_it_would_close_a_cycle_of_stronger_ones(edges: dict[Edge, float]) -> None:
    assert weakest_of_cycles(edges) == one_by_one(edges)


@given(EDGES, st.data())
def test_the_order_of_the_edges_does_not_matter(edges: dict[Edge, float], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(sorted(edges.items())))
    assert weakest_of_cycles(dict(shuffled)) == weakest_of_cycles(edges)


def test_a_chain_of_ten_thousand_with_contradictions_is_repaired_in_seconds() -> None:
    chain = {(f"{n:05}", f"{n + 1:05}"): 0.9 for n in range(10_000)}
    back = {(f"{n + 20:05}", f"{n:05}"): 0.6 for n in range(0, 9_980, 5)}
    started = time.perf_counter()
    assert weakest_of_cycles(chain | back) == frozenset(back)
    assert time.perf_counter() - started < 20
