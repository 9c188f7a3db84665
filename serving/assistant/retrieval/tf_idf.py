"""`TfIdf`: documents as vectors of TF-IDF, and their cosines with a question (Tulane 2.IV-2.V). Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


class TfIdf:
    """The vectors of some documents, prepared once and never changed. Each document is the list of its terms.

    tf(t, d) = f(t, d) / sum of f(t', d), as the paper has it. It names no idf; this is ln((1 + N) / (1 + n)) + 1, that
    of scikit-learn, with N documents of which n hold the term: no term of the collection weighs nothing.
    """

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self.size = len(documents)
        counts = [Counter(document) for document in documents]
        frequencies = Counter(term for count in counts for term in count)
        self._idf = {term: math.log((1 + self.size) / (1 + n)) + 1 for term, n in frequencies.items()}
        self._places, self._weights = _postings(self._vector(count) for count in counts)

    def cosines(self, question: Iterable[str]) -> NDArray[np.float64]:
        """The cosine of each document with a question, 0..1; terms that no document has are not in the space."""
        cosines = np.zeros(self.size)
        for term, weight in self._vector(Counter(question)).items():
            cosines[self._places[term]] += weight * self._weights[term]
        return cosines

    def _vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        """tf * idf of the known terms, scaled to length 1."""
        total = sum(counts.values())
        vector = {term: count / total * self._idf[term] for term, count in counts.items() if term in self._idf}
        length = math.sqrt(math.fsum(value * value for value in vector.values()))
        return {term: value / length for term, value in vector.items()}


def _postings(
    vectors: Iterable[Mapping[str, float]],
) -> tuple[dict[str, NDArray[np.int32]], dict[str, NDArray[np.float64]]]:
    """By term: in which documents it stands (ascending), and its weight in each."""
    places: dict[str, list[int]] = defaultdict(list)
    weights: dict[str, list[float]] = defaultdict(list)
    for place, vector in enumerate(vectors):
        for term, weight in vector.items():
            places[term].append(place)
            weights[term].append(weight)
    return (
        {term: np.array(listed, dtype=np.int32) for term, listed in places.items()},
        {term: np.array(listed) for term, listed in weights.items()},
    )
