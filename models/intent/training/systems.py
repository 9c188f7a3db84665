"""Ways to tell what a question is, from the simplest up, all taught by the same labels.

Belongs here: how each of them learns, and with which settings it would be served. How they are compared is
`cross_validation.py`'s, which is chosen `release/system_choice.py`'s.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from models.albert import Encoder
from models.embedding.embedder import Embedder, Vectors
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PaddedBatch
from models.intent.settings import IntentSettings
from models.intent.training.bag import bag_probabilities, fit_bag
from models.intent.training.baselines import Linear, Majority, QuestionScorer, in_all_categories
from models.intent.training.network import load_encoder, predict
from models.intent.training.optimisation import Learner
from models.progress import OnProgress, TrainingProgress, ignore_progress
from models.statistics.metrics import category_numbers

Fit = Callable[[Sequence[IntentExample], OnProgress], QuestionScorer]
"""What learns from labelled questions, and tells how far it is."""

MAJORITY, LINEAR, EMBEDDINGS = "majority", "character n-grams, linear", "sentence embeddings, linear"

_BAG = {"bag_share": 1.0}
_ALBERT = {"bag_share": 0.0, "distillation": 0.0}
_BOTH: Mapping[str, Any] = {"bag_share": 0.5, "distillation": 0.5}
_ALONE = {"reads_previous": False, "reads_course": False}
_BEFORE = {"reads_previous": True, "reads_course": False}
SERVED: Mapping[str, Mapping[str, Any]] = {
    "bag": {**_BAG, **_ALONE},
    "bag, turn before": {**_BAG, **_BEFORE},
    "ALBERT": {**_ALBERT, **_ALONE},
    "ALBERT, turn before": {**_ALBERT, **_BEFORE},
    "ALBERT and bag": {**_BOTH, **_ALONE},
    "ALBERT and bag, turn before": {**_BOTH, **_BEFORE},
    "ALBERT and bag, turn before and course": {**_BOTH, "reads_previous": True, "reads_course": True},
}
"""What can be served, simplest first, with the settings that serve it (`IntentSettings`)."""

STACKED: Mapping[str, tuple[str, str]] = {
    f"{name}, with sentence embeddings": (name, EMBEDDINGS) for name in SERVED if name.startswith("ALBERT and bag")
}
"""Two systems of which the mean of what they say is a third. Compared, to see what embeddings would be worth
beside the network; not served, as the model would need an embedder in its artifact."""


def systems(
    examples: Sequence[IntentExample], *, encoder: Encoder | None, settings: IntentSettings, embedder: Embedder | None
) -> Mapping[str, Fit]:
    """The systems by name, simplest first, as far as there is what they need.

    Those that can be served need the `encoder`, and `settings` for all that `SERVED` leaves open. Where no question has
    a turn before it, or a course, what would read it is left out.
    """
    found: dict[str, Fit] = {MAJORITY: lambda train, _: Majority(train), LINEAR: lambda train, _: Linear(train)}
    if embedder is not None:
        vectors = _KeptVectors(embedder)
        found[EMBEDDINGS] = lambda train, _: Embedded(train, vectors)
    if encoder is not None:
        for name, own in SERVED.items():
            if _has_what_is_read(examples, own):
                found[name] = fit_network(encoder, replace(settings, **own))
    return found


def with_stacked(answers: Mapping[str, Floats]) -> dict[str, Floats]:
    """The answers with those of each stack of which both systems answered, at the end. Nothing is trained for it."""
    found = {
        name: (answers[first] + answers[second]) / 2
        for name, (first, second) in STACKED.items()
        if first in answers and second in answers
    }
    return {**answers, **found}


def served_by(settings: IntentSettings) -> str | None:
    """The system of `SERVED` that these settings serve; None for a mixture that is none of them."""
    for name, own in SERVED.items():
        if all(getattr(settings, setting) == value for setting, value in own.items()):
            return name
    return None


def _has_what_is_read(examples: Sequence[IntentExample], own: Mapping[str, object]) -> bool:
    previous = not own["reads_previous"] or any(one.previous for one in examples)
    return previous and (not own["reads_course"] or any(one.course for one in examples))


def fit_network(encoder: Encoder, settings: IntentSettings) -> Fit:
    """The system that these settings serve."""
    if settings.bag_share == 1.0:
        return lambda train, _: Bag(train, encoder, settings)
    return lambda train, tell: Network(train, encoder, settings, tell)


class Embedded:
    """Logistic regression over the vector of the question, categories weighted alike."""

    def __init__(self, train: Sequence[IntentExample], embedder: Embedder) -> None:
        self._embedder = embedder
        self._solver = LogisticRegression(C=10.0, class_weight="balanced", max_iter=2000)
        self._solver.fit(
            embedder.encode([one.question for one in train]),
            [one.category for one in train],
            sample_weight=[one.weight for one in train],
        )

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        found = self._solver.predict_proba(self._embedder.encode([one.question for one in examples]))
        return in_all_categories(found, self._solver.classes_)


class Bag:
    """The network's n-gram bag (bag.py) without the network."""

    def __init__(self, train: Sequence[IntentExample], encoder: Encoder, settings: IntentSettings) -> None:
        _, self._pairs = load_encoder(encoder, settings)
        labels = category_numbers([one.category for one in train])
        self._fitted = fit_bag(self._batch(train), labels, np.array([one.weight for one in train]))

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        return bag_probabilities(self._batch(examples), self._fitted)

    def _batch(self, examples: Sequence[IntentExample]) -> PaddedBatch:
        return self._pairs.batch([(one.previous, one.course, one.question) for one in examples])


class Network:
    """ALBERT with what `settings` give the bag, taught as what is served: on all questions, every epoch."""

    def __init__(
        self,
        train: Sequence[IntentExample],
        encoder: Encoder,
        settings: IntentSettings,
        on_progress: OnProgress = ignore_progress,
    ) -> None:
        learner = Learner(train, encoder=encoder, settings=settings, on_progress=on_progress)
        for number in range(1, settings.epochs + 1):
            done = learner.epoch()
            on_progress(TrainingProgress("epoch", number, settings.epochs, {"loss": done.loss}))
        self._model, self._pairs = learner.model, learner.pairs

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        return predict(self._model, self._pairs, examples)


class _KeptVectors:
    """An embedder that embeds each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def languages(self) -> tuple[str, ...]:
        return self._embedder.languages

    def encode(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= dict(zip(new, self._embedder.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])
