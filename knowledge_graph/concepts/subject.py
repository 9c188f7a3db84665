"""How near a term is to what the course is surely about: its seeds, else what its titles name.

Belongs here: the choice of anchors and the three ways of being near one: talked of together, sharing a last word,
standing in one list.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowledge_graph.concepts.facts import Facts
from knowledge_graph.concepts.features import head
from knowledge_graph.concepts.term_vectors import Floats, term_vectors

_FEWEST = 5
"""Anchors below which nothing is said: one stray title would pull the course after it."""
_NEAREST = 5  # anchors a term is compared with: a subject has many corners


def place(facts: Sequence[Facts]) -> list[Facts]:
    """The same facts with nearness to the anchors filled in; as they were when there are too few anchors."""
    given = [at for at, each in enumerate(facts) if each.seed]
    anchors = given if len(given) >= _FEWEST else [at for at, each in enumerate(facts) if _sure(each)]
    if len(anchors) < _FEWEST:
        return list(facts)
    near = _percentiles(_closeness(facts, anchors))
    ids = {facts[at].term.concept_id for at in anchors}
    heads = Counter(head(facts[at].term.candidate) for at in anchors)
    return [
        replace(
            each,
            closeness=float(near[at]),
            kin_of_anchors=heads[head(each.term.candidate)] - (each.term.concept_id in ids),
            listed=sum(each.term.candidate.joined[key] for key in each.term.candidate.joined.keys() & ids),
        )
        for at, each in enumerate(facts)
    ]


def _sure(facts: Facts) -> bool:
    """Named in a title, and more than an everyday word."""
    return facts.titled and (facts.words > 1 or facts.rarest <= 4) and not facts.generic_alone


def _closeness(facts: Sequence[Facts], anchors: Sequence[int]) -> Floats:
    """Mean cosine to the nearest anchors, itself left out."""
    vectors = term_vectors([each.term.candidate.places for each in facts])
    similar = vectors @ vectors[anchors].T
    similar[anchors, np.arange(len(anchors))] = -1.0
    nearest = min(_NEAREST, len(anchors) - 1)
    found: Floats = np.sort(similar, axis=1)[:, -nearest:].mean(axis=1)
    return found


def _percentiles(values: Floats) -> Floats:
    """The share of the others that lie below each value; equal values share the middle of their places."""
    ordered = np.sort(values)
    low, high = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    found: Floats = (low + high - 1) / 2 / max(1, len(values) - 1)
    return found
