"""Shares of sums over questions, and differences of two systems on the same questions, with 95% intervals.

By the bootstrap: questions are drawn again with replacement, the percentiles of what comes out are the interval (Efron
1979). A figure is the sum of what was counted over the sum of what it was counted among, so that a mean (every question
counts 1) and a precision (an answer counts as often as it cites) are the same thing.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.statistics.intervals import Interval

RESAMPLES = 2_000
SEED = 8
"""Choices; the same questions are drawn for every figure over as many questions."""

Counted = tuple[float, float]
"""Of one question: what was counted, and among how much; (0, 0) where it says nothing."""

_BOUNDS = (2.5, 97.5)


def share(counted: Sequence[Counted]) -> Interval:
    """The sum of the first over the sum of the second. `n` is how many questions say something."""
    return _interval(np.asarray(counted, dtype=float).reshape(-1, 2))


def difference_of_pairs(first: Sequence[Counted], second: Sequence[Counted]) -> Interval:
    """The share of `first` less that of `second`; both of the same questions, in the same order.

    Raises `ValueError` for sequences of different lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"Pairs are of the same questions: found {len(first)} and {len(second)}.")
    both = np.hstack([np.asarray(each, dtype=float).reshape(-1, 2) for each in (first, second)])
    return _interval(both)


def area(higher: Sequence[float], lower: Sequence[float]) -> Interval:
    """The area under the ROC curve: how often a score of `higher` is above one of `lower`, ties counting half.

    Nothing where either is empty. Scores of both are drawn together, as they came.
    """
    n = len(higher) + len(lower)
    if not higher or not lower:
        return Interval(None, None, None, n)
    first, second = np.asarray(higher, dtype=float)[:, None], np.asarray(lower, dtype=float)[None, :]
    above = (first > second) + 0.5 * (first == second)
    draws = _draws(n)
    of_first, of_second = draws[:, : len(higher)], draws[:, len(higher) :]
    pairs = of_first.sum(axis=1) * of_second.sum(axis=1)
    won = ((of_first @ above) * of_second).sum(axis=1)
    low, high = np.percentile(won[pairs > 0] / pairs[pairs > 0], _BOUNDS)
    return Interval(float(above.mean()), float(low), float(high), n)


def _interval(counted: NDArray[np.float64]) -> Interval:
    says = counted[(counted[:, 1::2] > 0).any(axis=1)]
    n = len(says)
    value = float(_figure(says.sum(axis=0, keepdims=True))[0]) if n else float("nan")
    if np.isnan(value):
        return Interval(None, None, None, n)
    if n == 1:
        return Interval(value, None, None, n)
    drawn = _figure(_draws(n) @ says)
    low, high = np.nanpercentile(drawn, _BOUNDS)
    return Interval(value, float(low), float(high), n)


def _figure(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each row of sums its share, or the difference of its two shares; NaN where it was counted among nothing."""
    among = sums[:, 1::2]
    shares = np.divide(sums[:, 0::2], among, out=np.full_like(among, np.nan), where=among > 0)
    found: NDArray[np.float64] = shares[:, 0] if shares.shape[1] == 1 else shares[:, 0] - shares[:, 1]
    return found


@lru_cache(maxsize=2)
def _draws(n: int) -> NDArray[np.float64]:
    """How often each of `n` questions is drawn, for every resample."""
    drawn: NDArray[np.int64] = np.random.default_rng([SEED, n]).multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
    return drawn.astype(np.float64)
