"""Questions that got no answer, those that ask the same together. Pure but for the embedder that is handed in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from serving.assistant.retrieval.tf_idf import TfIdf
from serving.index.analysis import content_terms

MOST_QUESTIONS = 500
"""Different questions that are grouped: the most asked. Their distances to each other are 500 x 500 numbers."""

APART = 0.7
"""Questions stand together while their cosine distance is below this, on average. A choice, made by looking."""

APART_BY_MEANING = 0.4
"""The same for vectors of meaning, which are never as far apart. A choice."""

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True)
class Open:
    """A question without an answer, and how often it was asked."""

    question: str
    n: int


@dataclass(frozen=True)
class Cluster:
    """Questions that ask the same: `asked` times in all. `question` is the most asked of them, `questions` all."""

    question: str
    asked: int
    questions: tuple[Open, ...]


def clusters(listed: Sequence[Open], *, encode: Encode | None = None) -> list[Cluster]:
    """Groups by average linkage, most asked first: by meaning where an embedder is given, else by words (TF-IDF)."""
    kept = sorted(listed, key=lambda one: (-one.n, one.question))[:MOST_QUESTIONS]
    if len(kept) < 2:
        return [Cluster(one.question, one.n, (one,)) for one in kept]
    texts = [one.question for one in kept]
    distances = _by_words(texts) if encode is None else _by_meaning(encode(texts))
    labels = fcluster(
        linkage(squareform(distances, checks=False), method="average"),
        t=APART if encode is None else APART_BY_MEANING,
        criterion="distance",
    )
    groups: dict[int, list[Open]] = {}
    for one, label in zip(kept, labels, strict=True):
        groups.setdefault(int(label), []).append(one)
    found = [Cluster(group[0].question, sum(one.n for one in group), tuple(group)) for group in groups.values()]
    return sorted(found, key=lambda cluster: (-cluster.asked, cluster.question))


def _by_words(texts: Sequence[str]) -> NDArray[np.float64]:
    """1 - cosine of TF-IDF over index terms, so that Chinese is compared by words too."""
    documents = [content_terms(text) for text in texts]
    space = TfIdf(documents)
    return _distances(np.stack([space.cosines(document) for document in documents]))


def _by_meaning(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return _distances(vectors.astype(np.float64) @ vectors.T.astype(np.float64))


def _distances(cosines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Symmetric, 0 on the diagonal, 0..1; questions without a single word are apart from all."""
    apart = np.clip(1 - (cosines + cosines.T) / 2, 0, 1)
    np.fill_diagonal(apart, 0)
    return apart
