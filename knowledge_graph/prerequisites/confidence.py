"""How sure it is that a teacher would send a student to the one concept before the other.

Belongs here: what is looked at in an accepted edge, the weights of a logistic model, and where a concept is taught. The
weights were fitted to edges that were labelled by hand (`benchmarks/fit_confidence.py`); from which confidence on an
edge is shown is in `showing.py`. The label model that accepts edges knows no hand labels: `combine.py`.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.graph.showing import definition_to_show
from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.mentions import Mentions
from knowledge_graph.prerequisites.pairs import PairContext
from knowledge_graph.text.matching import TermMatcher

_MOST_ODDS = 4.0  # of the label model, which is surer than it is right
_ZH_WORD = 2  # characters of the usual Chinese word

BIAS = -4.72
WEIGHTS: Mapping[str, float] = {
    "probability": 0.41,
    "needed": 2.72,
    "kind_of": 0.91,
    "together": 0.20,
    "meaning": 0.90,
    "introduced_with": 0.52,
    "titled": 0.21,
    "before_defined": 0.72,
    "before_one_word": -0.34,
    "before_technical": -0.60,
    "before_key": 0.69,
    "after_defined": 0.51,
    "after_score": 1.41,
    "after_hangs_together": 0.42,
    "after_loose": 2.22,
    "after_called_so": 0.52,
    "after_frequent": -0.29,
    "after_names": 0.53,
}
"""Weights of `features`, fitted to the development half of `benchmarks/labels/edges.csv`."""


@dataclass(frozen=True, slots=True)
class WeighedEdge:
    """An edge from `before` to `after`, as it is weighed."""

    before: Concept
    after: Concept
    probability: float
    """By the label model."""
    context: PairContext
    together: int
    """Sentences that name both."""
    needed: bool
    """Whether the definition that is shown of `after` names `before`."""


def confidence(link: WeighedEdge) -> float:
    """P(a teacher would name it), 0..1."""
    seen = features(link)
    return round(1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * seen[name] for name in WEIGHTS))), 4)


def features(link: WeighedEdge) -> dict[str, float]:
    """What is looked at, by name.

    Of the ends, what the concepts' labelling functions said of them: a name whose words do not hang together (*unique
    vector*) or that begins with a loose one is no concept to be prepared for, and what others build on is called by
    everyday words that this course says more often than most.
    """
    context, before, after = link.context, link.before, link.after
    odds = math.log(max(link.probability, 1e-6) / max(1 - link.probability, 1e-6))
    return {
        "probability": max(-_MOST_ODDS, min(_MOST_ODDS, odds)),
        "needed": link.needed,
        "kind_of": _is_kind_of(after, before),
        "together": math.log1p(link.together),
        "meaning": context.meaning_closeness,
        "introduced_with": context.introduced_with,
        "titled": _sign(context.titled),
        "before_defined": before.definition is not None,
        "before_one_word": _is_one_word(before),
        "before_technical": before.votes.get("holds_a_technical_word", 0),
        "before_key": before.votes.get("key_to_the_course", 0),
        "after_defined": definition_to_show(after) is not None,
        "after_score": after.score,
        "after_hangs_together": after.votes.get("hangs_together", 0),
        "after_loose": after.votes.get("begins_with_a_loose_word", 0),
        "after_called_so": after.votes.get("called_so", 0),
        "after_frequent": after.votes.get("frequent_and_whole", 0),
        "after_names": math.log1p(len(after.aliases)),
    }


def links(
    mentions: Mentions, contexts: Mapping[Edge, PairContext], edges: Mapping[Edge, float]
) -> dict[Edge, WeighedEdge]:
    """The edges, with their probabilities, between concepts that the text mentions."""
    concepts = {one.concept_id: one for one in mentions.concepts}
    positions = {one.concept_id: set(at) for one, at in zip(mentions.concepts, mentions.positions, strict=True)}
    named = _names_in_definitions(mentions.concepts)
    return {
        (before, after): WeighedEdge(
            concepts[before],
            concepts[after],
            probability,
            contexts[before, after],
            len(positions[before] & positions[after]),
            before in named[after],
        )
        for (before, after), probability in edges.items()
        if (before, after) in contexts
    }


def taught_later(before: Concept, after: Concept, lectures: Mapping[str, int]) -> bool:
    """Whether the place shown for `before` lies in a later lecture than that of `after`; `lectures` by video id."""
    first, second = (lectures.get(_place(one) or "") for one in (before, after))
    return first is not None and second is not None and first > second


def _place(concept: Concept) -> str | None:
    """The video that is shown for a concept: of its definition, else of its first evidence."""
    at = concept.definition_locator if definition_to_show(concept) is not None else None
    if at is not None and at.video_id is not None:
        return at.video_id
    return next((span.video_id for span in concept.evidence), None)


def _names_in_definitions(concepts: Sequence[Concept]) -> dict[str, Collection[str]]:
    matcher = TermMatcher((one.concept_id, name) for one in concepts for name in (one.name, *one.aliases))
    return {
        one.concept_id: {key for match in matcher.find(definition_to_show(one) or "") for key in match.keys}
        for one in concepts
    }


def _is_kind_of(special: Concept, general: Concept) -> bool:
    """A binary tree is a tree, by its name."""
    name, head = (one.concept_id.partition(":")[2] for one in (special, general))
    return name != head and name.endswith(head if special.lang == "zh" else f" {head}")


def _is_one_word(concept: Concept) -> bool:
    name = concept.concept_id.partition(":")[2]
    return len(name) <= _ZH_WORD if concept.lang == "zh" else " " not in name


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
