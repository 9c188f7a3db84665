"""Paired tests of two systems on the same questions: McNemar's, and a bootstrap over questions.

What is compared, and what follows from it, is `models.intent.promotion`'s and `serving.evaluation.paired`'s.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

LEVEL = 0.05
"""Of every test, as is customary."""

RESAMPLES = 2000
"""A choice: the standard error of a p-value of .05 is then .005."""

SEED = 7

Floats = NDArray[np.float64]
Weights = NDArray[np.int64]
"""Rows: resamples, columns: questions; how often a resample drew a question."""


@dataclass(frozen=True)
class Difference:
    """One system minus the other, -1..1, with what a paired bootstrap says of it (percentiles)."""

    value: float
    low: float
    high: float
    """The middle 95 % of the resamples lie between `low` and `high`."""
    p_better: float
    """Chance of as much if the first were no better: share of resamples in which it is not."""
    p_worse: float


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's test in its exact form, two-sided (Dietterich 1998, Approximate Statistical Tests).

    `gained` are the questions that only the first system got right, `lost` those that only the other did.
    """
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def resamples(questions: int, seed: int) -> Weights:
    """Row 0: every question once, so that it gives the figures as they are; then `RESAMPLES` draws with replacement.

    Efron and Tibshirani 1993, chapter 13. Questions count as independent, those of one session too.
    """
    drawn = np.random.default_rng(seed).multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)
    return np.vstack([np.ones((1, questions), dtype=np.int64), drawn])


def difference(found: Floats) -> Difference:
    """What the differences of each resample say, in the order of `resamples`; those that are NaN are passed over."""
    value, resampled = float(found[0]), found[1:]
    resampled = resampled[~np.isnan(resampled)]
    low, high = np.percentile(resampled, [2.5, 97.5])
    return Difference(
        value,
        float(low),
        float(high),
        p_better=float((1 + (resampled <= 0).sum()) / (1 + len(resampled))),
        p_worse=float((1 + (resampled >= 0).sum()) / (1 + len(resampled))),
    )
