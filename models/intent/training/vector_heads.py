"""The linear heads over sentence embeddings, one for each language, as a part of the network's graph.

An embedder has read far more than labels can teach. Its heads are fitted apart, as the n-gram bag is, and what is
served is the mean of what they and the network say. A head for each language: the vectors of two languages come from
two models. On the 1,228 sample labels, each asked once by cross-validation, the mean's macro-F1 was .786 with a head
for each and .738 with one for both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.question_vectors import QuestionVectors, VectorBatch
from models.intent.training.bag import NEVER_SEEN, fit_linear

_TINY = 1e-12


class VectorHeads(nn.Module):
    """A weight per language, number of the vector and category. Filled by `fill_heads`, and fixed.

    `share` is what a head has of the probability, 0 where there is none: language 0, and one without labels.
    """

    weights: Tensor
    bias: Tensor
    share: Tensor

    def __init__(self, known: QuestionVectors) -> None:
        super().__init__()
        places = 1 + len(known.languages)
        self.known = known
        self.register_buffer("weights", torch.zeros(places, known.dimension, len(CATEGORIES)))
        self.register_buffer("bias", torch.zeros(places, len(CATEGORIES)))
        self.register_buffer("share", torch.zeros(places))

    def forward(self, logits: Tensor, vectors: Tensor, vector_language: Tensor) -> Tensor:
        """The logarithm of the mean of two probabilities, that of `logits` and that of the heads, by their shares."""
        own = (vectors.unsqueeze(1) @ self.weights[vector_language]).squeeze(1) + self.bias[vector_language]
        share = self.share[vector_language].unsqueeze(1)
        mean = (1 - share) * torch.softmax(logits, dim=-1) + share * torch.softmax(own, dim=-1)
        logarithms: Tensor = mean.clamp(min=_TINY).log()
        return logarithms

    def inputs(self, questions: Sequence[str]) -> tuple[Tensor, Tensor]:
        """What `forward` needs of questions of the training."""
        batch = self.known.batch(questions)
        return torch.from_numpy(batch.vectors), torch.from_numpy(batch.vector_language)


@dataclass(frozen=True)
class HeadWeights:
    """What `fit_heads` found, by the place of the language; a language with fewer than two categories has no head."""

    weights: Floats
    bias: Floats
    fitted: NDArray[np.bool_]


def fit_heads(
    batch: VectorBatch, places: int, labels: NDArray[np.int64], weights_of: Floats | None = None
) -> HeadWeights:
    """A logistic regression for each of the `places`, categories weighted alike; `weights_of` as in `fit_bag`."""
    weights = np.zeros((places, batch.vectors.shape[1], len(CATEGORIES)))
    bias = np.full((places, len(CATEGORIES)), NEVER_SEEN)
    fitted = np.zeros(places, dtype=np.bool_)
    for place in range(1, places):
        rows = np.flatnonzero(batch.vector_language == place)
        if len(np.unique(labels[rows])) > 1:
            own = None if weights_of is None else weights_of[rows]
            weights[place], bias[place] = fit_linear(batch.vectors[rows].astype(np.float64), labels[rows], own)
            fitted[place] = True
    return HeadWeights(weights, bias, fitted)


def head_probabilities(batch: VectorBatch, found: HeadWeights) -> Floats:
    """What fitted heads say, rows sum to 1; of a language without one, that all categories are alike."""
    logits = np.zeros((len(batch.vectors), len(CATEGORIES)))
    for place in np.flatnonzero(found.fitted):
        rows = batch.vector_language == place
        logits[rows] = batch.vectors[rows] @ found.weights[place] + found.bias[place]
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = raised / raised.sum(axis=1, keepdims=True)
    return probabilities


def fill_heads(heads: VectorHeads, found: HeadWeights, share: float) -> None:
    """Put fitted weights into the network's part."""
    heads.weights.copy_(torch.from_numpy(found.weights))
    heads.bias.copy_(torch.from_numpy(found.bias))
    heads.share.copy_(torch.from_numpy(found.fitted * share))
