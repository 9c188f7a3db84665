"""How good a course's prerequisites are against pairs that people labelled, beside three baselines on the same pairs.

Belongs here: the counting. The pairs are read in `sources/gold.py` and never seen by what finds prerequisites.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.measures import count_matrix, references
from knowledge_graph.prerequisites.mentions import Mentions, find_mentions
from knowledge_graph.sources.gold import LabelledPair
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.text.sentences import LectureSpan, language_of, normal_form

_DISTANCE = 0.02  # of the reference distance (Liang et al. 2015): chosen here, less is rounding

Rows = tuple[int, int]
"""An edge by the rows of its ends."""


@dataclass(frozen=True)
class Scores:
    """Precision, recall and their harmonic mean over ordered pairs, 0..1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class PairScores:
    """The scores of a graph and of baselines on the same instances: both directions of every covered labelled pair."""

    scores: Scores
    shown: Scores
    """Scores on the edges that students are shown."""
    baselines: dict[str, Scores]
    """`first_mention`: who is mentioned first; `reference_distance`: and is referred to more; `every_pair`."""
    labelled: int
    covered: int
    """Labelled pairs of which the course mentions both concepts."""
    instances: int
    positives: int


def evaluate_pairs(
    accepted: Iterable[Edge],
    concepts: Sequence[Concept],
    sentences: Sequence[LectureSpan],
    labelled: Sequence[LabelledPair],
    *,
    shown: Iterable[Edge] = (),
) -> PairScores:
    """Compare accepted edges (prerequisite, concept), by name, with labelled pairs; and apart those that are `shown`.

    A labelled name stands for the concept that bears it as name or alias, and for itself where no concept does. A pair
    is covered when the sentences mention both; it gives two instances, both directions, of which one may be positive.
    """
    terms = _Terms.of(concepts, labelled)
    mentions = find_mentions(terms.concepts, sentences)
    row = {one.concept_id: at for at, one in enumerate(mentions.concepts)}
    ends = {(row.get(terms.id(one.first)), row.get(terms.id(one.second))): one for one in labelled}
    covered = {(a, b): one for (a, b), one in ends.items() if a is not None and b is not None and a != b}
    instances = {edge for a, b in covered for edge in ((a, b), (b, a))}
    gold = {
        (a, b) if terms.id(one.prerequisite) == terms.id(one.first) else (b, a)
        for (a, b), one in covered.items()
        if one.prerequisite is not None
    }
    found, sure = (
        {(row.get(terms.id(a), -1), row.get(terms.id(b), -1)) for a, b in edges} for edges in (accepted, shown)
    )
    baselines = {**_baselines(mentions), "every_pair": instances}
    return PairScores(
        scores=_scores(instances & found, gold),
        shown=_scores(instances & sure, gold),
        baselines={name: _scores(instances & edges, gold) for name, edges in baselines.items()},
        labelled=len(labelled),
        covered=len(covered),
        instances=len(instances),
        positives=len(gold),
    )


@dataclass(frozen=True)
class _Terms:
    """Who bears a name: a concept of the course, or else a term that only the labels know."""

    by_name: Mapping[str, Concept]
    concepts: list[Concept]
    """What the labels speak of."""

    @classmethod
    def of(cls, concepts: Sequence[Concept], labelled: Iterable[LabelledPair]) -> "_Terms":
        by_name = {fold_name(name): one for one in reversed(concepts) for name in one.aliases}
        by_name |= {fold_name(one.name): one for one in reversed(concepts)}
        spoken_of = {}
        for name in (name for pair in labelled for name in (pair.first, pair.second)):
            term = by_name.setdefault(fold_name(name), _term(name))
            spoken_of[term.concept_id] = term
        return cls(by_name, list(spoken_of.values()))

    def id(self, name: str) -> str:
        known = self.by_name.get(fold_name(name))
        return "" if known is None else known.concept_id


def _baselines(mentions: Mentions) -> dict[str, set[Rows]]:
    """What needs no learning: order of the first mention, and with it the distance of references between stretches."""
    if not mentions.concepts:
        return {"first_mention": set(), "reference_distance": set()}
    first = np.array([found[0] for found in mentions.positions])
    earlier = first[:, None] < first[None, :]
    refers = references(count_matrix(mentions))
    distant = earlier & (refers - refers.T > _DISTANCE)
    return {"first_mention": _edges(earlier), "reference_distance": _edges(distant)}


def _edges(chosen: NDArray[np.bool_]) -> set[Rows]:
    a, b = np.nonzero(chosen)
    return set(zip(a.tolist(), b.tolist(), strict=True))


def _scores(found: set[Rows], gold: set[Rows]) -> Scores:
    right = len(found & gold)
    precision, recall = right / max(1, len(found)), right / max(1, len(gold))
    return Scores(precision, recall, 2 * right / max(1, len(found) + len(gold)))


def _term(name: str) -> Concept:
    lang = language_of(name)
    return Concept(
        course_id="",
        concept_id=f"{lang}:{normal_form(name, lang)}",
        name=name,
        aliases=(),
        lang=lang,
        rank=0,
        score=0.0,
        definition=None,
        definition_kind="none",
        definition_locator=None,
        domains=(),
        mention_count=0,
        evidence=(),
        votes={},
    )
