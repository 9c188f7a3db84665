"""How well a stored question matches the question asked, from 0 to 1. Pure; the threshold on it is calibration's."""

import math
from collections.abc import Callable, Iterable

Weigh = Callable[[str], float]
"""The weight of a term, above 0; `SearchIndex.idf` in service."""


def idf(document_count: int, document_frequency: int) -> float:
    """Inverse document frequency as in BM25: ln(1 + (N - n + 0.5) / (n + 0.5)), always above 0."""
    return math.log(1 + (document_count - document_frequency + 0.5) / (document_frequency + 0.5))


def overlap(asked: Iterable[str], stored: Iterable[str], weigh: Weigh) -> float:
    """Weighted Dice overlap of two sets of terms: 2 * w(asked & stored) / (w(asked) + w(stored)).

    1 when the sets are equal, 0 when nothing is shared or one is empty. Both sides count: a stored question about
    more, or less, than was asked is a weaker match. Raw BM25 has no upper end, so eq. 7's threshold is put on this.
    """
    left, right = set(asked), set(stored)
    total = _sum(left, weigh) + _sum(right, weigh)
    return 2 * _sum(left & right, weigh) / total if left and right else 0.0


def share(asked: Iterable[str], found: Iterable[str], weigh: Weigh) -> float:
    """Share of the weight of `asked` that is also in `found`: w(asked & found) / w(asked); 0 when nothing was asked."""
    left = set(asked)
    return _sum(left & set(found), weigh) / _sum(left, weigh) if left else 0.0


def _sum(found: set[str], weigh: Weigh) -> float:
    return math.fsum(map(weigh, found))
