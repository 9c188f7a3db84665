"""Vectors of the concepts from the course's own words: no model, nothing downloaded.

Belongs here: positive pointwise mutual information of concepts and the words around their mentions (Levy and Goldberg
2014, section 3.1), which is what word2vec's skip-gram factorises, up to a shift.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.prerequisites.mentions import Mentions
from knowledge_graph.text.sentences import LectureSpan

MOST_WORDS = 4_000
_SEEN = 5  # sentences that must use a word before its company means something
_EVERYWHERE = 0.2  # share of the sentences; words beyond say nothing of a topic
_TOKEN = re.compile(r"[a-z][a-z']+|[\u3400-\u9fff]+")


def context_vectors(mentions: Mentions, sentences: Sequence[LectureSpan]) -> NDArray[np.float64]:
    """One row per concept over at most `MOST_WORDS` words of the sentences that mention it and their neighbours."""
    mentioned = _with_neighbours(mentions)
    used = {at: set(_words(sentences[at].text)) for at in sorted({at for found in mentioned for at in found})}
    vocabulary = _vocabulary(used.values())
    counts = np.zeros((len(mentioned), len(vocabulary)))
    for row, found in enumerate(mentioned):
        for at in found:
            counts[row, [vocabulary[word] for word in used[at] if word in vocabulary]] += 1
    overall = np.zeros(len(vocabulary))
    for words in used.values():
        overall[[vocabulary[word] for word in words if word in vocabulary]] += 1
    return positive_information(counts, overall)


def positive_information(counts: NDArray[np.float64], overall: NDArray[np.float64]) -> NDArray[np.float64]:
    """max(0, log P(word | concept) / P(word)), where `overall` counts the words of the whole text; 0 without counts."""
    expected = counts.sum(axis=1, keepdims=True) * overall / max(1.0, overall.sum())
    ratio = np.divide(counts, expected, out=np.ones_like(counts), where=(expected > 0) & (counts > 0))
    information: NDArray[np.float64] = np.maximum(0.0, np.log(ratio))
    return information


def _with_neighbours(mentions: Mentions) -> list[list[int]]:
    last = len(mentions.stretch) - 1
    return [
        sorted(
            {
                near
                for at in positions
                for near in (max(0, at - 1), at, min(last, at + 1))
                if mentions.stretch[near] == mentions.stretch[at]
            }
        )
        for positions in mentions.positions
    ]


def _vocabulary(texts: Collection[set[str]]) -> dict[str, int]:
    counted = Counter(word for words in texts for word in words)
    kept = [word for word, count in counted.items() if _SEEN <= count < max(_SEEN + 1, _EVERYWHERE * len(texts))]
    best = sorted(kept, key=lambda word: (-counted[word], word))[:MOST_WORDS]
    return {word: at for at, word in enumerate(best)}


def _words(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text.lower()):
        if token[0] >= "\u3400":
            yield from (token[at : at + 2] for at in range(max(1, len(token) - 1)))
        else:
            yield token
