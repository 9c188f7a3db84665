"""Fine-tuning of the network (network.py) on labelled questions. No files are written here."""

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.albert import Encoder
from models.intent.bag import fill_bag, fit_bag, unseen_probabilities
from models.intent.batches import class_weights, length_buckets, varied
from models.intent.categories import Floats
from models.intent.examples import IntentExample
from models.intent.network import AlbertClassifier, load_encoder, predict, tensors
from models.intent.pairs import PairEncoder
from models.intent.question_text import question_key
from models.metrics import category_numbers, measure
from models.progress import OnProgress, Progress, ignore_progress, seed_everything


@dataclass(frozen=True)
class IntentSettings:
    """How the intent model is fine-tuned.

    With these values 1,430 to 1,640 training questions took 23 to 32 s on one thread of two busy cores, and the
    process, libraries included, held at most 699 MB. On five held-out parts of 450 to 740 Chinese questions with texts
    of their own the chit-chat AUC was .891, its F1 .660 and macro-F1 .528; the linear baseline, taught by the
    validation and test questions as well, reached .873, .600 and .505. The settings were chosen on the same parts.
    """

    epochs: int = 5
    patience: int = 4
    """Epochs after the kept one after which training ends."""
    tolerance: float = 0.02
    """The last epoch is kept whose validation macro-F1 is within this of the best one. A few hundred questions tell no
    smaller difference, and later epochs have the lower learning rate. A choice."""
    max_minutes: float = 15.0
    """After the epoch in which it is exceeded training ends. A guard, far above what training takes: where it bites
    the weights depend on the machine's load, which `TrainedIntent.stopped_by_time` tells."""
    batch: int = 32
    learning_rate: float = 5e-4
    embedding_learning_rate: float = 1e-4
    """Of the token embeddings. They come from the corpus, and few labelled questions are enough to spoil them."""
    head_learning_rate: float = 2e-3
    dropout: float = 0.2
    distillation: float = 0.5
    """Share of the loss that is measured against what n-gram bags, fitted on the other training questions, say of a
    question; the rest is measured against its label. Labels of real questions contradict each other."""
    bag_share: float = 0.5
    """Share of the logits that comes from the n-gram bag; 0 is ALBERT alone."""
    class_weight_power: float = 1.0
    """Weight of a category: (all / its examples) to this power; 0 = none, 1 = every category counts alike."""
    context_dropout: float = 0.5
    """Share of training questions, drawn anew each epoch, that lose their previous turn; and, apart, their course."""
    token_dropout: float = 0.1
    """Share of their tokens that are masked."""
    max_length: int = 64
    """Tokens of the longest input."""
    seed: int = 7
    threads: int = 1
    """Two are faster on an idle machine, but OpenMP threads that wait for a busy core spin: under load two were more
    than ten times slower than one, unless OMP_WAIT_POLICY=PASSIVE was set before Python started."""


@dataclass(frozen=True)
class Epoch:
    """One pass over the training questions and what the validation questions said after it."""

    number: int
    loss: float
    valid_accuracy: float
    valid_macro_f1: float
    """What the kept epoch is chosen by. On three held-out parts the highest one gave macro-F1 .530; the lowest
    validation loss, which takes earlier epochs, gave .520."""


