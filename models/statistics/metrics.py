"""How good a classifier of questions is: figures from labels and probabilities. Nothing here trains or draws."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score

from models.intent.labels.categories import CATEGORIES, CHAT, Category, Floats, chat_scores

BINS = 15
"""Of a reliability diagram and its error, as in Guo et al. 2017, section 4."""


@dataclass(frozen=True)
class IntentMetrics:
    """Figures on one set of labelled questions; all 0..1 except `support`."""

    support: int
    accuracy: float
    macro_f1: float
    """Unweighted mean of F1 over the categories that occur in the labels."""
    chat_accuracy: float
    """Chit-chat against the rest at h > alpha."""
    chat_f1: float
    chat_auc: float | None
    """Area under the ROC curve of h; None when the labels hold only one side."""
    confusion: tuple[tuple[int, ...], ...]
    """Rows: labels, columns: predictions, both in the order of `CATEGORIES`."""
    ece: float
    """Expected calibration error of the winning category's probability; 0 is best."""
    chat_ece: float
    """The same of h."""


@dataclass(frozen=True)
class ReliabilityBin:
    """The questions whose score fell between `low` and the next bin's."""

    low: float
    score: float
    """Mean score, 0..1."""
    right: float
    """Share of the questions of which the score's claim held, 0..1."""
    questions: int


@dataclass(frozen=True)
class Reliability:
    """Whether a score means what it says: of the questions scored .8, eight in ten should be right."""

    bins: int
    filled: tuple[ReliabilityBin, ...]
    """The bins that hold questions, in order."""

    @property
    def error(self) -> float:
        """Expected calibration error, 0..1: mean gap between score and share, weighted by questions.

        Guo et al. 2017, On Calibration of Modern Neural Networks, eq. 3.
        """
        everything = sum(one.questions for one in self.filled)
        return sum(one.questions * abs(one.right - one.score) for one in self.filled) / max(1, everything)


def measure(labels: Sequence[Category], probabilities: Floats, *, alpha: float | Floats) -> IntentMetrics:
    """Compare probabilities (rows in the order of `labels`, columns in the order of `CATEGORIES`) with the labels.

    `alpha` is the cut of h, for all questions or one for each.
    """
    truth = category_numbers(labels)
    predicted = probabilities.argmax(axis=1)
    chat = np.array([label in CHAT for label in labels])
    h = chat_scores(probabilities)
    called = h > alpha
    return IntentMetrics(
        support=len(labels),
        accuracy=float((truth == predicted).mean()),
        macro_f1=float(f1_score(truth, predicted, labels=np.unique(truth), average="macro", zero_division=0)),
        chat_accuracy=float((called == chat).mean()),
        chat_f1=float(f1_score(chat, called, zero_division=0)),
        chat_auc=float(roc_auc_score(chat, h)) if 0 < chat.sum() < len(chat) else None,
        confusion=tuple(
            tuple(int(n) for n in row) for row in confusion_matrix(truth, predicted, labels=range(len(CATEGORIES)))
        ),
        ece=reliability(*category_claims(labels, probabilities)).error,
        chat_ece=reliability(*chat_claims(labels, probabilities)).error,
    )


def reliability(scores: Floats, right: NDArray[np.bool_], *, bins: int = BINS) -> Reliability:
    """Scores 0..1 against whether each one's claim held, in `bins` of equal width; a score of 1 is in the last."""
    numbers = np.minimum((scores * bins).astype(int), bins - 1)
    filled = tuple(
        ReliabilityBin(
            float(number / bins),
            float(scores[numbers == number].mean()),
            float(right[numbers == number].mean()),
            int((numbers == number).sum()),
        )
        for number in np.unique(numbers)
    )
    return Reliability(bins, filled)


def category_claims(labels: Sequence[Category], probabilities: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The winning category's probability, and whether it was the label."""
    return probabilities.max(axis=1), probabilities.argmax(axis=1) == category_numbers(labels)


def chat_claims(labels: Sequence[Category], probabilities: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """h, and whether the label was chit-chat."""
    return chat_scores(probabilities), np.array([label in CHAT for label in labels])


def category_numbers(labels: Sequence[Category]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The column of each label."""
    return np.array([CATEGORIES.index(label) for label in labels], dtype=np.int64)


def best_alpha(labels: Sequence[Category], probabilities: Floats) -> float:
    """The alpha, from 0.5 up, with the best chit-chat F1 on these questions; ties go to the one nearest 0.5.

    Candidates are 0.5 and the midpoints between neighbouring scores above it. Never below: a few hundred labels put
    the best point anywhere, and a question taken for chat costs a student more than chat taken for a question.
    Without chit-chat among the labels it is 0.5.
    """
    chat = np.array([label in CHAT for label in labels])
    if not chat.any():
        return 0.5
    h = chat_scores(probabilities)
    scores = np.unique(h)
    midpoints = (scores[:-1] + scores[1:]) / 2
    candidates = [0.5, *midpoints[midpoints > 0.5]]
    best = max(candidates, key=lambda alpha: (round(f1_score(chat, h > alpha, zero_division=0), 9), -abs(alpha - 0.5)))
    return round(float(best), 4)
