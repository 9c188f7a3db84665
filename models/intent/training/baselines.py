"""What ALBERT has to beat, behind the same interface: the majority, and a linear model over character n-grams."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

from models.intent.labels.categories import CATEGORIES, Category, Floats
from models.intent.labels.examples import IntentExample


class QuestionScorer(Protocol):
    """Anything that scores questions."""

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        """One row per example, one column per category in the order of `CATEGORIES`; rows sum to 1."""
        ...


class Majority:
    """The categories' shares in the training examples, whatever the question."""

    def __init__(self, train: Sequence[IntentExample]) -> None:
        counts = Counter(example.category for example in train)
        self._shares = np.array([counts[category] / len(train) for category in CATEGORIES])

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        return np.tile(self._shares, (len(examples), 1))


class Linear:
    """Logistic regression over the TF-IDF of the question's character 1- to 4-grams, classes weighted alike."""

    def __init__(self, train: Sequence[IntentExample]) -> None:
        self._pipeline = Pipeline(
            [
                ("features", TfidfVectorizer(analyzer="char", ngram_range=(1, 4), sublinear_tf=True)),
                ("classifier", LogisticRegression(C=10.0, class_weight="balanced", max_iter=2000)),
            ]
        )
        self._pipeline.fit(
            [example.question for example in train],
            [example.category for example in train],
            classifier__sample_weight=[example.weight for example in train],
        )

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        found = self._pipeline.predict_proba([example.question for example in examples])
        return in_all_categories(found, self._pipeline.classes_)


def in_all_categories(found: Floats, names: Sequence[Category]) -> Floats:
    """Columns named `names` as columns in the order of `CATEGORIES`; a category without a column has 0."""
    probabilities = np.zeros((len(found), len(CATEGORIES)))
    for column, category in enumerate(names):
        probabilities[:, CATEGORIES.index(category)] = found[:, column]
    return probabilities
