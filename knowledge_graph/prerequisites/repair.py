"""Making a set of weighted edges acyclic by giving up the weakest edge of every cycle.

Belongs here: the repair alone. It is used for one course and again after courses are merged.
"""

from collections.abc import Iterable, Mapping

import networkx as nx

Edge = tuple[str, str]


def weakest_of_cycles(edges: Mapping[Edge, float]) -> frozenset[Edge]:
    """The edges to remove so that no cycle is left; each is the weakest edge of a cycle among those that stay.

    Edges are taken from strong to weak, ties by name; one that would close a cycle is given up. So the result does not
    depend on the order of `edges`, and strong edges survive. A self-loop is always given up.
    """
    removed = {edge for edge in edges if edge[0] == edge[1]}
    suspects = _inside_components(edge for edge in edges if edge not in removed)
    kept: nx.DiGraph[str] = nx.DiGraph()
    for edge in sorted(suspects, key=lambda edge: (-edges[edge], edge)):
        source, target = edge
        if source in kept and target in kept and nx.has_path(kept, target, source):
            removed.add(edge)
        else:
            kept.add_edge(source, target)
    return frozenset(removed)


def _inside_components(edges: Iterable[Edge]) -> list[Edge]:
    """Only edges inside a strongly connected component can lie on a cycle."""
    graph: nx.DiGraph[str] = nx.DiGraph(sorted(edges))
    component = {node: number for number, nodes in enumerate(nx.strongly_connected_components(graph)) for node in nodes}
    return [edge for edge in graph.edges if component[edge[0]] == component[edge[1]]]
