"""What the course shows of every ordered pair of concepts, as matrices: entry (a, b) speaks of "a before b".

Belongs here: the formulas. Matrices are concepts x concepts, so memory is bounded by the number of concepts, whatever
the length of the course. Opinions are in `votes.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.prerequisites.embedding import context_vectors
from knowledge_graph.prerequisites.mentions import Mentions, mention_counts
from knowledge_graph.prerequisites.names import Signs, find_containment, kernels_contained, share_a_word
from knowledge_graph.text.sentences import LectureSpan

Floats = NDArray[np.float64]

_NEAR = 5  # sentences before and after a mention that still belong to it
_INTRODUCTION = 5  # mentions that introduce a concept
_KNOWN = 2  # earlier sentences that make a concept known
_RELATED = 10  # nearest concepts that stand for a concept's field


@dataclass(frozen=True)
class PairMeasures:
    """Matrices over ordered pairs (a, b); `differences` are antisymmetric, larger where a should come first."""

    meets: NDArray[np.int32]
    """Stretches that mention both."""
    in_time: Floats
    """Cosine of the counts over stretches, 0..1."""
    in_meaning: Floats
    """Cosine of the words around their mentions (positive pointwise mutual information), 0..1."""
    reference: Floats
    """Reference distance over related concepts, -1..1."""
    embedded_reference: Floats
    """Reference distance over the nearest concepts in meaning, -1..1."""
    spread: Floats
    """Difference of the entropies over stretches, in nats."""
    dwelling: Floats
    """Log ratio of the mentions per stretch, b's to a's."""
    first: Floats
    """Stretches from the first mention of a to that of b."""
    explained: Floats
    """Sentences from where a is explained, or else first mentioned, to where b is.

    0 unless one of them is explained and they come up in different stretches."""
    titled: Floats
    """Stretches from the first titled after a to the first titled after b; 0 unless both have one."""
    known: Signs
    """1 when a is known and used when b is introduced, and not the other way round."""
    introduced_with: Floats
    """Share of the introduction of b that has a nearby, less the reverse."""
    explains: Signs
    """1 when a helps to explain b, and not the other way round."""
    recalled: NDArray[np.int32]
    """Sentences that call a back to mind near b, less the reverse."""
    contained: Signs
    kernel: Signs
    shares_word: NDArray[np.bool_]


def measure(mentions: Mentions, sentences: Sequence[LectureSpan]) -> PairMeasures:
    """All measures of one course; deterministic."""
    counts = count_matrix(mentions)
    present = (counts > 0).astype(np.float64)
    near, introduced, recalled = _windows(mentions)
    in_time = cosines(np.log1p(counts))
    in_meaning = cosines(context_vectors(mentions, sentences))
    refers = references(counts)
    beside = near / np.maximum(1, [len(found) for found in mentions.positions])
    spread = entropies(counts)
    dwelling = np.log(counts.sum(axis=1) / present.sum(axis=1))
    first = np.array([found[0] for found in mentions.positions], dtype=np.int64)
    first_stretch = np.array([mentions.stretch[at] for at in first], dtype=np.int64)
    return PairMeasures(
        meets=(present @ present.T).astype(np.int32),
        in_time=in_time,
        in_meaning=in_meaning,
        reference=reference_distance(refers, nearest(in_time)),
        embedded_reference=reference_distance(beside, nearest(in_meaning)),
        spread=_less(spread).T,
        dwelling=_less(dwelling),
        first=_less(first_stretch),
        explained=_definition_order(mentions, first, first_stretch),
        titled=_title_order(mentions.titled),
        known=_known(mentions, first, introduced),
        introduced_with=introduced - introduced.T,
        explains=_explains(mentions),
        recalled=recalled - recalled.T,
        contained=find_containment(mentions.names),
        kernel=kernels_contained(mentions.names),
        shares_word=share_a_word(mentions.names),
    )


def count_matrix(mentions: Mentions) -> Floats:
    """Concepts x stretches: the sentences that mention each."""
    counts = np.zeros((len(mentions.concepts), mentions.stretches))
    for row, found in enumerate(mention_counts(mentions)):
        counts[row, list(found)] = list(found.values())
    return counts


def references(counts: Floats) -> Floats:
    """Entry (a, b): how often talk of b refers to a, 0..1: the weight of b's stretches that mention a."""
    weights = np.log1p(counts)
    shares: Floats = (counts > 0) @ weights.T / weights.sum(axis=1)
    return shares


