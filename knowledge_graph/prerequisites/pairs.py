"""The ordered pairs that are voted on, and what a labelling function sees of one.

Belongs here: which pairs are worth asking about, and their measures on scales that mean the same in every course.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.prerequisites.measures import Floats, PairMeasures

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PairContext:
    """An ordered pair: should `a` be known before `b`? Signs and ranks are positive when a should come first.

    A rank is the share of the course's pairs with a smaller difference, -1..1 with the sign of the difference; a
    closeness the share of pairs that are less close, 0..1. So one cut fits every course.
    """

    time_closeness: float
    meaning_closeness: float
    reference_rank: float
    embedded_reference_rank: float
    spread_rank: float
    dwelling_rank: float
    first: int
    """Stretches from the first mention of a to that of b."""
    explained: int
    """Sentences from where a is explained to where b is."""
    titled: int
    """Stretches from the one titled after a to the one titled after b; 0 unless both have one."""
    known: int
    introduced_with: float
    """-1..1."""
    explains: int
    recalled: int
    contained: int
    kernel: int
    shares_word: bool


@dataclass(frozen=True)
class Pairs:
    """Ordered pairs by the rows of their concepts, `a[n]` before `b[n]`; every pair stands in both directions."""

    a: Rows
    b: Rows

    def __len__(self) -> int:
        return len(self.a)


def candidate_pairs(measures: PairMeasures, stated: Sequence[tuple[int, int]] = ()) -> Pairs:
    """Both directions of the pairs that meet in a stretch, that one name links, or that people speak of (`stated`).

    What is never talked of together is not asked about: of pairs people labelled for a programming course, nine out of
    ten that met in a lecture had been found worth a label, of the others one in four.
    """
    asked = (measures.meets > 0) | (measures.contained != 0) | (measures.kernel != 0)
    for a, b in stated:
        asked[a, b] = True
    asked |= asked.T
    np.fill_diagonal(asked, False)
    return Pairs(*np.nonzero(asked))


def pair_contexts(measures: PairMeasures, pairs: Pairs) -> list[PairContext]:
    """What is known of each pair, in their order."""
    at = (pairs.a, pairs.b)
    columns = (
        closeness(measures.in_time[at]),
        closeness(measures.in_meaning[at]),
        rank_with_sign(measures.reference[at]),
        rank_with_sign(measures.embedded_reference[at]),
        rank_with_sign(measures.spread[at]),
        rank_with_sign(measures.dwelling[at]),
        measures.first[at].astype(np.int64),
        measures.explained[at].astype(np.int64),
        measures.titled[at].astype(np.int64),
        measures.known[at],
        measures.introduced_with[at],
        measures.explains[at],
        measures.recalled[at],
        measures.contained[at],
        measures.kernel[at],
        measures.shares_word[at],
    )
    return [PairContext(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def closeness(values: Floats) -> Floats:
    """The share of the values that are smaller, 0..1."""
    smaller: Floats = np.searchsorted(np.sort(values), values, side="left") / max(1, len(values))
    return smaller


def rank_with_sign(differences: Floats) -> Floats:
    """The share of the differences that are smaller in size, with the sign of each, -1..1."""
    sizes: Floats = np.abs(differences).round(12)
    ranks: Floats = np.sign(differences) * closeness(sizes)
    return ranks
