"""How training questions are dealt out: varied from epoch to epoch, in batches of like length, weighted by category."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.intent.labels.categories import CATEGORIES
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PairEncoder
from models.masked_language import MASK

_BUCKET = 8
"""Batches that are sorted by length together, so that short questions are not padded to long ones."""


def vary_inputs(
    train: Sequence[IntentExample],
    pairs: PairEncoder,
    source: np.random.Generator,
    *,
    context_dropout: float,
    token_dropout: float,
) -> list[tuple[list[int], list[int]]]:
    """The training inputs of one epoch, each a little different from the last: few labels are soon learnt by heart."""
    mask = pairs.tokenizer.token_to_id(MASK)
    special = (pairs.cls_id, pairs.sep_id)
    rows = []
    for example in train:
        keeps_previous, keeps_course = source.random(2) >= context_dropout
        previous, course = example.previous if keeps_previous else "", example.course if keeps_course else ""
        ids, segments = pairs.encode(previous, course, example.question)
        hidden = source.random(len(ids)) < token_dropout
        if mask is not None:
            ids = [mask if hide and one not in special else one for one, hide in zip(ids, hidden, strict=True)]
        rows.append((ids, segments))
    return rows


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