def reference_distance(refers: Floats, related: Floats) -> Floats:
    """RefD of Liang et al. 2015 (eq. 1) over concepts: b's field refers to a more than a's field to b.

    `refers[a, c]` is how often concept c refers to a, `related[b, c]` the weight w of c in the field of b. The sign is
    turned so that, as everywhere here, positive means that a comes first. No concept refers to itself.
    """
    others = refers.copy()
    np.fill_diagonal(others, 0)
    to_a: Floats = others @ related.T / np.maximum(related.sum(axis=1), 1e-12)
    return to_a - to_a.T


def nearest(similarity: Floats, *, most: int = _RELATED) -> Floats:
    """Only each row's `most` largest similarities to other concepts, the others 0; equal ones stay together."""
    others = similarity.copy()
    np.fill_diagonal(others, 0)
    if len(others) > most:
        others[others < np.sort(others, axis=1)[:, [-most]]] = 0
    return others


def entropies(counts: Floats) -> Floats:
    """Entropy of each concept's mentions over the stretches, in nats: high when it comes back all over the course."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    found: Floats = -(shares * logs).sum(axis=1)
    return found


def cosines(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    found: Floats = unit @ unit.T
    return found


def _less(values: NDArray[np.generic]) -> Floats:
    """Entry (a, b): the value of b less that of a."""
    number = values.astype(np.float64)
    found: Floats = number[None, :] - number[:, None]
    return found


def _windows(mentions: Mentions) -> tuple[NDArray[np.int32], Floats, NDArray[np.int32]]:
    """Entries (a, b): mentions of b with a nearby; share of b's introduction with a nearby; recalls of a near b."""
    size = len(mentions.concepts)
    near = np.zeros((size, size), dtype=np.int32)
    introduced = np.zeros((size, size))
    recalled = np.zeros((size, size), dtype=np.int32)
    for b, positions in enumerate(mentions.positions):
        for turn, at in enumerate(positions):
            around = _around(at, mentions.stretch)
            beside = sorted({row for other in around for row in mentions.by_sentence[other]})
            near[beside, b] += 1
            if turn < _INTRODUCTION:
                introduced[beside, b] += 1
            if called := {
                row for other in around if other in mentions.recalling for row in mentions.by_sentence[other]
            }:
                recalled[sorted(called), b] += 1
        introduced[:, b] /= min(len(positions), _INTRODUCTION)
    return near, introduced, recalled


def _around(at: int, stretch: Sequence[int]) -> list[int]:
    window = range(max(0, at - _NEAR), min(len(stretch), at + _NEAR + 1))
    return [other for other in window if stretch[other] == stretch[at]]


def _definition_order(mentions: Mentions, first: NDArray[np.generic], first_stretch: NDArray[np.generic]) -> Floats:
    at = [int(start) if found is None else found for found, start in zip(mentions.explained, first, strict=True)]
    defined = np.array([found is not None for found in mentions.explained], dtype=np.bool_)
    telling = (_less(first_stretch) != 0) & (defined[:, None] | defined[None, :])
    return np.where(telling, _less(np.array(at, dtype=np.float64)), 0.0)


def _title_order(titled: Sequence[int | None]) -> Floats:
    at = np.array([np.nan if found is None else found for found in titled], dtype=np.float64)
    return np.nan_to_num(_less(at))


def _known(mentions: Mentions, first: NDArray[np.int64], introduced: Floats) -> Signs:
    before = np.array([np.searchsorted(found, first) for found in mentions.positions]).reshape(introduced.shape)
    known = ((before >= _KNOWN) & (introduced > 0)).astype(np.int8)
    signs: Signs = known - known.T
    return signs


def _explains(mentions: Mentions) -> Signs:
    size = len(mentions.concepts)
    helps = np.zeros((size, size), dtype=np.int8)
    for b, helpers in enumerate(mentions.explained_with):
        helps[sorted(helpers), b] = 1
    signs: Signs = helps - helps.T
    return signs
