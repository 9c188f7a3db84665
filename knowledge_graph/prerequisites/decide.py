"""Which pairs are accepted, which are not and why: the cut, what people say, and no cycles.

Belongs here: the decision. Where the probabilities come from is in `combine.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.acyclic import Edge, weakest_of_cycles
from knowledge_graph.prerequisites.combine import SURE
from knowledge_graph.prerequisites.statement_labels import Stated

BELOW_THRESHOLD = "below threshold"
WEAKEST_OF_CYCLE = "weakest edge of a cycle"
BY_TEACHER = "rejected by a teacher"
NOT_AMONG_THE_MOST = "not among the most probable of its concept"

MOST_INTO = 20
"""Prerequisites of one concept that are accepted: people who label courses name seven on the average, seldom more than
twenty, and nobody reads a longer list."""


@dataclass(frozen=True)
class ScoredPair:
    """An ordered pair with its probability; `supported` when a labelling function votes for it."""

    edge: Edge
    probability: float
    supported: bool


@dataclass(frozen=True)
class EdgeDecision:
    """`rejected_because` is `None` for an accepted pair."""

    edge: Edge
    probability: float
    rejected_because: str | None


def decide(scored: Sequence[ScoredPair], *, cut: float, stated: Stated, most: int) -> list[EdgeDecision]:
    """All accepted pairs, what a teacher speaks of, and the most probable supported others, up to `most`.

    Pairs from `cut` on are accepted, of those into one concept the `MOST_INTO` most probable, and so are those a
    dataset gives, of whatever concepts. A teacher's word overrides all with probability 1 or 0. Of every cycle the
    weakest edge goes, so teachers' edges stay as long as they do not contradict each other. Most probable first.
    """
    values = {one.edge: one.probability for one in scored if one.supported or one.probability >= cut}
    given = frozenset(stated.given_edges)
    values |= dict.fromkeys(given, SURE)
    said = {edge: float(one.kind == "prerequisite") for edge, one in stated.by_teacher.items()}
    likely = {edge: value for edge, value in values.items() if (value >= cut or edge in given) and edge not in said}
    accepted = _most_probable(likely) | {edge: value for edge, value in said.items() if value}
    accepted |= {edge: value for edge, value in likely.items() if edge in given}
    cyclic = weakest_of_cycles(accepted)
    because = {
        **dict.fromkeys(values, BELOW_THRESHOLD),
        **dict.fromkeys(likely, NOT_AMONG_THE_MOST),
        **dict.fromkeys(said, BY_TEACHER),
        **dict.fromkeys(accepted),
        **dict.fromkeys(cyclic, WEAKEST_OF_CYCLE),
    }
    decisions = (EdgeDecision(edge, value, because[edge]) for edge, value in ({**values, **said}).items())
    ranked = sorted(decisions, key=lambda one: (-one.probability, one.edge))
    return list(_keep_best(ranked, said, most))


def _most_probable(edges: Mapping[Edge, float]) -> dict[Edge, float]:
    """The `MOST_INTO` most probable edges into each concept."""
    into: Counter[str] = Counter()
    kept = {}
    for edge in sorted(edges, key=lambda edge: (-edges[edge], edge)):
        if into[edge[1]] < MOST_INTO:
            into[edge[1]] += 1
            kept[edge] = edges[edge]
    return kept


def _keep_best(ranked: Sequence[EdgeDecision], said: Iterable[Edge], most: int) -> Iterator[EdgeDecision]:
    always = {one.edge for one in ranked if one.rejected_because is None} | set(said)
    room = most - len(always)
    for one in ranked:
        if one.edge in always:
            yield one
        elif room > 0:
            room -= 1
            yield one
