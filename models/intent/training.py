"""Fine-tuning: ALBERT with a linear head over the six categories (LittleMu eq. 3 and 4). No files are written here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AlbertModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from models.albert import Encoder
from models.intent.categories import CATEGORIES, Floats
from models.intent.examples import IntentExample
from models.intent.pairs import Batch, PairEncoder
from models.masked_language import MASK
from models.metrics import category_numbers, measure
from models.progress import OnProgress, Progress, ignore_progress, seed_everything
from models.versions import ModelBroken

_BUCKET = 8
"""Batches that are sorted by length together, so that short questions are not padded to long ones."""


@dataclass(frozen=True)
class IntentSettings:
    """How the intent model is fine-tuned."""

    epochs: int = 15
    patience: int = 5
    """Epochs without a better validation macro-F1 after which training ends."""
    batch: int = 32
    learning_rate: float = 5e-4
    head_learning_rate: float = 2e-3
    dropout: float = 0.2
    class_weight_power: float = 0.5
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


class AlbertClassifier(nn.Module):
    """d = ALBERT(previous, course, question); h = softmax(linear(d)).

    d is the mean of the last layer over the question's tokens, not the first token's vector, beside the question's
    plain token embeddings. The encoder is small and the labels few: on the sample labels (188 validation questions,
    one seed) macro-F1 went from .571 with the mean over everything to .574 over the question, and to .589 with the
    embeddings and the changes of `varied`.
    """

    def __init__(self, albert: AlbertModel, *, dropout: float) -> None:
        super().__init__()
        self.albert = albert
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(albert.config.hidden_size + albert.config.embedding_size, len(CATEGORIES))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Logits, one row per question, columns in the order of `CATEGORIES`."""
        hidden = self.albert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        # The question is segment 1 and ends with [SEP], so it is never empty.
        of_question = (attention_mask * token_type_ids).unsqueeze(-1).to(hidden.dtype)
        length = of_question.sum(dim=1)
        pooled = (hidden * of_question).sum(dim=1) / length
        words = (self.albert.embeddings.word_embeddings(input_ids) * of_question).sum(dim=1) / length.sqrt()
        logits: Tensor = self.head(self.dropout(torch.cat([pooled, words], dim=1)))
        return logits


@dataclass(frozen=True)
class TrainedIntent:
    """A fine-tuned classifier with the weights of its best epoch; an `IntentModel` like the baselines."""

    model: AlbertClassifier
    pairs: PairEncoder
    history: tuple[Epoch, ...]
    best_epoch: int

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        """One row per example, one column per category in the order of `CATEGORIES`; rows sum to 1."""
        return _predict(self.model, self.pairs, examples)


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
    seed_everything(settings.seed, threads=settings.threads)
    model, pairs = load_encoder(encoder, settings)
    history, best_epoch, weights = _fit(model, pairs, train, valid, settings, on_progress)
    model.load_state_dict(weights)
    model.eval()
    return TrainedIntent(model, pairs, history, best_epoch)


def load_encoder(encoder: Encoder, settings: IntentSettings) -> tuple[AlbertClassifier, PairEncoder]:
    """The encoder with a fresh head, and its tokenizer. Raises `ModelBroken` when either cannot be read."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(encoder.location)
        albert = AlbertModel.from_pretrained(encoder.location, add_pooling_layer=False, attn_implementation="eager")
    except (OSError, ValueError) as error:
        raise ModelBroken(
            f"No ALBERT could be read from {encoder.location} ({error}). "
            "COTEACH_ALBERT must be a Hugging Face model id that this machine can reach, or a folder of one."
        ) from error
    longest = min(settings.max_length, albert.config.max_position_embeddings)
    ids = {"cls_id": tokenizer.cls_token_id, "sep_id": tokenizer.sep_token_id, "pad_id": tokenizer.pad_token_id}
    pairs = PairEncoder.from_settings(tokenizer.backend_tokenizer, {**ids, "max_length": longest})
    return AlbertClassifier(albert, dropout=settings.dropout), pairs


def tensors(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The model's positional arguments."""
    arrays = (batch.input_ids, batch.attention_mask, batch.token_type_ids)
    ids, mask, segments = (torch.from_numpy(array) for array in arrays)
    return ids, mask, segments


