"""How central a sentence is to its lecture: the centroid method of extractive summaries (Radev et al. 2004). Pure."""

import re
from collections.abc import Sequence

import numpy as np

from knowledge_graph.lake.records import Lang
from knowledge_graph.transcripts.words import tf_idf, topic_words

_GOOD_WORDS: dict[Lang, tuple[int, int]] = {"en": (4, 18), "zh": (6, 30)}
"""Topic words between which a sentence has its full weight: shorter ones say little, longer ones run on. Choices."""

_POINTS = re.compile(
    r"^(?:this|these|that|those|it|he|she|they|here|there|we|you|i)\b|\b(?:this|these) (?:slide|picture|plot|figure"
    r"|line|one)\b"
    r"|\b(?:next|previous|last|this) (?:video|lecture|time)\b"
    r"|^(?:这|那|它|他|她|我们|你|我)|下一节|上一节|上集|下集|这张图",
    re.IGNORECASE,
)
_POINTING_FACTOR = 0.7
"""What a sentence that points at something unseen, or speaks of the lecture itself, keeps of its weight. A choice."""


def centrality(texts: Sequence[str], lang: Lang) -> list[float]:
    """The weight of each sentence of one lecture, 0..1: cosine to the lecture's centroid, the largest being 1."""
    if not texts:
        return []
    matrix = tf_idf(texts, lang)
    centroid = matrix.mean(axis=0)
    scores = np.einsum("ij,j->i", matrix, centroid)  # `@` now and then warns of an invalid value that is not there
    least, most = _GOOD_WORDS[lang]
    for row, text in enumerate(texts):
        count = len(topic_words(text, lang))
        scores[row] *= min(1.0, count / least) * (1.0 if count <= most else most / count)
        if text.rstrip("\"'”’)").endswith(("?", "？")):
            scores[row] *= 0.5
        if _POINTS.search(text):
            scores[row] *= _POINTING_FACTOR
    top = float(scores.max())
    return [round(float(score) / top, 4) if top > 0 else 0.0 for score in np.asarray(scores)]
