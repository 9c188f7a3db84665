"""What a concept is usually spoken of with: definitions hold the words that typically stand beside it.

Belongs here: counting those words in bounded memory and comparing a sentence with them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang

_BUCKETS = 2048  # a vocabulary of any size in 8 KB a concept; two words in one bucket now and then do no harm
_TYPICAL = 12  # words that a sentence can be expected to touch
_WORD = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_BIGRAM = re.compile(r"(?=([\u3400-\u9fff]{2}))")


class Neighbourhood:
    """Words beside each concept, counted by sentence, in `_BUCKETS` hashed counters for each concept."""

    def __init__(self) -> None:
        self._sentences = 0
        self._all = np.zeros(_BUCKETS, dtype=np.int32)
        self._beside: dict[str, NDArray[np.int32]] = {}
        self._mentions: dict[str, int] = {}

    def add(self, text: str, lang: Lang, keys: Iterable[str]) -> None:
        """Count one sentence in which the concepts `keys` are mentioned."""
        found = buckets(text, lang)
        self._sentences += 1
        self._all[found] += 1
        for key in keys:
            if key not in self._beside:
                self._beside[key] = np.zeros(_BUCKETS, dtype=np.int32)
            self._beside[key][found] += 1
            self._mentions[key] = self._mentions.get(key, 0) + 1

    def weights(self, key: str) -> NDArray[np.float64]:
        """How typical the words of each bucket are of the concept, as an array over buckets.

        It is their share of the Kullback-Leibler divergence between the sentences about the concept and all sentences,
        scaled so that the most typical words add up to 1.
        """
        if key not in self._beside:
            return np.zeros(_BUCKETS)
        here = self._beside[key] / self._mentions[key]
        everywhere = np.maximum(self._all, 1) / max(1, self._sentences)
        gain = np.where(
            (self._beside[key] > 1) & (here > everywhere), here * np.log(np.maximum(here, 1e-9) / everywhere), 0
        )
        gain[buckets(key.partition(":")[2], "zh" if key.startswith("zh:") else "en")] = 0.0
        most = float(np.sort(gain)[-_TYPICAL:].sum())
        return gain / most if most > 0 else gain


def typicality(text: str, lang: Lang, weights: NDArray[np.float64]) -> float:
    """How much of what is typically said beside a concept `text` holds, 0..1; `weights` are the concept's."""
    return float(min(1.0, weights[buckets(text, lang)].sum()))


def buckets(text: str, lang: Lang) -> NDArray[np.intp]:
    """The buckets of the distinct words (Chinese: pairs of characters) of `text`, sorted."""
    words = _BIGRAM.findall(text) if lang == "zh" else _WORD.findall(text.lower())
    return np.array(sorted({_bucket(word) for word in words}), dtype=np.intp)


@lru_cache(maxsize=50_000)
def _bucket(word: str) -> int:
    return crc32(word.encode()) % _BUCKETS
