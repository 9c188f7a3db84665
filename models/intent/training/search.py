"""Trainings beside each other: a small search over settings, and the ablation without context (LittleMu 3.2.1)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.albert import Encoder
from models.intent.labels.examples import IntentExample
from models.intent.question_vectors import QuestionVectors
from models.intent.settings import IntentSettings
from models.intent.training.fine_tuning import TrainedIntent, finetune
from models.progress import OnProgress, TrainingProgress, ignore_progress


@dataclass(frozen=True)
class SearchTrial:
    """One training of a search."""

    name: str
    settings: IntentSettings
    trained: TrainedIntent
    seconds: float

    @property
    def valid_macro_f1(self) -> float:
        """Of the epoch whose weights were kept; what attempts are chosen by."""
        return next(one.valid_macro_f1 for one in self.trained.history if one.number == self.trained.best_epoch)


def variations(settings: IntentSettings, size: int) -> tuple[tuple[str, IntentSettings], ...]:
    """The first `size` named variations of `settings`: as they are, then one change each, likeliest to help first.

    Raises `ValueError` when there are not as many.
    """
    found = (
        ("as set", settings),
        ("half the learning rate", replace(settings, learning_rate=settings.learning_rate / 2)),
        ("context kept more often", replace(settings, context_dropout=settings.context_dropout / 2)),
        ("categories not weighted", replace(settings, class_weight_power=0.0)),
        ("twice the dropout", replace(settings, dropout=min(0.5, settings.dropout * 2))),
        ("another seed", replace(settings, seed=settings.seed + 1)),
    )
    if not 1 <= size <= len(found):
        raise ValueError(
            f"A search tries 1 to {len(found)} settings ({'; '.join(name for name, _ in found)}), not {size}."
        )
    return found[:size]


def search(
    examples: Sequence[IntentExample],
    *,
    encoder: Encoder,
    settings: IntentSettings,
    size: int,
    vectors: QuestionVectors | None = None,
    spent_s: float = 0.0,
    on_progress: OnProgress = ignore_progress,
) -> tuple[SearchTrial, ...]:
    """Train each of `variations`, in their order; `spent_s` of the `max_minutes` of each are over.

    Raises what `finetune` and `variations` raise.
    """
    return tuple(
        _attempt(name, examples, encoder, varied, vectors, on_progress, spent_s)
        for name, varied in variations(settings, size)
    )


def best_of(attempts: Sequence[SearchTrial]) -> SearchTrial:
    """The one with the best macro-F1 on the validation questions; ties go to the earlier."""
    return max(attempts, key=lambda attempt: attempt.valid_macro_f1)


def ablate(
    examples: Sequence[IntentExample],
    *,
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None = None,
    on_progress: OnProgress = ignore_progress,
) -> SearchTrial:
    """Train as the full model was, but never with the previous turn or the course; judge it on `without_context`."""

    def tell_ablation(progress: TrainingProgress) -> None:
        on_progress(replace(progress, phase="ablation"))

    return _attempt(
        "without previous turn and course", without_context(examples), encoder, settings, vectors, tell_ablation
    )


def without_context(examples: Sequence[IntentExample]) -> list[IntentExample]:
    """The same questions, each as if it came first and from nowhere."""
    return [replace(example, previous="", course="") for example in examples]


def _attempt(
    name: str,
    examples: Sequence[IntentExample],
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None,
    on_progress: OnProgress,
    spent_s: float = 0.0,
) -> SearchTrial:
    started = time.monotonic()
    trained = finetune(
        examples, encoder=encoder, settings=settings, vectors=vectors, spent_s=spent_s, on_progress=on_progress
    )
    return SearchTrial(name, settings, trained, time.monotonic() - started)
