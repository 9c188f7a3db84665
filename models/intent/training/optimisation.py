"""How the network learns: what is to be learnt, one pass over it, and the steps of the optimizer.

When to stop, and what is kept, is decided in training.py and refitting.py.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.albert import Encoder
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PairEncoder
from models.intent.labels.question_text import question_key
from models.intent.question_vectors import QuestionVectors
from models.intent.settings import IntentSettings
from models.intent.training.bag import fill_bag, fit_bag, predict_unseen
from models.intent.training.batches import class_weights, length_buckets, vary_inputs
from models.intent.training.network import IntentNetwork, load_encoder, tensors
from models.intent.training.vector_heads import fill_heads, fit_heads
from models.progress import OnProgress, TrainingProgress, ignore_progress, seed_everything
from models.statistics.metrics import category_numbers

_LEAST_STEPS = 4

_TELL_EVERY = 15.0
"""Seconds between two signs of life within an epoch. A choice."""


@dataclass(frozen=True)
class Pass:
    """One pass over the questions: its mean loss, and whether there was time for all of them."""

    loss: float
    whole: bool


class Learner:
    """A network and the questions that it learns from, one pass after the other.

    The same questions, encoder, settings and number of threads give the same weights after as many passes.
    """

    def __init__(
        self,
        examples: Sequence[IntentExample],
        *,
        encoder: Encoder,
        settings: IntentSettings,
        vectors: QuestionVectors | None = None,
        on_progress: OnProgress = ignore_progress,
    ) -> None:
        """`examples` are all learnt from, whatever their split; `vectors` hold theirs and those of what will be asked.
        Raises `ModelBroken` when there is no such encoder."""
        seed_everything(settings.seed, threads=settings.threads)
        self.model, self.pairs = load_encoder(encoder, settings, vectors)
        self._settings, self._on_progress = settings, on_progress
        self._targets = _targets(self.model, self.pairs, examples, settings, on_progress)
        self._class_weights = class_weights(self._targets.labels, settings.class_weight_power)
        self._updates = _Updates(self.model, settings, steps=settings.epochs * -(-len(examples) // settings.batch))
        self._source = np.random.default_rng(settings.seed)

    def epoch(self, *, deadline: float = math.inf) -> Pass:
        """One pass over the questions, at most `settings.epochs` of them; it ends at `deadline` of the monotonic clock,
        but not before the first batch."""
        self.model.train()
        rows = self._rows()
        losses, seen = list[float](), 0
        told = time.monotonic()
        for chosen in length_buckets([len(ids) for ids, _ in rows], self._settings.batch, self._source):
            logits = self.model.encode(*tensors(self.pairs.pad([rows[index] for index in chosen])))
            losses.append(self._updates.apply(self._loss(logits, chosen)))
            seen += len(chosen)
            now = time.monotonic()
            if now > deadline and seen < len(rows):
                return Pass(float(np.mean(losses)), whole=False)
            if now > told + _TELL_EVERY:
                told = now
                self._on_progress(TrainingProgress("epoch", seen, len(rows), {"loss": float(np.mean(losses))}))
        return Pass(float(np.mean(losses)), whole=True)

    def _rows(self) -> list[tuple[list[int], list[int]]]:
        settings = self._settings
        return vary_inputs(
            self._targets.examples,
            self.pairs,
            self._source,
            context_dropout=settings.context_dropout,
            token_dropout=settings.token_dropout,
        )

    def _loss(self, logits: Tensor, chosen: NDArray[np.int64]) -> Tensor:
        targets, share, rows_of = self._targets, self._settings.distillation, torch.from_numpy(chosen)
        labels = torch.from_numpy(targets.labels[chosen])
        by_label = _mean_loss(logits, labels, targets.weights[rows_of] * self._class_weights[labels])
        by_bag = _mean_loss(logits, targets.soft[rows_of], targets.weights[rows_of])
        return (1 - share) * by_label + share * by_bag


@dataclass(frozen=True)
class _Targets:
    """What is to be learnt, row by row."""

    examples: Sequence[IntentExample]
    labels: NDArray[np.int64]
    weights: Tensor
    """How much each row counts: 1 for people's labels, less for those of rules."""
    soft: Tensor
    """Probabilities of the n-gram bags that did not see the question."""


def _targets(
    model: IntentNetwork,
    pairs: PairEncoder,
    examples: Sequence[IntentExample],
    settings: IntentSettings,
    on_progress: OnProgress,
) -> _Targets:
    """Fill the model's n-gram bag and its heads over vectors, and ask bags like it what they think of questions that
    they did not see."""
    labels = category_numbers([example.category for example in examples])
    batch = pairs.batch([(example.previous, example.course, example.question) for example in examples])
    weights = np.array([example.weight for example in examples])
    fill_bag(model.bag, fit_bag(batch, labels, weights))
    if (heads := model.heads) is not None:
        vectors = heads.known.batch([example.question for example in examples])
        fill_heads(heads, fit_heads(vectors, len(heads.share), labels, weights), settings.embedding_share)
    texts = [question_key(example.question) for example in examples]
    soft = predict_unseen(batch, labels, weights, texts, seed=settings.seed, on_progress=on_progress)
    return _Targets(examples, labels, torch.from_numpy(weights).float(), torch.from_numpy(soft).float())


def _mean_loss(logits: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Mean cross-entropy, each row as much as its weight; `wanted` are labels or probabilities."""
    found: Tensor = (nn.functional.cross_entropy(logits, wanted, reduction="none") * weights).sum() / weights.sum()
    return found


class _Updates:
    """Optimizer and schedule: embeddings move slower than the other layers, the new head moves faster."""

    def __init__(self, model: IntentNetwork, settings: IntentSettings, *, steps: int) -> None:
        words, head = list(model.encoder.get_input_embeddings().parameters()), list(model.head.parameters())
        apart = {id(weights) for weights in (*words, *head)}
        layers = [weights for weights in model.parameters() if id(weights) not in apart]
        self._weights = [*layers, *words, *head]
        rates = [settings.learning_rate, settings.embedding_learning_rate, settings.head_learning_rate]
        parts = [{"params": part} for part in (layers, words, head)]
        self._optimizer = torch.optim.AdamW(parts, lr=settings.learning_rate, weight_decay=0.01)
        # The rise needs a step of its own: of ten steps a tenth is none, and torch divides by zero.
        steps = max(_LEAST_STEPS, steps)
        rise = max(0.1, 2 / steps)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimizer, rates, total_steps=steps, pct_start=rise)

    def apply(self, loss: Tensor) -> float:
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()
        self._schedule.step()
        return float(loss.item())
