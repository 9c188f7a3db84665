"""Temperature scaling: one number that makes a classifier's probabilities mean what they say (Guo et al. 2017).

Applying it is `models.intent.thresholds.temper`, which serving needs without SciPy.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from models.intent.thresholds import Floats, temper
from models.statistics.metrics import reliability

Counts = NDArray[np.int64]

TEMPERATURES = (0.1, 10.0)
"""Bounds of the search for a temperature. A choice."""

_TINY = 1e-12


@dataclass(frozen=True)
class Temperature:
    """A fitted temperature; above 1 the model was too sure of itself. Figures per question, natural logarithm."""

    value: float
    questions: int
    nll_before: float
    nll_after: float
    ece_before: float
    """Expected calibration error of the likeliest category, 0..1."""
    ece_after: float


def fit_temperature(probabilities: Floats, labels: Counts) -> Temperature:
    """The temperature with the lowest negative log-likelihood (Guo et al. 2017, eq. 9).

    `probabilities`: (questions, categories), rows sum to 1. `labels`: the column of each question's category. Never
    worse than 1 on these questions. Raises `ValueError` without questions, for labels of one category only, for
    shapes that do not fit and for what is not finite.
    """
    if probabilities.ndim != 2 or labels.shape != probabilities.shape[:1]:
        raise ValueError(f"Expected one label per row; found {labels.shape} labels for {probabilities.shape}.")
    if not np.isfinite(probabilities).all():
        raise ValueError("Probabilities must be finite; found NaN or infinity.")
    if len(np.unique(labels)) < 2:
        raise ValueError(f"A temperature needs labels of two categories; found {len(np.unique(labels))}.")
    low, high = (math.log(bound) for bound in TEMPERATURES)
    found = minimize_scalar(
        lambda log: _nll(temper(probabilities, math.exp(log)), labels), bounds=(low, high), method="bounded"
    )
    before, value = _nll(probabilities, labels), math.exp(float(found.x))
    if float(found.fun) >= before:
        value = 1.0
    after = temper(probabilities, value)
    return Temperature(
        value=value,
        questions=len(labels),
        nll_before=before,
        nll_after=_nll(after, labels),
        ece_before=_ece(probabilities, labels),
        ece_after=_ece(after, labels),
    )


def _nll(probabilities: Floats, labels: Counts) -> float:
    chosen = probabilities[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(chosen, _TINY)).mean())


def _ece(probabilities: Floats, labels: Counts) -> float:
    return reliability(probabilities.max(axis=1), probabilities.argmax(axis=1) == labels).error
