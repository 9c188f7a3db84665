"""Fine-tuning of the network (network.py) on labelled questions, some held out. No files are written here."""

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from models.albert import Encoder
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PairEncoder
from models.intent.question_vectors import QuestionVectors
from models.intent.settings import IntentSettings
from models.intent.training.network import IntentNetwork, predict
from models.intent.training.optimisation import Learner
from models.progress import OnProgress, TrainingProgress, ignore_progress
from models.statistics.metrics import measure


@dataclass(frozen=True)
class Epoch:
    """One pass over the training questions and what the validation questions said after it."""

    number: int
    loss: float
    valid_accuracy: float
    valid_macro_f1: float
    """What the kept epoch is chosen by. On three held-out parts the highest one gave macro-F1 .530; the lowest
    validation loss, which takes earlier epochs, gave .520."""
    ended_at: float
    """When it was over, in seconds since 1970."""


@dataclass(frozen=True)
class TrainedIntent:
    """A fine-tuned classifier with the weights of its best epoch; an `IntentModel` like the baselines."""

    model: IntentNetwork
    pairs: PairEncoder
    history: tuple[Epoch, ...]
    best_epoch: int
    stopped_by_time: bool
    seconds: float
    """Of `max_minutes`: what was spent before counts."""
    peak_memory_mb: float
    """The most that the whole process has held so far, libraries included."""

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        """One row per example, one column per category in the order of `CATEGORIES`; rows sum to 1."""
        return predict(self.model, self.pairs, examples)


def finetune(
    examples: Sequence[IntentExample],
    *,
    encoder: Encoder,
    settings: IntentSettings,
    vectors: QuestionVectors | None = None,
    spent_s: float = 0.0,
    on_progress: OnProgress = ignore_progress,
) -> TrainedIntent:
    """Fine-tune `encoder` on the `train` examples and keep the epoch that is best on the `valid` ones.

    `spent_s` of the settings' `max_minutes` are over already. The same examples, encoder, settings and number of
    threads give the same weights. Raises `ValueError` when either split is empty, `ModelBroken` when the encoder cannot
    be loaded.
    """
    train = [example for example in examples if example.split == "train"]
    valid = [example for example in examples if example.split == "valid"]
    if not train or not valid:
        raise ValueError(
            f"Training needs train and valid examples; found {len(train)} and {len(valid)}. Add labelled questions."
        )
    started = time.monotonic()
    learner = Learner(train, encoder=encoder, settings=settings, vectors=vectors, on_progress=on_progress)
    fitted = _fit(learner, valid, settings, started - spent_s + settings.max_minutes * 60, on_progress)
    learner.model.load_state_dict(fitted.weights)
    learner.model.eval()
    return TrainedIntent(
        learner.model,
        learner.pairs,
        fitted.history,
        fitted.best_epoch,
        stopped_by_time=fitted.stopped_by_time,
        seconds=spent_s + time.monotonic() - started,
        peak_memory_mb=peak_memory_mb(),
    )


def peak_memory_mb() -> float:
    """The most that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@dataclass(frozen=True)
class _Fitted:
    history: tuple[Epoch, ...]
    best_epoch: int
    weights: dict[str, Tensor]
    stopped_by_time: bool


def _fit(
    learner: Learner,
    valid: Sequence[IntentExample],
    settings: IntentSettings,
    deadline: float,
    on_progress: OnProgress,
) -> _Fitted:
    wanted = [example.category for example in valid]
    model = learner.model
    history: list[Epoch] = []
    best, weights = 0, model.state_dict()
    for number in range(1, settings.epochs + 1):
        done = learner.epoch(deadline=deadline)
        found = measure(wanted, predict(model, learner.pairs, valid), alpha=0.5)
        history.append(Epoch(number, done.loss, found.accuracy, found.macro_f1, time.time()))
        on_progress(TrainingProgress("finetune", number, settings.epochs, {"loss": done.loss, "f1": found.macro_f1}))
        if found.macro_f1 >= max(epoch.valid_macro_f1 for epoch in history) - settings.tolerance:
            best, weights = number, {name: value.clone() for name, value in model.state_dict().items()}
        late = time.monotonic() > deadline
        if late or number - best >= settings.patience:
            break
    cut = late and (len(history) < settings.epochs or not done.whole)
    return _Fitted(tuple(history), best, weights, stopped_by_time=cut)
