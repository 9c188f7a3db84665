"""What an exported model says of labelled questions, as serving would compute it."""

from collections.abc import Sequence

import numpy as np

from models.intent.classifier import IntentClassifier
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.examples import IntentExample

_BATCH = 64


def probabilities(classifier: IntentClassifier, examples: Sequence[IntentExample]) -> Floats:
    """One row per example, columns in the order of `CATEGORIES`."""
    turns = [(one.previous, one.course, one.question) for one in examples]
    rows = [
        [scores.probabilities[name] for name in CATEGORIES]
        for start in range(0, len(turns), _BATCH)
        for scores in classifier.classify_batch(turns[start : start + _BATCH])
    ]
    return np.array(rows, dtype=np.float64).reshape(len(turns), len(CATEGORIES))
