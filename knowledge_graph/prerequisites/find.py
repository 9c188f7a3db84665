"""The prerequisites of one course: pairs, votes, probabilities, cycle repair and evidence put together.

Belongs here: the order of the steps and what is kept. Each step has its own module.
"""

from collections.abc import Mapping, Sequence

from knowledge_graph.prerequisites.combine import THRESHOLD, probability
from knowledge_graph.prerequisites.pairs import ConceptContext, PairContext, concept_contexts, related_pairs
from knowledge_graph.prerequisites.repair import Edge, weakest_of_cycles
from knowledge_graph.prerequisites.votes import votes_on
from knowledge_graph.records import Concept, CourseCard, Cue, Prerequisite, Span
from knowledge_graph.text import Sentence, sentences

MOST_CONCEPTS = 120
MOST_PAIRS = 4_000
_EVIDENCE = 3
_NEIGHBOURHOOD = 4  # sentences between two mentions that still count as one stretch of evidence

BELOW_THRESHOLD = "below threshold"
WEAKEST_OF_CYCLE = "weakest edge of a cycle"


def find_prerequisites(
    concepts: Sequence[Concept],
    cues: Sequence[Cue],
    card: CourseCard,
    *,
    most_concepts: int = MOST_CONCEPTS,
    most_pairs: int = MOST_PAIRS,
) -> list[Prerequisite]:
    """Ordered pairs among the best `most_concepts`, most probable first; the accepted ones form a DAG.

    A pair is in the list when the two concepts are related and at least one labelling function votes for the direction.
    Accepted pairs carry one to three evidence spans; rejected ones say why.
    """
    spoken = sentences(cues)
    contexts = concept_contexts(sorted(concepts, key=lambda concept: concept.rank)[:most_concepts], spoken)
    scored = _scored(contexts, len(spoken))[:most_pairs]
    edges = {_edge(pair): value for value, pair, _ in scored if value >= THRESHOLD}
    cyclic = weakest_of_cycles(edges)
    return [
        _prerequisite(card, pair, votes, value, _rejection(_edge(pair), edges, cyclic), spoken)
        for value, pair, votes in scored
    ]


def _scored(contexts: Sequence[ConceptContext], length: int) -> list[tuple[float, PairContext, dict[str, int]]]:
    scored = []
    for related in related_pairs(contexts, length):
        for pair in (related, related.reverse()):
            votes = votes_on(pair)
            if 1 in votes.values():
                scored.append((probability(votes), pair, votes))
    return sorted(scored, key=lambda item: (-item[0], _edge(item[1])))


def _edge(pair: PairContext) -> Edge:
    return pair.a.concept.concept_id, pair.b.concept.concept_id


def _rejection(edge: Edge, accepted: Mapping[Edge, float], cyclic: frozenset[Edge]) -> str | None:
    if edge not in accepted:
        return BELOW_THRESHOLD
    return WEAKEST_OF_CYCLE if edge in cyclic else None


def _prerequisite(
    card: CourseCard,
    pair: PairContext,
    votes: dict[str, int],
    value: float,
    rejected_because: str | None,
    spoken: Sequence[Sentence],
) -> Prerequisite:
    accepted = rejected_because is None
    return Prerequisite(
        course_id=card.course_id,
        prerequisite_id=pair.a.concept.concept_id,
        concept_id=pair.b.concept.concept_id,
        prerequisite=pair.a.concept.name,
        concept=pair.b.concept.name,
        probability=value,
        accepted=accepted,
        rejected_because=rejected_because,
        votes=votes,
        evidence=_evidence(pair, spoken) if accepted else (),
    )


def _evidence(pair: PairContext, spoken: Sequence[Sentence]) -> tuple[Span, ...]:
    """Sentences that mention both, recalls first; else stretches that do; else the definition or first mention of B."""
    both = sorted(pair.a.mentions & pair.b.mentions)
    best = sorted(both, key=lambda at: (at not in pair.a.recalled, len(spoken[at].text) > 300, at))[:_EVIDENCE]
    if best:
        return tuple(spoken[at].span() for at in sorted(best))
    stretches = [stretch for at in sorted(pair.b.mentions) if (stretch := _stretch(at, pair.a.mentions, spoken))]
    if stretches:
        return tuple(stretches[:_EVIDENCE])
    return (spoken[pair.b.first if pair.b.defined is None else pair.b.defined].span(),)


def _stretch(at: int, others: frozenset[int], spoken: Sequence[Sentence]) -> Span | None:
    """From one mention to the nearest mention of the other concept in the same video, when it is near."""
    close = [
        other
        for other in range(at - _NEIGHBOURHOOD, at + _NEIGHBOURHOOD + 1)
        if other in others and spoken[other].video_id == spoken[at].video_id
    ]
    if not close:
        return None
    nearest = min(close, key=lambda other: (abs(other - at), other))
    first, last = sorted((at, nearest))
    text = " ".join(sentence.text for sentence in spoken[first : last + 1])
    return Span(spoken[at].video_id, spoken[first].start_ms, spoken[last].end_ms, text)
