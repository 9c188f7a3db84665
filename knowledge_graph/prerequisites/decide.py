"""Which pairs are accepted, which are not and why: the cut, what people say, and no cycles.

Belongs here: the decision. Where the probabilities come from is in `combine.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knowledge_graph.acyclic import Edge, weakest_of_cycles
from knowledge_graph.prerequisites.combine import SURE
from knowledge_graph.prerequisites.stated import Stated

BELOW_THRESHOLD = "below threshold"
WEAKEST_OF_CYCLE = "weakest edge of a cycle"
BY_TEACHER = "rejected by a teacher"


@dataclass(frozen=True)
class Scored:
    """An ordered pair with its probability; `supported` when a labelling function votes for it."""

    edge: Edge
    probability: float
    supported: bool


@dataclass(frozen=True)
class Decision:
    """`rejected_because` is `None` for an accepted pair."""

    edge: Edge
    probability: float
    rejected_because: str | None


def decide(scored: Sequence[Scored], *, cut: float, stated: Stated, most: int) -> list[Decision]:
    """All accepted pairs, what a teacher speaks of, and the most probable supported others, up to `most`.

    Pairs from `cut` on are accepted, and so are those a dataset gives, of whatever concepts. A teacher's word overrides
    all with probability 1 or 0. Of every cycle the weakest edge goes, so teachers' edges stay as long as they do not
    contradict each other. Most probable first.
    """
    values = {one.edge: one.probability for one in scored if one.supported or one.probability >= cut}
    values |= dict.fromkeys(stated.given, SURE)
    said = {edge: float(one.kind == "prerequisite") for edge, one in stated.by_teacher.items()}
    accepted = {edge: value for edge, value in values.items() if value >= cut and edge not in said}
    accepted |= {edge: value for edge, value in said.items() if value}
    cyclic = weakest_of_cycles(accepted)
    decisions = (
        Decision(edge, value, _reason(edge, accepted, cyclic, said)) for edge, value in ({**values, **said}).items()
    )
    ranked = sorted(decisions, key=lambda one: (-one.probability, one.edge))
    return list(_kept(ranked, said, most))


def _reason(edge: Edge, accepted: dict[Edge, float], cyclic: frozenset[Edge], said: dict[Edge, float]) -> str | None:
    if edge in accepted:
        return WEAKEST_OF_CYCLE if edge in cyclic else None
    return BY_TEACHER if edge in said else BELOW_THRESHOLD


def _kept(ranked: Sequence[Decision], said: Iterable[Edge], most: int) -> Iterator[Decision]:
    always = {one.edge for one in ranked if one.rejected_because is None} | set(said)
    room = most - len(always)
    for one in ranked:
        if one.edge in always:
            yield one
        elif room > 0:
            room -= 1
            yield one
