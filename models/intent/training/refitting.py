"""The model that is served: fitted once more, on every labelled question, after a held-out training has been judged.

A quarter more labels than the judged model had, at the price that no labelled question is left to judge this one by
(decision 6). So the recipe is rehearsed before: the same refit without the test questions, which judge it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.albert import Encoder
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PairEncoder
from models.intent.question_vectors import QuestionVectors
from models.intent.settings import IntentSettings
from models.intent.training.fine_tuning import TrainedIntent, peak_memory_mb
from models.intent.training.network import IntentNetwork, predict
from models.intent.training.optimisation import Learner
from models.progress import OnProgress, TrainingProgress, ignore_progress


@dataclass(frozen=True)
class RefittedIntent:
    """A classifier that has learnt from every labelled question."""

    model: IntentNetwork
    pairs: PairEncoder
    questions: int
    epochs: int
    agreement: float
    """The share, 0..1, of the validation and test questions to which both models give the same category."""
    seconds: float
    peak_memory_mb: float
    """The most that the whole process has held so far, libraries included."""


@dataclass(frozen=True)
class Rehearsal:
    """The refit without the test questions, asked them."""

    questions: int
    """That it learnt from."""
    probabilities: Floats
    """Of the test questions, in their order."""
    seconds: float


def rehearse(
    examples: Sequence[IntentExample],
    judged: TrainedIntent,
    *,
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None = None,
    on_progress: OnProgress = ignore_progress,
) -> Rehearsal | None:
    """Do what `refit` would do with the `train` and `valid` examples alone, and ask what it makes of those of `test`.

    None when there is to be no refit, or no time for it. Raises `ModelBroken` when the encoder cannot be loaded.
    """
    started = time.monotonic()
    known, asked = (
        [one for one in examples if one.split != "test"],
        [one for one in examples if one.split == "test"],
    )
    deadline = started + settings.max_minutes * 60 - judged.seconds
    learner = _taught(known, judged, encoder, settings, vectors, deadline, ("rehearsal", on_progress))
    if learner is None:
        return None
    return Rehearsal(len(known), predict(learner.model, learner.pairs, asked), time.monotonic() - started)


def refit(
    examples: Sequence[IntentExample],
    judged: TrainedIntent,
    *,
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None = None,
    rehearsed_s: float = 0.0,
    on_progress: OnProgress = ignore_progress,
) -> RefittedIntent | None:
    """Learn from all of `examples` as `judged` learnt from those of `train`: same seed, rates and schedule.

    It ends after the epoch that was kept there. None when it is switched off, or when `settings.max_minutes`, less what
    `judged` and the rehearsal took, are over before: half a refit is none. Raises `ModelBroken` when the encoder cannot
    be loaded.
    """
    started = time.monotonic()
    deadline = started + settings.max_minutes * 60 - judged.seconds - rehearsed_s
    learner = _taught(examples, judged, encoder, settings, vectors, deadline, ("refit", on_progress))
    if learner is None:
        return None
    return RefittedIntent(
        learner.model,
        learner.pairs,
        questions=len(examples),
        epochs=judged.best_epoch,
        agreement=_agreement(learner, judged, examples),
        seconds=time.monotonic() - started,
        peak_memory_mb=peak_memory_mb(),
    )


def _taught(
    examples: Sequence[IntentExample],
    judged: TrainedIntent,
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None,
    deadline: float,
    told: tuple[Literal["rehearsal", "refit"], OnProgress],
) -> Learner | None:
    """What has learnt from the examples for as many epochs as `judged` was kept after; None when time was over."""
    if not settings.refit or time.monotonic() > deadline:
        return None
    phase, on_progress = told
    learner = Learner(examples, encoder=encoder, settings=settings, vectors=vectors, on_progress=on_progress)
    for number in range(1, judged.best_epoch + 1):
        done = learner.epoch(deadline=deadline)
        on_progress(TrainingProgress(phase, number, judged.best_epoch, {"loss": done.loss}))
        if time.monotonic() > deadline and (number < judged.best_epoch or not done.whole):
            return None
    learner.model.eval()
    return learner


def describe_refit(refitted: RefittedIntent | None, settings: IntentSettings, *, worse: bool = False) -> str:
    """What is served, in words, for the card, Dagster and MLflow. `worse`: the rehearsal was, beyond chance."""
    if refitted is not None:
        return (
            f"Served is a refit on all {refitted.questions} labelled questions ({refitted.epochs} epochs). Figures "
            "are of the model before it, which saw neither test questions nor, but for the choice of the epoch, "
            "validation questions; those named `rehearsal` are of the same refit without the test questions."
        )
    if worse:
        return (
            "Served is the model that was judged: the refit was rehearsed without the test questions, and was worse on "
            "them beyond chance."
        )
    if not settings.refit:
        return "Served is the model that was judged: the refit on all labelled questions is switched off."
    return (
        f"Served is the model that was judged: no time was left of {settings.max_minutes:g} minutes "
        "for the refit on all labelled questions."
    )


def _agreement(learner: Learner, judged: TrainedIntent, examples: Sequence[IntentExample]) -> float:
    held = [one for one in examples if one.split != "train"]
    ours, theirs = predict(learner.model, learner.pairs, held), judged.predict_proba(held)
    return float(np.mean(ours.argmax(axis=1) == theirs.argmax(axis=1)))
