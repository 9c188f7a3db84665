"""Weights and cut of references, found on labelled answers. Needs scikit-learn: a build imports this, a gateway never.

Everything that is reported is cross-validated by answer: no pair is scored by weights fitted on another pair of the
same answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold

from models.statistics.calibration import CUTS, upper_bound
from serving.assistant.references.calibration import CutMeasures, Point, Scorer
from serving.assistant.references.labelled import LabelledAnswer
from serving.assistant.references.ranking import (
    CANDIDATES,
    LEXICAL,
    SEMANTIC,
    Response,
    Signals,
    find_candidates,
    lexical_signals,
)
from serving.assistant.references.semantic import Semantics
from serving.index.search import SearchIndex

TARGET = 0.86
"""Precision the cut is chosen for: .02 above Course Hero's .84, which choosing the cut may itself cost. A choice."""

CONFIDENCE = 0.9
"""Confidence of the lower bound of the precision. A choice."""

FEWEST_ANSWERS = 20
"""Fewer labelled answers give no weights. A choice."""

_FOLDS = 10
_STRENGTH = 10.0
"""`C` of the logistic regression: 1 to 1e6 make no difference beyond .01 of recall on the sample courses."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class JudgedPair:
    """A labelled answer and a candidate that somebody judged."""

    answer: int
    signals: Signals
    relevant: bool


@dataclass(frozen=True)
class ScoredPairs:
    """The pairs with the score each got from weights that never saw its answer. All arrays: (n,)."""

    scores: Floats
    relevant: Bools
    answers: Ints
    folds: Ints


def find_labelled_pairs(
    answers: Sequence[LabelledAnswer],
    index: SearchIndex,
    *,
    course_id: str,
    semantics: Semantics | None = None,
    k: int = CANDIDATES,
    first: int = 0,
) -> list[JudgedPair]:
    """The candidates that the search finds for each answer, as far as they are labelled; answers count from `first`."""
    pairs = []
    for number, one in enumerate(answers, start=first):
        response = Response(one.question, one.answer, one.explanation)
        found = [(entry, one.label(entry)) for entry in find_candidates(response, index, course_id=course_id, k=k)]
        known = [(entry, label) for entry, label in found if label is not None]
        entries = [entry for entry, _ in known]
        signals = lexical_signals(response, entries, index)
        if semantics is not None:
            meant = semantics.signals(response, entries)
            signals = [by_words | by_meaning for by_words, by_meaning in zip(signals, meant, strict=True)]
        pairs += [JudgedPair(number, each, label) for each, (_, label) in zip(signals, known, strict=True)]
    return pairs


def fit_scorer(
    pairs: Sequence[JudgedPair], *, lang: str, embedder: str | None, target: float = TARGET
) -> Scorer | None:
    """Weights fitted on all pairs, the cut and its figures cross-validated by answer.

    The cut is the one of `models.statistics.calibration.CUTS` that accepts most at a precision of `target`; the one
    with the best precision when none reaches it. `None` with fewer than `FEWEST_ANSWERS` answers or one kind of label
    only.
    """
    names = LEXICAL if embedder is None else SEMANTIC
    answers = np.array([pair.answer for pair in pairs], dtype=np.int64)
    relevant = np.array([pair.relevant for pair in pairs], dtype=np.bool_)
    if len(np.unique(answers)) < FEWEST_ANSWERS or relevant.all() or not relevant.any():
        return None
    signals = np.array([[pair.signals[name] for name in names] for pair in pairs])
    scored = cross_validate(signals, relevant, answers)
    cut = choose(scored.scores, relevant, target)
    model = _fit_regression(signals, relevant)
    return Scorer(
        lang=lang,
        embedder=embedder,
        intercept=round(float(model.intercept_[0]), 6),
        weights={name: round(float(weight), 6) for name, weight in zip(names, model.coef_[0], strict=True)},
        cut=cut,
        measured=measure(scored, cut, target),
    )


def cross_validate(signals: Floats, relevant: Bools, answers: Ints) -> ScoredPairs:
    """The score of each pair by weights fitted without its answer."""
    scores, folds = np.zeros(len(relevant)), np.zeros(len(relevant), dtype=np.int64)
    splits = GroupKFold(min(_FOLDS, len(np.unique(answers)))).split(signals, relevant, answers)
    for number, (others, own) in enumerate(splits):
        scores[own] = _fit_regression(signals[others], relevant[others]).predict_proba(signals[own])[:, 1]
        folds[own] = number
    return ScoredPairs(scores, relevant, answers, folds)


def choose(scores: Floats, relevant: Bools, target: float) -> float:
    """The cut that accepts most at a precision of `target`; of equals the lowest, so that a little more is accepted."""
    points = [point for point in curve(scores, relevant) if point.accepted and point.cut >= 0]
    enough = [point for point in points if point.precision >= target]
    best = max(enough, key=lambda point: point.accepted) if enough else max(points, key=lambda one: one.precision)
    return best.cut


def curve(scores: Floats, relevant: Bools) -> tuple[Point, ...]:
    """Precision and recall above each cut. Nothing accepted is no wrong reference: its precision is 1."""
    return tuple(_point(scores > cut, relevant, float(cut)) for cut in (-1.0, *CUTS))


def measure(scored: ScoredPairs, cut: float, target: float) -> CutMeasures:
    """The figures of a cut, and those of cuts each chosen without the answers of one fold."""
    at = _point(scored.scores > cut, scored.relevant, cut)
    nested = np.zeros(len(scored.scores), dtype=np.bool_)
    for fold in np.unique(scored.folds):
        own = scored.folds == fold
        nested[own] = scored.scores[own] > choose(scored.scores[~own], scored.relevant[~own], target)
    alone = _point(nested, scored.relevant, cut)
    wrong = int((nested & ~scored.relevant).sum())
    bound = upper_bound(np.array([wrong]), np.array([alone.accepted]), 1 - CONFIDENCE)
    return CutMeasures(
        answers=len(np.unique(scored.answers)),
        pairs=len(scored.scores),
        relevant=int(scored.relevant.sum()),
        accepted=at.accepted,
        precision=at.precision,
        recall=at.recall,
        target=target,
        confidence=CONFIDENCE,
        precision_bound=round(1 - float(bound[0]), 4),
        nested_precision=alone.precision,
        nested_recall=alone.recall,
        average_precision=round(float(average_precision_score(scored.relevant, scored.scores)), 4),
        curve=curve(scored.scores, scored.relevant),
    )


def _point(accepted: Bools, relevant: Bools, cut: float) -> Point:
    count, right = int(accepted.sum()), int((accepted & relevant).sum())
    precision = right / count if count else 1.0
    return Point(round(cut, 2), round(precision, 4), round(right / max(1, int(relevant.sum())), 4), count)


def _fit_regression(signals: Floats, relevant: Bools) -> LogisticRegression:
    return LogisticRegression(C=_STRENGTH, max_iter=1000).fit(signals, relevant)
