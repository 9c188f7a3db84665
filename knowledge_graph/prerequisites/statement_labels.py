"""What people say about prerequisites, as labels of the course's pairs.

Belongs here: what a statement says of its pair and of the reverse. Finding the concepts it names, and whose word
counts when two contradict each other, is in `knowledge_graph.statements.pairs`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.lake.records import Statement


@dataclass(frozen=True)
class Stated:
    """One statement a pair (prerequisite, concept) of concept ids."""

    pairs: Mapping[Edge, Statement]

    @property
    def by_teacher(self) -> dict[Edge, Statement]:
        return {edge: one for edge, one in self.pairs.items() if one.given_by == "teacher"}

    @property
    def given_edges(self) -> list[Edge]:
        """The prerequisites of a dataset."""
        return [edge for edge, one in self.pairs.items() if one.given_by != "teacher" and one.kind == "prerequisite"]

    def votes(self, edge: Edge) -> dict[str, int]:
        """What is said of the edge as a vote, by who says it: `teacher` or `dataset`."""
        said = self.pairs.get(edge)
        if said is None:
            return {}
        return {"teacher" if said.given_by == "teacher" else "dataset": 1 if said.kind == "prerequisite" else -1}

    def labels(self, edges: Sequence[Edge]) -> dict[int, bool]:
        """What people say of these edges, by place; those nobody speaks of are left out."""
        found = ((place, self.label(edge)) for place, edge in enumerate(edges)) if self.pairs else ()
        return {place: label for place, label in found if label is not None}

    def label(self, edge: Edge) -> bool | None:
        """Whether people say it is a prerequisite; `None` when nobody says. Who says a → b denies b → a."""
        if edge in self.pairs:
            return self.pairs[edge].kind == "prerequisite"
        back = self.pairs.get((edge[1], edge[0]))
        return False if back is not None and back.kind == "prerequisite" else None
