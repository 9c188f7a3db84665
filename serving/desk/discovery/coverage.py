"""How well the FAQ answers a group of questions already. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serving.desk.discovery.similarity import Encode, Matrix, terms_of, word_cosines

MatchEntries = Callable[[NDArray[np.float32]], Matrix]
"""The vectors of questions to their cosines with the entries of the FAQ: a row for each question."""


@dataclass(frozen=True)
class KnownEntry:
    """An entry of the FAQ."""

    entry_id: str
    question: str
    answer: str


@dataclass(frozen=True)
class Meaning:
    """How questions are compared by meaning, with each other and with entries."""

    encode: Encode
    match: MatchEntries


def coverage(
    groups: Sequence[Sequence[int]],
    texts: Sequence[str],
    entries: Sequence[KnownEntry],
    meaning: Matrix | None,
    *,
    words: float,
) -> list[float]:
    """How well the best entry answers each group of texts, 0..1 on average over its texts; 0 without any entry.

    `words` parts are the cosine of their terms, the rest that by `meaning`.
    """
    if not entries or not texts:
        return [0.0] * len(groups)
    matches = word_cosines(terms_of(texts), terms_of([f"{entry.question} {entry.answer}" for entry in entries]))
    if meaning is not None:
        matches = words * matches + (1 - words) * meaning
    return [float(matches[list(places)].mean(axis=0).max()) for places in groups]
