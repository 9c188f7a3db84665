"""How good a classifier of questions is: figures from labels and probabilities. Nothing here trains or draws."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score

from models.intent.categories import CATEGORIES, CHAT, Category, Floats, chat_scores


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


def measure(labels: Sequence[Category], probabilities: Floats, *, alpha: float) -> IntentMetrics:
    """Compare probabilities (rows in the order of `labels`, columns in the order of `CATEGORIES`) with the labels."""
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
    )


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
