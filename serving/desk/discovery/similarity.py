"""Which questions ask the same: by their words and concepts, and by meaning where there is an embedder. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serving.assistant.retrieval.tf_idf import TfIdf
from serving.index.analysis import content_terms

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class LikenessCuts:
    """From where questions ask the same, and from where the FAQ answers them.

    `words` is the share of words in how alike two questions are, the rest is meaning; they stand together while their
    distance is at most `apart`, on average. `entry_words` is that share between a question and an entry of the FAQ, and
    from `known`, 0..1, the entry answers.
    """

    words: float
    apart: float
    entry_words: float
    known: float


BY_MEANING = LikenessCuts(words=0.4, apart=0.5, entry_words=0.7, known=0.4)
"""Where there is an embedder. Within .02 of the best on one half of 435 FAQ entries with five wordings each, and
measured on the other (`benchmarks/faq_discovery.py`); of those as good, one that puts wordings without a common word
together when they mean nearly the same."""

BY_WORDS = LikenessCuts(words=1.0, apart=0.7, entry_words=1.0, known=0.25)
"""Where there is none. `apart` is a choice, made by looking; `known` was the best on the same half."""


def alike(texts: Sequence[str], *, encode: Encode | None = None) -> list[list[int]]:
    """The places of the texts that ask the same, each group ascending, in the order of their first ones."""
    vectors = encode(texts) if encode is not None and texts else None
    cuts = BY_WORDS if encode is None else BY_MEANING
    return put_together(likeness(texts, vectors, words=cuts.words), cuts.apart)


def likeness(
    texts: Sequence[str],
    vectors: NDArray[np.float32] | None,
    *,
    words: float,
    concepts: Sequence[Sequence[str]] = (),
) -> Matrix:
    """How alike each two texts are, at most 1: `words` parts of the cosine of their terms, the rest that of vectors.

    `concepts` has the ids of the concepts of each text: they count as words of it.
    """
    documents = terms_of(texts, concepts)
    by_words = word_cosines(documents, documents)
    return by_words if vectors is None else words * by_words + (1 - words) * cosines_of(vectors, vectors)


def put_together(cosines: Matrix, apart: float) -> list[list[int]]:
    """Groups by average linkage while their distance, 1 - cosine, is at most `apart`."""
    if len(cosines) < 2:
        return [[place] for place in range(len(cosines))]
    from scipy.cluster.hierarchy import fcluster, linkage  # noqa: PLC0415  .3 s, and every gateway loads this module
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    labels = fcluster(linkage(squareform(_distances(cosines), checks=False), method="average"), apart, "distance")
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(int(label), []).append(place)
    return list(groups.values())


def terms_of(texts: Sequence[str], concepts: Sequence[Sequence[str]] = ()) -> list[list[str]]:
    """The index terms of each text, so that Chinese is compared by words too, and its concepts."""
    named = concepts or [()] * len(texts)
    return [[*content_terms(text), *own] for text, own in zip(texts, named, strict=True)]


def word_cosines(asked: Sequence[Sequence[str]], stored: Sequence[Sequence[str]]) -> Matrix:
    """Cosines of TF-IDF over the terms of what is stored: a row for each asked, a column for each stored."""
    space = TfIdf(stored)
    return np.array([space.cosines(terms) for terms in asked]).reshape(len(asked), len(stored))


def cosines_of(left: NDArray[np.float32], right: NDArray[np.float32]) -> Matrix:
    """Cosines of vectors of length 1."""
    return np.asarray(left.astype(np.float64) @ right.T.astype(np.float64))


def _distances(cosines: Matrix) -> Matrix:
    """Symmetric, 0 on the diagonal, 0..1; questions without a single word are apart from all."""
    apart = np.clip(1 - (cosines + cosines.T) / 2, 0, 1)
    np.fill_diagonal(apart, 0)
    return apart
