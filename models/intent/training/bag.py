"""The n-gram bag: a linear model over single tokens and pairs of neighbours, as a part of the network's graph.

A few thousand labelled questions teach a linear model over n-grams more reliably than they teach an encoder. The bag
is fitted apart, in closed form but for the solver, and its logits are added to those of ALBERT (network.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits
from torch import Tensor, nn

from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.pairs import PaddedBatch
from models.progress import OnProgress, TrainingProgress, ignore_progress

BUCKETS = 65_522
"""Rows of the table; a choice. Bucket 0 is for padding, the others are a prime number, which spreads the keys."""

_TINY = 1e-12
"""The least squared length that is divided by."""

_MANY = 10_000
"""Questions from which on each bag takes long enough to be told of. A choice."""

_STEP = 8191
"""A prime near the size of a vocabulary: a pair of tokens is one number."""

_FOLDS = 5
"""Parts of the training questions for `predict_unseen`; a choice."""

_INVERSE_PENALTY = 10.0
"""As in the linear baseline."""

_CONTEXT_SHARE = 0.5
"""Length of the context's part beside the question's, which is 1. With both in one length a long turn before drowned
the question: on five held-out parts of real questions the blend's macro-F1 was .512 instead of .531."""

NEVER_SEEN = -10.0
"""Bias of a category without a question; a choice."""


class NgramBag(nn.Module):
    """TF-IDF of hashed tokens and token pairs, scaled to a length, times one weight per category.

    Context and question have n-grams and lengths of their own. What was never seen counts nothing. The weights are
    fitted by `fit_bag` and stay as they are.
    """

    strength: Tensor
    weights: Tensor
    bias: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("strength", torch.zeros(BUCKETS, 1))
        self.register_buffer("weights", torch.zeros(BUCKETS, len(CATEGORIES)))
        self.register_buffer("bias", torch.zeros(len(CATEGORIES)))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Logits, one row per question, columns in the order of `CATEGORIES`."""
        buckets = ngram_buckets(input_ids, attention_mask, token_type_ids)
        strength = nn.functional.embedding(buckets, self.strength)
        weights = nn.functional.embedding(buckets, self.weights)
        asked = torch.cat([token_type_ids, token_type_ids], dim=1).unsqueeze(-1).to(strength.dtype)
        parts = asked * strength, (1 - asked) * strength
        lengths = [(part * part).sum(dim=1, keepdim=True).clamp(min=_TINY).sqrt() for part in parts]
        scaled = parts[0] / lengths[0] + _CONTEXT_SHARE * parts[1] / lengths[1]
        return (scaled * weights).sum(dim=1) + self.bias


def ngram_buckets(input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
    """The bucket of every token and of every token with the one before it, shape (questions, 2 x tokens).

    A token is counted where its segment is, a pair where its second token is. Padding is in bucket 0.
    """
    before = torch.cat([torch.zeros_like(input_ids[:, :1]), input_ids[:, :-1]], dim=1)
    single = input_ids * 2 + token_type_ids
    pair = ((before + 1) * _STEP + input_ids) * 2 + token_type_ids
    keys = torch.cat([single, pair], dim=1)
    present = torch.cat([attention_mask, attention_mask], dim=1)
    return (keys % (BUCKETS - 1) + 1) * present


@dataclass(frozen=True)
class BagWeights:
    """What `fit_bag` found: inverse document frequencies, weights per bucket and category, and bias."""

    strength: NDArray[np.float64]
    weights: Floats
    bias: Floats


def fit_bag(batch: PaddedBatch, labels: NDArray[np.int64], weights_of: Floats | None = None) -> BagWeights:
    """Logistic regression, categories weighted alike; a category without a question stays improbable.

    `weights_of`: how much each question counts, 1 by default.
    """
    asked, context = _counts(batch)
    seen = np.bincount((asked + context).indices, minlength=BUCKETS)
    strength = np.where(seen > 0, np.log((1 + len(labels)) / (1 + seen)) + 1, 0.0)
    strength[0] = 0.0
    return BagWeights(strength, *fit_linear(_scale((asked, context), strength), labels, weights_of))


def fit_linear(
    features: sparse.csr_array | Floats, labels: NDArray[np.int64], weights_of: Floats | None
) -> tuple[Floats, Floats]:
    """Weights (features x categories) and bias of a logistic regression, as `fit_bag` says.

    What no question has keeps the weight zero, and the solver does not carry it: of 65,522 buckets, all but those.
    """
    has = np.union1d(features.nonzero()[1], [0])  # and padding, so that blank questions have something
    weights = np.zeros((features.shape[1], len(CATEGORIES)))
    bias = np.full(len(CATEGORIES), NEVER_SEEN)
    present = np.unique(labels)
    bias[present] = 0.0
    if len(present) > 1:
        solver = LogisticRegression(C=_INVERSE_PENALTY, class_weight="balanced", max_iter=1000)
        with threadpool_limits(1):  # as in masked_language.py: another number of threads gives other bytes
            solver.fit(features[:, has], labels, sample_weight=weights_of)
        columns = present if len(present) > 2 else present[1:]  # of two categories only the second has weights
        weights[np.ix_(has, columns)] = solver.coef_.T
        bias[columns] = solver.intercept_
    return weights, bias


def fill_bag(bag: NgramBag, found: BagWeights) -> None:
    """Put fitted weights into the network's part."""
    bag.strength.copy_(torch.from_numpy(found.strength).unsqueeze(1))
    bag.weights.copy_(torch.from_numpy(found.weights))
    bag.bias.copy_(torch.from_numpy(found.bias))


