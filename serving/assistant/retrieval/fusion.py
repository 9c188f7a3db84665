"""How lists of results become one: reciprocal rank fusion, a weighted sum, maximal marginal relevance. Pure.

Everything here works on ids, numbers and vectors; ties are broken by id, so the same input gives the same order.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009, and Maastricht 1.3)."""

Scores = Mapping[str, float]
"""Score by id, larger is better."""


def reciprocal_ranks(lists: Sequence[Sequence[str]], *, k: int = RRF_K) -> dict[str, float]:
    """RRF(D) = sum over lists of 1 / (k + rank(D)), ranks from 1; a list without D adds nothing (Cormack et al. 2009).

    An id counts once in a list, where it stands first.
    """
    fused: dict[str, float] = {}
    for ranked in lists:
        for place, key in enumerate(dict.fromkeys(ranked), start=1):
            fused[key] = fused.get(key, 0.0) + 1.0 / (k + place)
    return fused


def normalise_scores(scores: Scores) -> dict[str, float]:
    """Each score as a share of the largest, 0..1; all 0 when none is above 0."""
    most = max(scores.values(), default=0.0)
    return {key: max(score, 0.0) / most if most > 0 else 0.0 for key, score in scores.items()}


def stretch_scores(scores: Scores) -> dict[str, float]:
    """Each score between the smallest (0) and the largest (1); all 1 when they are the same.

    For cosines: models of different makes crowd theirs into different small ranges.
    """
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {key: (score - least) / (most - least) if most > least else 1.0 for key, score in scores.items()}


def sum_weighted(parts: Sequence[tuple[float, Scores]]) -> dict[str, float]:
    """Sum of weight times score over every id that stands in any part; a part without it counts as 0."""
    keys = dict.fromkeys(key for _, scores in parts for key in scores)
    return {key: sum(weight * scores.get(key, 0.0) for weight, scores in parts) for key in keys}


def in_order(scores: Scores) -> list[str]:
    """Ids by score, best first, ties by id."""
    return sorted(scores, key=lambda key: (-scores[key], key))


def diverse(
    relevance: Scores, vectors: Mapping[str, NDArray[np.float32]], *, weight: float, k: int
) -> list[tuple[str, float]]:
    """The first `k` ids by maximal marginal relevance, with the value each was chosen for (Carbonell & Goldstein 1998).

    Next is whoever has the largest weight * relevance - (1 - weight) * (largest cosine with those chosen before).
    `vectors` have unit length; who has none is like nothing. `weight` is the paper's lambda: at 1 the order is that of
    `relevance`; relevance and cosines should be on one scale, 0..1.
    """
    left = in_order(relevance)
    closest = dict.fromkeys(left, 0.0)
    chosen: list[tuple[str, float]] = []
    while left and len(chosen) < k:
        values = {key: weight * relevance[key] - (1.0 - weight) * closest[key] for key in left}
        best = min(left, key=lambda key: (-values[key], -relevance[key], key))
        chosen.append((best, values[best]))
        left.remove(best)
        _draw_near(closest, left, best, vectors)
    return chosen


def _draw_near(
    closest: dict[str, float], left: Sequence[str], chosen: str, vectors: Mapping[str, NDArray[np.float32]]
) -> None:
    """Raise what is known of each one's largest cosine by that with the one just chosen."""
    near = vectors.get(chosen)
    known = [key for key in left if key in vectors]
    if near is None or not known:
        return
    for key, cosine in zip(known, np.stack([vectors[key] for key in known]) @ near, strict=True):
        closest[key] = max(closest[key], float(cosine))
