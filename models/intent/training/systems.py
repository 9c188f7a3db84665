"""Ways to tell what a question is, from the simplest up, all taught by the same labels.

Belongs here: how each of them learns, and with which settings it would be served. How they are compared is
`cross_validation.py`'s, which is chosen `release/system_choice.py`'s.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from models.albert import Encoder
from models.embedding.embedder import Embedder
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PaddedBatch, PairEncoder
from models.intent.question_vectors import QuestionVectors, VectorBatch, embed_questions, language_place
from models.intent.settings import IntentSettings
from models.intent.training.bag import bag_probabilities, fit_bag
from models.intent.training.baselines import Linear, Majority, QuestionScorer
from models.intent.training.network import IntentNetwork, load_encoder, predict, tensors
from models.intent.training.optimisation import Learner
from models.intent.training.vector_heads import fit_heads, head_probabilities
from models.progress import OnProgress, TrainingProgress, ignore_progress
from models.statistics.metrics import category_numbers

Fit = Callable[[Sequence[IntentExample], OnProgress], QuestionScorer]
"""What learns from labelled questions, and tells how far it is."""

_AT_ONCE = 256
"""Questions that a bag is asked at once: bounds memory."""

MAJORITY, LINEAR, EMBEDDINGS = "majority", "character n-grams, linear", "sentence embeddings, linear"

_BAG = {"bag_share": 1.0}
_ALBERT = {"bag_share": 0.0, "distillation": 0.0}
_BOTH: Mapping[str, Any] = {"bag_share": 0.5, "distillation": 0.5}
_ALONE = {"reads_previous": False, "reads_course": False}
_BEFORE = {"reads_previous": True, "reads_course": False}
_NETWORKS: Mapping[str, Mapping[str, Any]] = {
    "bag": {**_BAG, **_ALONE},
    "bag, turn before": {**_BAG, **_BEFORE},
    "ALBERT": {**_ALBERT, **_ALONE},
    "ALBERT, turn before": {**_ALBERT, **_BEFORE},
    "ALBERT and bag": {**_BOTH, **_ALONE},
    "ALBERT and bag, turn before": {**_BOTH, **_BEFORE},
    "ALBERT and bag, turn before and course": {**_BOTH, "reads_previous": True, "reads_course": True},
}

STACKED: Mapping[str, tuple[str, str]] = {
    f"{name}, with sentence embeddings": (name, EMBEDDINGS) for name in _NETWORKS if name.startswith("ALBERT and bag")
}
"""Two systems of which the mean of what they say is a third: what a network with heads over vectors says, too."""

SERVED: Mapping[str, Mapping[str, Any]] = {
    **{name: {**own, "embedding_share": 0.0} for name, own in _NETWORKS.items()},
    **{name: {**_NETWORKS[network], "embedding_share": 0.5} for name, (network, _) in STACKED.items()},
}
"""What can be served, simplest first, with the settings that serve it (`IntentSettings`)."""


def systems(
    examples: Sequence[IntentExample], *, encoder: Encoder | None, settings: IntentSettings, embedder: Embedder | None
) -> Mapping[str, Fit]:
    """The systems by name, simplest first, as far as there is what they need.

    Those that can be served need the `encoder`, and `settings` for all that `SERVED` leaves open. Where no question has
    a turn before it, or a course, what would read it is left out. Those of `STACKED` are not trained: what they say
    follows from what two others say (`with_stacked`).
    """
    found: dict[str, Fit] = {MAJORITY: lambda train, _: Majority(train), LINEAR: lambda train, _: Linear(train)}
    if embedder is not None:
        vectors = embed_questions([one.question for one in examples], embedder, version="")
        found[EMBEDDINGS] = lambda train, _: Embedded(train, vectors)
    if encoder is not None:
        for name, own in _NETWORKS.items():
            if _has_what_is_read(examples, own):
                found[name] = fit_network(encoder, replace(settings, **own, embedding_share=0.0))
    return found


def with_stacked(
    examples: Sequence[IntentExample], answers: Mapping[str, Floats], *, languages: Sequence[str] = ("en", "zh")
) -> dict[str, Floats]:
    """The answers with those of each stack of which both systems answered, at the end. Nothing is trained for it.

    A question in none of the embedder's `languages` is answered by the network alone, as it is served.
    """
    has_vector = np.array([language_place(one.question, languages) > 0 for one in examples])[:, None]
    found = {
        name: np.where(has_vector, (answers[first] + answers[second]) / 2, answers[first])
        for name, (first, second) in STACKED.items()
        if first in answers and second in answers
    }
    return {**answers, **found}


def find_served(settings: IntentSettings) -> str | None:
    """The system of `SERVED` that these settings serve; None for a mixture that is none of them."""
    for name, own in SERVED.items():
        if all(getattr(settings, setting) == value for setting, value in own.items()):
            return name
    return None


def _has_what_is_read(examples: Sequence[IntentExample], own: Mapping[str, object]) -> bool:
    previous = not own["reads_previous"] or any(one.previous for one in examples)
    return previous and (not own["reads_course"] or any(one.course for one in examples))


def fit_network(encoder: Encoder, settings: IntentSettings, vectors: QuestionVectors | None = None) -> Fit:
    """The system that these settings serve; `vectors` are those of all questions, if there is an embedder."""
    if settings.bag_share == 1.0 and (vectors is None or not settings.embedding_share):
        return lambda train, _: Bag(train, encoder, settings)
    return lambda train, tell: Network(train, encoder, settings, vectors, tell)


class Embedded:
    """The network's heads over sentence embeddings (vector_heads.py) without the network."""

    def __init__(self, train: Sequence[IntentExample], vectors: QuestionVectors) -> None:
        self._vectors = vectors
        labels = category_numbers([one.category for one in train])
        weights = np.array([one.weight for one in train])
        self._fitted = fit_heads(self._batch(train), 1 + len(vectors.languages), labels, weights)

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        return head_probabilities(self._batch(examples), self._fitted)

    def _batch(self, examples: Sequence[IntentExample]) -> VectorBatch:
        return self._vectors.batch([one.question for one in examples])


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


class TrainedBag:
    """The bag of a network that was trained, without the network: fitting it again would give the same one."""

    def __init__(self, network: IntentNetwork, pairs: PairEncoder) -> None:
        self._network, self._pairs = network, pairs

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        bag, questions = self._network.bag, [(one.previous, one.course, one.question) for one in examples]
        found = np.zeros((len(examples), len(CATEGORIES)))
        with torch.inference_mode():
            for start in range(0, len(examples), _AT_ONCE):
                logits = bag(*tensors(self._pairs.batch(questions[start : start + _AT_ONCE])))
                found[start : start + _AT_ONCE] = torch.softmax(logits.double(), dim=-1).numpy()
        return found


class Network:
    """ALBERT with what `settings` give the bag, taught as what is served: on all questions, every epoch."""

    def __init__(
        self,
        train: Sequence[IntentExample],
        encoder: Encoder,
        settings: IntentSettings,
        vectors: QuestionVectors | None = None,
        on_progress: OnProgress = ignore_progress,
    ) -> None:
        learner = Learner(train, encoder=encoder, settings=settings, vectors=vectors, on_progress=on_progress)
        for number in range(1, settings.epochs + 1):
            done = learner.epoch()
            on_progress(TrainingProgress("epoch", number, settings.epochs, {"loss": done.loss}))
        self._model, self._pairs = learner.model, learner.pairs

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        return predict(self._model, self._pairs, examples)
