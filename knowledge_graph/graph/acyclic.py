"""Making a set of weighted edges acyclic by giving up the weakest edge of every cycle.

Belongs here: the repair alone. It is used for one course and again after courses are merged, so it must bear a million
edges of which most contradict each other.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping

Edge = tuple[str, str]
"""Ids of a prerequisite and of the concept that needs it."""


def weakest_of_cycles(edges: Mapping[Edge, float]) -> frozenset[Edge]:
    """The edges to remove so that no cycle is left; each is the weakest edge of a cycle among those that stay.

    Edges are taken from strong to weak, ties by name; one that would close a cycle is given up. So the result does not
    depend on the order of `edges`, and strong edges survive. A self-loop is always given up.
    """
    removed = {edge for edge in edges if edge[0] == edge[1]}
    suspects = _inside_components(edge for edge in edges if edge not in removed)
    kept = _GrowingOrder(_likely_order({edge: edges[edge] for edge in suspects}))
    for edge in sorted(suspects, key=lambda edge: (-edges[edge], edge)):
        if not kept.add(edge):
            removed.add(edge)
    return frozenset(removed)


class _GrowingOrder:
    """A topological order kept up while edges are added (Pearce and Kelly, A dynamic topological sort algorithm, 2006).

    Only what lies between the two ends of an edge that disagrees with the order is looked at, where a search for a path
    would walk the whole graph for every edge.
    """

    def __init__(self, nodes: Iterable[str]) -> None:
        self._place = {node: place for place, node in enumerate(nodes)}
        self._after: defaultdict[str, list[str]] = defaultdict(list)
        self._before: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, edge: Edge) -> bool:
        """Whether the edge was added; `False` when it would close a cycle."""
        source, target = edge
        low, high = self._place[target], self._place[source]
        if low < high:
            later = self._reachable(target, self._after, low, high)
            if source in later:
                return False
            self._reorder(self._reachable(source, self._before, low, high), later)
        self._after[source].append(target)
        self._before[target].append(source)
        return True

    def _reachable(self, start: str, steps: Mapping[str, list[str]], low: int, high: int) -> set[str]:
        seen, waiting = {start}, [start]
        while waiting:
            for node in steps.get(waiting.pop(), ()):
                if node not in seen and low <= self._place[node] <= high:
                    seen.add(node)
                    waiting.append(node)
        return seen

    def _reorder(self, earlier: set[str], later: set[str]) -> None:
        place = self._place.__getitem__
        nodes = [*sorted(earlier, key=place), *sorted(later, key=place)]
        self._place.update(zip(nodes, sorted(map(place, nodes)), strict=True))


def _likely_order(edges: Mapping[Edge, float]) -> list[str]:
    """The nodes in an order that most edges agree with: next is always the one that least still leads to, by weight."""
    after: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    missing: defaultdict[str, float] = defaultdict(float)
    for source, target in sorted(edges):
        after[source].append((target, edges[source, target]))
        missing[target] += edges[source, target]
        missing[source] += 0.0
    waiting = [(weight, node) for node, weight in missing.items()]
    heapq.heapify(waiting)
    order: dict[str, None] = {}
    while waiting:
        weight, node = heapq.heappop(waiting)
        if node in order or weight != missing[node]:
            continue
        order[node] = None
        for target, less in after[node]:
            if target not in order:
                missing[target] -= less
                heapq.heappush(waiting, (missing[target], target))
    return list(order)


def _inside_components(edges: Iterable[Edge]) -> list[Edge]:
    """Only edges inside a strongly connected component can lie on a cycle."""
    import networkx as nx  # noqa: PLC0415  0.2 s, and the graph of most builds stays as it was

    graph: nx.DiGraph[str] = nx.DiGraph(sorted(edges))
    component = {node: number for number, nodes in enumerate(nx.strongly_connected_components(graph)) for node in nodes}
    return [edge for edge in graph.edges if component[edge[0]] == component[edge[1]]]