def bag_probabilities(batch: PaddedBatch, found: BagWeights) -> Floats:
    """What a fitted bag says of questions; one row each, rows sum to 1."""
    logits = _scale(_counts(batch), found.strength) @ found.weights + found.bias
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = shifted / shifted.sum(axis=1, keepdims=True)
    return probabilities


def predict_unseen(
    batch: PaddedBatch,
    labels: NDArray[np.int64],
    weights_of: Floats,
    texts: Sequence[str],
    *,
    seed: int,
    on_progress: OnProgress = ignore_progress,
) -> Floats:
    """What bags say of questions that they were not fitted on, equal `texts` held out together; one row each.

    These are soft labels: where the n-grams of the other questions contradict a label, the label may be noise.
    """
    folds = _folds_by_text(texts, seed=seed)
    found = np.zeros((len(labels), len(CATEGORIES)))
    for fold in np.unique(folds):
        known = np.flatnonzero(folds != fold)
        asked = np.flatnonzero(folds == fold)
        if not len(known):
            known = asked  # one text alone: there is nothing else to learn from
        taught = fit_bag(_rows(batch, known), labels[known], weights_of[known])
        found[asked] = bag_probabilities(_rows(batch, asked), taught)
        if len(labels) > _MANY:
            on_progress(TrainingProgress("n-grams", int(fold) + 1, _FOLDS, {}))
    return found


def _folds_by_text(texts: Sequence[str], *, seed: int) -> NDArray[np.int64]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        places[text].append(place)
    order = np.random.default_rng(seed).permutation(len(places))
    folds = np.zeros(len(texts), dtype=np.int64)
    for number, members in zip(order, places.values(), strict=True):
        folds[members] = number % _FOLDS
    return folds


def _rows(batch: PaddedBatch, chosen: NDArray[np.int64]) -> PaddedBatch:
    return PaddedBatch(batch.input_ids[chosen], batch.attention_mask[chosen], batch.token_type_ids[chosen])


def _counts(batch: PaddedBatch) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Questions x buckets, of the questions and of their contexts."""
    arrays = (torch.from_numpy(array) for array in (batch.input_ids, batch.attention_mask, batch.token_type_ids))
    buckets = ngram_buckets(*arrays).numpy()
    segments = np.concatenate([batch.token_type_ids, batch.token_type_ids], axis=1)
    return _table(buckets, segments == 1), _table(buckets, segments == 0)


def _table(buckets: NDArray[np.int64], chosen: NDArray[np.bool_]) -> sparse.csr_array:
    rows, columns = np.nonzero(chosen & (buckets > 0))
    counts = sparse.csr_array((np.ones(len(rows)), (rows, buckets[rows, columns])), shape=(len(buckets), BUCKETS))
    counts.sum_duplicates()
    return counts


def _scale(counts: tuple[sparse.csr_array, sparse.csr_array], strength: NDArray[np.float64]) -> sparse.csr_array:
    """Counts times strengths, each part of a row at its length, as in `NgramBag`."""
    asked, context = (sparse.diags_array(1 / np.sqrt(np.maximum(part @ strength**2, _TINY))) @ part for part in counts)
    return sparse.csr_array((asked + _CONTEXT_SHARE * context) @ sparse.diags_array(strength))
