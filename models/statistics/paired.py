"""Paired tests of two systems on the same questions: McNemar's, and a bootstrap over questions.

What is compared, and what follows from it, is `models.intent.release.promotion`'s and `serving.evaluation.paired`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

LEVEL = 0.05
"""Of every test, as is customary."""

RESAMPLES = 2000
"""A choice: the standard error of a p-value of .05 is then .005."""

SEED = 7

_TIE = 1e-12
"""Differences as near as this are equal."""

Floats = NDArray[np.float64]
Swaps = NDArray[np.bool_]
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


@lru_cache(maxsize=2)
def resamples(questions: int, seed: int) -> Weights:
    """Row 0: every question once, so that it gives the figures as they are; then `RESAMPLES` draws with replacement.

    Efron and Tibshirani 1993, chapter 13. Questions count as independent, those of one session too.
    """
    drawn = np.random.default_rng(seed).multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)
    found = np.vstack([np.ones((1, questions), dtype=np.int64), drawn])
    found.flags.writeable = False  # it is kept for the next comparison on as many questions
    return found


@lru_cache(maxsize=2)
def swaps(questions: int, seed: int) -> Swaps:
    """Row 0: nobody; then `RESAMPLES` draws of the questions on which two systems exchange their answers."""
    drawn = np.random.default_rng(seed).random((RESAMPLES, questions)) < 0.5
    found = np.vstack([np.zeros((1, questions), dtype=np.bool_), drawn])
    found.flags.writeable = False
    return found


def p_of_swaps(found: Floats) -> float:
    """One-sided p of a paired permutation test: the share of exchanges that give as much as was found (row 0).

    Exact where nothing but chance tells the systems apart (Fisher 1935; Noreen 1989, chapter 2), in the far tail too,
    where percentiles of a bootstrap are too small.
    """
    return float((1 + (found[1:] >= found[0] - _TIE).sum()) / len(found))


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


def holm(ps: Sequence[float]) -> list[float]:
    """Corrected p-values in the order of `ps`: the smallest times their number, the next times one less, and so on.

    Of several tests together one is then falsely positive as seldom as a single one is (Holm 1979).
    """
    corrected, worst = [0.0] * len(ps), 0.0
    for place, number in enumerate(sorted(range(len(ps)), key=lambda one: ps[one])):
        worst = max(worst, min(1.0, ps[number] * (len(ps) - place)))
        corrected[number] = worst
    return corrected