def _fit(
    model: AlbertClassifier,
    pairs: PairEncoder,
    train: Sequence[IntentExample],
    valid: Sequence[IntentExample],
    settings: IntentSettings,
    on_progress: OnProgress,
) -> tuple[tuple[Epoch, ...], int, dict[str, Tensor]]:
    labels = category_numbers([example.category for example in train])
    wanted = [example.category for example in valid]
    loss_of = nn.CrossEntropyLoss(weight=class_weights(labels, settings.class_weight_power))
    updates = _Updates(model, settings, steps=settings.epochs * -(-len(train) // settings.batch))
    source = np.random.default_rng(settings.seed)
    history: list[Epoch] = []
    best, weights = 0, model.state_dict()
    for number in range(1, settings.epochs + 1):
        model.train()
        losses = []
        rows = varied(train, pairs, settings, source)
        for chosen in length_buckets([len(ids) for ids, _ in rows], settings.batch, source):
            logits = model(*tensors(pairs.pad([rows[index] for index in chosen])))
            losses.append(updates.apply(loss_of(logits, torch.from_numpy(labels[chosen]))))
        found = measure(wanted, _predict(model, pairs, valid), alpha=0.5)
        history.append(Epoch(number, float(np.mean(losses)), found.accuracy, found.macro_f1))
        on_progress(Progress("finetune", number, settings.epochs, {"loss": history[-1].loss, "f1": found.macro_f1}))
        if not best or found.macro_f1 > history[best - 1].valid_macro_f1:
            best, weights = number, {name: value.clone() for name, value in model.state_dict().items()}
        if number - best >= settings.patience:
            break
    return tuple(history), best, weights


def varied(
    train: Sequence[IntentExample], pairs: PairEncoder, settings: IntentSettings, source: np.random.Generator
) -> list[tuple[list[int], list[int]]]:
    """The training inputs of one epoch, each a little different from the last: few labels are soon learnt by heart."""
    mask = pairs.tokenizer.token_to_id(MASK)
    special = (pairs.cls_id, pairs.sep_id)
    rows = []
    for example in train:
        keeps_previous, keeps_course = source.random(2) >= settings.context_dropout
        previous, course = example.previous if keeps_previous else "", example.course if keeps_course else ""
        ids, segments = pairs.encode(previous, course, example.question)
        hidden = source.random(len(ids)) < settings.token_dropout
        if mask is not None:
            ids = [mask if hide and one not in special else one for one, hide in zip(ids, hidden, strict=True)]
        rows.append((ids, segments))
    return rows


class _Updates:
    """Optimizer and schedule: the encoder moves slower than the new head."""

    def __init__(self, model: AlbertClassifier, settings: IntentSettings, *, steps: int) -> None:
        self._weights = list(model.parameters())
        rates = [settings.learning_rate, settings.head_learning_rate]
        parts = [{"params": list(model.albert.parameters())}, {"params": list(model.head.parameters())}]
        self._optimizer = torch.optim.AdamW(parts, lr=settings.learning_rate, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimizer, rates, total_steps=steps, pct_start=0.1)

    def apply(self, loss: Tensor) -> float:
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()
        self._schedule.step()
        return float(loss.item())


def class_weights(labels: NDArray[np.int64], power: float) -> Tensor:
    """One weight per category, 1 on average over the examples."""
    counts = np.bincount(labels, minlength=len(CATEGORIES)).clip(1)
    weights = (len(labels) / counts) ** power
    return torch.tensor(weights / weights[labels].mean(), dtype=torch.float32)


def length_buckets(lengths: Sequence[int], size: int, source: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Every index once, in shuffled batches of similar length."""
    order = source.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), size * _BUCKET):
        near = order[start : start + size * _BUCKET]
        near = near[np.argsort(np.array(lengths)[near], kind="stable")]
        batches += [near[begin : begin + size] for begin in range(0, len(near), size)]
    for number in source.permutation(len(batches)):
        yield batches[number]


def _predict(model: AlbertClassifier, pairs: PairEncoder, examples: Sequence[IntentExample], size: int = 64) -> Floats:
    model.eval()
    rows = [pairs.encode(example.previous, example.course, example.question) for example in examples]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    found = np.zeros((len(rows), len(CATEGORIES)))
    with torch.inference_mode():
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            logits = model(*tensors(pairs.pad([rows[index] for index in chosen])))
            found[chosen] = torch.softmax(logits.double(), dim=-1).numpy()
    return found
