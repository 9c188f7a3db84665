"""Support of a sentence by meaning: the best cosine between it and the evidence sentences nearest to it by words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.text.sentences import language_of
from models.embedding.embedder import Embedder
from serving.assistant.grounding.material import EvidenceSentence, GroundingMaterial
from serving.index.analysis import content_terms

LEAST_TERMS = 5
"""Content terms of a sentence whose cosine says something: a bare name is far from every sentence. A choice."""

NEAREST = 4
"""Evidence sentences compared with each sentence, those that share most words: a passage has dozens. A choice."""

MOST_SENTENCES = 64
"""Sentences of one answer that are embedded; later ones are judged by words alone. A choice."""


def meanings(sentences: Sequence[str], material: GroundingMaterial, embedder: Embedder) -> list[float | None]:
    """The best cosine of each sentence, -1 to 1; `None` for short ones and for languages the embedder does not know."""
    compared = {place: near for place, text in enumerate(sentences) if (near := _comparable(text, material, embedder))}
    compared = dict(list(compared.items())[:MOST_SENTENCES])
    texts = list(dict.fromkeys(text for place, near in compared.items() for text in (sentences[place], *near)))
    if not texts:
        return [None] * len(sentences)
    vectors = dict(zip(texts, np.nan_to_num(embedder.encode(texts)), strict=True))
    found: list[float | None] = [None] * len(sentences)
    for place, near in compared.items():
        found[place] = max(cosine(vectors[sentences[place]], vectors[text]) for text in near)
    return found


def cosine(left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    """The cosine of two vectors of unit length, clipped to -1..1."""
    return float(np.clip(left @ right, -1.0, 1.0))


def knows(embedder: Embedder, text: str) -> bool:
    """Whether the embedder was trained for the language of a text."""
    return language_of(text) in embedder.languages


def _comparable(text: str, material: GroundingMaterial, embedder: Embedder) -> list[str]:
    content = frozenset(content_terms(text, strict=True))
    if len(content) < LEAST_TERMS or not knows(embedder, text):
        return []

    def rank_by_overlap(each: EvidenceSentence) -> int:
        return -len(content & each.content)

    return [
        each.text for each in sorted(material.sentences, key=rank_by_overlap)[:NEAREST] if knows(embedder, each.text)
    ]