@dataclass(frozen=True)
class TrainedIntent:
    """A fine-tuned classifier with the weights of its best epoch; an `IntentModel` like the baselines."""

    model: AlbertClassifier
    pairs: PairEncoder
    history: tuple[Epoch, ...]
    best_epoch: int
    stopped_by_time: bool
    seconds: float
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
    on_progress: OnProgress = ignore_progress,
) -> TrainedIntent:
    """Fine-tune `encoder` on the `train` examples and keep the epoch that is best on the `valid` ones.

    The same examples, encoder, settings and number of threads give the same weights. Raises `ValueError` when either
    split is empty, `ModelBroken` when the encoder cannot be loaded.
    """
    train = [example for example in examples if example.split == "train"]
    valid = [example for example in examples if example.split == "valid"]
    if not train or not valid:
        raise ValueError(
            f"Training needs train and valid examples; found {len(train)} and {len(valid)}. Add labelled questions."
        )
    started = time.monotonic()
    seed_everything(settings.seed, threads=settings.threads)
    model, pairs = load_encoder(
        encoder, dropout=settings.dropout, bag_share=settings.bag_share, max_length=settings.max_length
    )
    targets = _targets(model, pairs, train, settings)
    fitted = _fit(model, pairs, targets, valid, settings, on_progress)
    model.load_state_dict(fitted.weights)
    model.eval()
    return TrainedIntent(
        model,
        pairs,
        fitted.history,
        fitted.best_epoch,
        stopped_by_time=fitted.stopped_by_time,
        seconds=time.monotonic() - started,
        peak_memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


@dataclass(frozen=True)
class _Targets:
    """What is to be learnt, row by row."""

    examples: Sequence[IntentExample]
    labels: NDArray[np.int64]
    weights: Tensor
    """How much each row counts: 1 for people's labels, less for those of rules."""
    soft: Tensor
    """Probabilities of the n-gram bags that did not see the question."""


@dataclass(frozen=True)
class _Fitted:
    history: tuple[Epoch, ...]
    best_epoch: int
    weights: dict[str, Tensor]
    stopped_by_time: bool


def _targets(
    model: AlbertClassifier, pairs: PairEncoder, train: Sequence[IntentExample], settings: IntentSettings
) -> _Targets:
    """Fill the model's n-gram bag and ask bags like it what they think of questions that they did not see."""
    labels = category_numbers([example.category for example in train])
    batch = pairs.batch([(example.previous, example.course, example.question) for example in train])
    weights = np.array([example.weight for example in train])
    fill_bag(model.bag, fit_bag(batch, labels, weights))
    texts = [question_key(example.question) for example in train]
    soft = unseen_probabilities(batch, labels, weights, texts, seed=settings.seed)
    return _Targets(train, labels, torch.from_numpy(weights).float(), torch.from_numpy(soft).float())


def _fit(
    model: AlbertClassifier,
    pairs: PairEncoder,
    targets: _Targets,
    valid: Sequence[IntentExample],
    settings: IntentSettings,
    on_progress: OnProgress,
) -> _Fitted:
    wanted = [example.category for example in valid]
    deadline = time.monotonic() + settings.max_minutes * 60
    weights_of = class_weights(targets.labels, settings.class_weight_power)
    updates = _Updates(model, settings, steps=settings.epochs * -(-len(targets.examples) // settings.batch))
    source = np.random.default_rng(settings.seed)
    history: list[Epoch] = []
    best, weights = 0, model.state_dict()
    for number in range(1, settings.epochs + 1):
        loss = _epoch(model, pairs, targets, weights_of, settings, updates, source)
        found = measure(wanted, predict(model, pairs, valid), alpha=0.5)
        history.append(Epoch(number, loss, found.accuracy, found.macro_f1))
        on_progress(Progress("finetune", number, settings.epochs, {"loss": loss, "f1": found.macro_f1}))
        if found.macro_f1 >= max(epoch.valid_macro_f1 for epoch in history) - settings.tolerance:
            best, weights = number, {name: value.clone() for name, value in model.state_dict().items()}
        late = time.monotonic() > deadline
        if late or number - best >= settings.patience:
            break
    return _Fitted(tuple(history), best, weights, stopped_by_time=late and len(history) < settings.epochs)


def _epoch(
    model: AlbertClassifier,
    pairs: PairEncoder,
    targets: _Targets,
    weights_of: Tensor,
    settings: IntentSettings,
    updates: "_Updates",
    source: np.random.Generator,
) -> float:
    """One pass over the training questions; the mean loss."""
    model.train()
    rows = varied(
        targets.examples,
        pairs,
        source,
        context_dropout=settings.context_dropout,
        token_dropout=settings.token_dropout,
    )
    share = settings.distillation
    losses = []
    for chosen in length_buckets([len(ids) for ids, _ in rows], settings.batch, source):
        logits = model.encoded(*tensors(pairs.pad([rows[index] for index in chosen])))
        labels, rows_of = torch.from_numpy(targets.labels[chosen]), torch.from_numpy(chosen)
        by_label = _mean_loss(logits, labels, targets.weights[rows_of] * weights_of[labels])
        by_bag = _mean_loss(logits, targets.soft[rows_of], targets.weights[rows_of])
        losses.append(updates.apply((1 - share) * by_label + share * by_bag))
    return float(np.mean(losses))


def _mean_loss(logits: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Mean cross-entropy, each row as much as its weight; `wanted` are labels or probabilities."""
    found: Tensor = (nn.functional.cross_entropy(logits, wanted, reduction="none") * weights).sum() / weights.sum()
    return found


class _Updates:
    """Optimizer and schedule: embeddings move slower than the other layers, the new head moves faster."""

    def __init__(self, model: AlbertClassifier, settings: IntentSettings, *, steps: int) -> None:
        words, head = list(model.albert.embeddings.word_embeddings.parameters()), list(model.head.parameters())
        apart = {id(weights) for weights in (*words, *head)}
        layers = [weights for weights in model.parameters() if id(weights) not in apart]
        self._weights = [*layers, *words, *head]
        rates = [settings.learning_rate, settings.embedding_learning_rate, settings.head_learning_rate]
        parts = [{"params": part} for part in (layers, words, head)]
        self._optimizer = torch.optim.AdamW(parts, lr=settings.learning_rate, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimizer, rates, total_steps=steps, pct_start=0.1)

    def apply(self, loss: Tensor) -> float:
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()
        self._schedule.step()
        return float(loss.item())
