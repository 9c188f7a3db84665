"""Masked language modelling of an ALBERT on a small corpus. Sizes, files and tokenizer are decided elsewhere."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer
from transformers import AlbertForMaskedLM

from models.progress import OnProgress, TrainingProgress

PAD, UNK, CLS, SEP, MASK = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

IGNORED = -100
"""The label of a token that is not predicted."""

_REPORT_EVERY = 25

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class MaskedSettings:
    """How long and how masked language modelling runs."""

    steps: int = 300
    batch: int = 32
    block: int = 32
    """Tokens of one training sequence."""
    learning_rate: float = 3e-4
    """At 1e-3 a corpus of 120,000 tokens stayed at the loss of the token frequencies and the encoder was useless."""
    masked_share: float = 0.15
    seed: int = 7
    time_budget_s: float = 900.0
    """A guard, far above the minute it takes: a training that it ends early depends on the machine's load."""


@dataclass(frozen=True)
class MaskedRun:
    """What happened: (step, mean loss since the last entry), and whether the time budget ended it."""

    curve: tuple[tuple[int, float], ...]
    stopped_by_time: bool


def token_blocks(tokenizer: Tokenizer, texts: Sequence[str], length: int) -> Ids:
    """All texts one after the other, [SEP] between them, cut into sequences of `length` that begin with [CLS]."""
    stream: list[int] = []
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        stream += [*encoding.ids, SPECIAL.index(SEP)]
    body = length - 1
    blocks = np.array(stream[: len(stream) // body * body], dtype=np.int64).reshape(-1, body)
    return np.concatenate([np.full((len(blocks), 1), SPECIAL.index(CLS), dtype=np.int64), blocks], axis=1)


def mask_tokens(blocks: Ids, *, vocabulary: int, share: float, source: np.random.Generator) -> tuple[Ids, Ids]:
    """Inputs and labels (BERT): of the `share` of tokens chosen 80 % become [MASK], 10 % random, 10 % stay."""
    chosen = (source.random(blocks.shape) < share) & (blocks >= len(SPECIAL))
    fate = source.random(blocks.shape)
    inputs = np.where(chosen & (fate < 0.8), SPECIAL.index(MASK), blocks)
    inputs = np.where(chosen & (fate >= 0.9), source.integers(len(SPECIAL), vocabulary, blocks.shape), inputs)
    return inputs, np.where(chosen, blocks, IGNORED)


def initialise_from_counts(model: AlbertForMaskedLM, blocks: Ids, *, seed: int) -> None:
    """Start the embeddings from co-occurrence and the output bias from token frequencies.

    On a small corpus masked language modelling alone spends its steps on learning the frequencies.
    """
    config = model.config
    vectors = count_vectors(blocks, config.vocab_size, config.embedding_size, seed=seed)
    counts = np.bincount(blocks.ravel(), minlength=config.vocab_size) + 0.5
    with torch.no_grad():
        model.albert.embeddings.word_embeddings.weight.copy_(torch.from_numpy(vectors * config.initializer_range))
        model.predictions.bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))


def count_vectors(blocks: Ids, vocabulary: int, size: int, *, seed: int, window: int = 4) -> NDArray[np.float64]:
    """One vector of unit variance per token: positive pointwise mutual information within `window`, factorised by SVD.

    Contexts are smoothed by 0.75 and the strengths enter by their square root (Levy, Goldberg & Dagan 2015). Tokens
    without a neighbour get a random vector.
    """
    gaps = range(1, min(window, blocks.shape[1] - 1) + 1)
    ends = [(blocks[:, :-gap].ravel(), blocks[:, gap:].ravel()) for gap in gaps]
    left = np.concatenate([side for pair in ends for side in pair])
    right = np.concatenate([side for pair in ends for side in reversed(pair)])
    table = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(vocabulary, vocabulary)).tocsr().tocoo()
    totals = np.bincount(left, minlength=vocabulary).astype(np.float64)
    smoothed = totals**0.75 / (totals**0.75).sum()
    information = np.log(table.data / (totals[table.row] * smoothed[table.col]))
    positive = sparse.csr_array((np.maximum(information, 0.0), (table.row, table.col)), shape=table.shape)
    rank = min(size, vocabulary - 1)
    with threadpool_limits(1):  # sums in another order give other bytes, and the order follows the number of threads
        found, strengths, _ = randomized_svd(positive, rank, random_state=seed)
    vectors = np.zeros((vocabulary, size))
    vectors[:, :rank] = found * np.sqrt(strengths)
    spread = vectors.std(axis=1, keepdims=True)
    scattered = np.random.default_rng(seed).normal(size=vectors.shape)
    return np.where(spread > 1e-9, vectors / np.maximum(spread, 1e-9), scattered)


def train_masked(model: AlbertForMaskedLM, blocks: Ids, settings: MaskedSettings, on_progress: OnProgress) -> MaskedRun:
    """Run `settings.steps` updates; fewer only when the time budget is exceeded."""
    started = time.monotonic()
    source = np.random.default_rng(settings.seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.learning_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.learning_rate, total_steps=settings.steps)
    model.train()
    curve: list[tuple[int, float]] = []
    losses: list[float] = []
    batches = _batches(blocks, settings.batch, source)
    for step in range(1, settings.steps + 1):
        inputs, labels = mask_tokens(
            next(batches), vocabulary=model.config.vocab_size, share=settings.masked_share, source=source
        )
        losses.append(_update(model, inputs, labels, optimizer))
        schedule.step()
        late = time.monotonic() - started > settings.time_budget_s
        if late or step % _REPORT_EVERY == 0 or step == settings.steps:
            curve.append((step, float(np.mean(losses))))
            losses.clear()
            on_progress(TrainingProgress("pretrain", step, settings.steps, {"loss": curve[-1][1]}))
        if late:
            break
    return MaskedRun(tuple(curve), stopped_by_time=curve[-1][0] < settings.steps)


def _batches(blocks: Ids, size: int, source: np.random.Generator) -> Iterator[Ids]:
    while True:
        order = source.permutation(len(blocks))
        for start in range(0, len(order), size):
            yield blocks[order[start : start + size]]


def _update(model: AlbertForMaskedLM, inputs: Ids, labels: Ids, optimizer: torch.optim.Optimizer) -> float:
    """One update; the output layer is computed for the masked tokens only."""
    hidden = model.albert(input_ids=torch.from_numpy(inputs)).last_hidden_state
    wanted = torch.from_numpy(labels)
    masked = wanted != IGNORED
    if not masked.any():
        return 0.0
    loss = torch.nn.functional.cross_entropy(model.predictions(hidden[masked]), wanted[masked])
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return float(loss.item())
