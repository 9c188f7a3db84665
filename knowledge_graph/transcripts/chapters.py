"""Where the topic of a lecture changes, by its words alone (TextTiling, Hearst 1997). Pure."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang
from knowledge_graph.transcripts.words import tf_idf

BLOCK = 8
"""Sentences on either side of a gap that are compared. A choice: about 40 seconds of speech."""
SHORTEST_MS = 75_000
"""A chapter lasts at least so long; a lecture shorter than two of them is one chapter. A choice."""
DEEP = 0.6
"""A gap is a boundary when its depth is so many standard deviations above the lecture's mean depth. A choice."""


def chapters(texts: Sequence[str], ends_ms: Sequence[int], lang: Lang) -> list[int]:
    """The number of the chapter that each sentence stands in, from 0. `ends_ms` are the sentences' end times."""
    if len(texts) < 2 * BLOCK or ends_ms[-1] < 2 * SHORTEST_MS:
        return [0] * len(texts)
    depths = _depths(_similarities(tf_idf(texts, lang)))
    least = float(depths.mean() + DEEP * depths.std())
    gaps = [gap for gap in np.argsort(-depths, kind="stable").tolist() if depths[gap] > least]
    starts = _apart(gaps, ends_ms)
    return [sum(start <= place for start in starts) for place in range(len(texts))]


def _similarities(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each gap (before sentence n + 1) the cosine of what is said on its two sides."""
    found = np.empty(len(matrix) - 1, dtype=np.float32)
    for gap in range(1, len(matrix)):
        left = matrix[max(0, gap - BLOCK) : gap].sum(axis=0)
        right = matrix[gap : gap + BLOCK].sum(axis=0)
        lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
        found[gap - 1] = float(left @ right) / lengths if lengths else 0.0
    return found


def _depths(similarities: NDArray[np.float32]) -> NDArray[np.float32]:
    """How deep each gap is: the climb to the nearest peak on its left and on its right, together."""
    depths = np.zeros_like(similarities)
    for gap, here in enumerate(similarities):
        depths[gap] = _climb(similarities[gap::-1], here) + _climb(similarities[gap:], here)
    return depths


def _climb(values: NDArray[np.float32], start: np.float32) -> float:
    top = start
    for before, value in pairwise(values):
        if value < before:
            break
        top = max(top, value)
    return float(top - start)


def _apart(gaps: Sequence[int], ends_ms: Sequence[int]) -> list[int]:
    """The sentences that begin a chapter, deepest gaps first, as far as every chapter is long enough."""
    starts: list[int] = []
    for gap in gaps:
        at = ends_ms[gap]
        edges = [0, ends_ms[-1], *(ends_ms[start - 1] for start in starts)]
        if all(abs(at - edge) >= SHORTEST_MS for edge in edges):
            starts.append(gap + 1)
    return sorted(starts)
