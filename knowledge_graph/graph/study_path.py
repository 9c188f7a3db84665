"""What to learn before a concept, in order, and how little of it is enough.

Belongs here: edges by row number and the search over them. Names, definitions and evidence are in `graph.py`.
"""

import heapq
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.graph.ragged_array import Numbers, RaggedArray

LEAST_NEED = 0.5
"""A concept is on the path when the goal more probably needs it than not."""
MOST_STEPS = 8
"""A definition and its example take about a minute of a lecture: eight steps are ten minutes before the one wanted."""


@dataclass(frozen=True)
class Need:
    """A concept (by row) that a goal needs with probability `need`, by way of edge `edge` to what needs it."""

    row: int
    need: float
    edge: int


class Edges:
    """The edges of a graph of `size` concepts, numbered as they are given: `sources[n]` comes before `targets[n]`."""

    def __init__(self, sources: Numbers, targets: Numbers, probabilities: NDArray[np.float64], size: int) -> None:
        self.sources, self.targets, self.probabilities = sources, targets, probabilities
        everything = np.arange(len(sources))
        strongest = np.lexsort((everything, -probabilities))
        self.into = RaggedArray.group(targets[strongest], everything[strongest], size)
        self.out_of = RaggedArray.group(sources[strongest], everything[strongest], size)
        self.levels = self._levels(size)

    def path_to(self, goal: int, known: Iterable[int], *, most: int, least: float) -> list[Need]:
        """The concepts to learn before `goal`, by row; `levels` orders them for learning.

        The need for a concept is the product of the probabilities along the surest chain of edges from it to the goal.
        What is known, and what is needed for that, is not learnt again. Of the others the `most` most needed are kept,
        those fewer edges away first where the need is equal; as need falls along a chain, what asks for a concept is
        always kept with it.
        """
        settled = frozenset(known)
        settled |= {need.row for need in self._needs(settled, (), least)}
        if goal in settled:
            return []
        needs = self._needs([goal], settled, least)
        chosen = [need for need, _ in zip(needs, range(most), strict=False)]
        return sorted(chosen, key=lambda need: need.row)

    def _needs(self, goals: Iterable[int], settled: Container[int], least: float) -> Iterator[Need]:
        """What the goals need, most needed first (Dijkstra's algorithm on the logarithms of the probabilities)."""
        seen = set(goals)
        waiting = [step for goal in sorted(seen) for step in self._steps(goal, 1.0, 0, least)]
        heapq.heapify(waiting)
        while waiting:
            unneeded, hops, row, edge = heapq.heappop(waiting)
            if row in seen or row in settled:
                continue
            seen.add(row)
            yield Need(row, -unneeded, edge)
            for step in self._steps(row, -unneeded, hops, least):
                heapq.heappush(waiting, step)

    def _steps(self, row: int, need: float, hops: int, least: float) -> Iterator[tuple[float, int, int, int]]:
        for edge in self.into[row].tolist():
            weaker = need * float(self.probabilities[edge])
            if weaker < least:
                return
            yield -weaker, hops + 1, int(self.sources[edge]), edge

    def _levels(self, size: int) -> Numbers:
        """For each concept, the length of the longest chain that leads to it, so every edge goes to a higher level.

        Concepts on or behind a cycle keep the highest level, since they have no order.
        """
        missing = self.into.lengths()
        levels = np.full(size, size, dtype=np.int64)
        level, ready = 0, np.flatnonzero(missing == 0)
        while len(ready):
            levels[ready] = level
            reached, times = np.unique(self.targets[self.out_of.all_of(ready)], return_counts=True)
            missing[reached] -= times
            level, ready = level + 1, reached[missing[reached] == 0]
        return levels
