"""Questions as sentence embeddings, which the intent model reads beside their tokens. numpy only; who embeds is given.

A vector means something among those of its own language alone (`ByLanguage`), so each goes with its language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.text.sentences import language_of
from models.embedding.embedder import Embedder, Vectors
from models.intent.labels.pairs import LONGEST_TEXT

_AT_ONCE = 256
"""Questions between two signs of life. A choice."""


@dataclass(frozen=True)
class VectorBatch:
    """What the network reads of some questions beside their tokens."""

    vectors: Vectors
    """(questions, dimension); zeros for a question in a language that the embedder does not know."""
    vector_language: NDArray[np.int64]
    """(questions,): 0 for such a question, else the place of its language among the embedder's, from 1 up."""


@dataclass(frozen=True)
class QuestionVectors:
    """The vectors of all questions of a training, made once for all of its networks."""

    version: str
    """The folder of the published embedder."""
    name: str
    languages: tuple[str, ...]
    dimension: int
    known: Mapping[str, Vectors]
    """By question as it was asked, those in `languages`."""

    def batch(self, questions: Sequence[str]) -> VectorBatch:
        """The vectors of questions that are known. Raises `KeyError` for another one in one of the languages."""
        places = [language_place(question, self.languages) for question in questions]
        none = np.zeros(self.dimension, np.float32)
        rows = [self.known[one] if place else none for one, place in zip(questions, places, strict=True)]
        return VectorBatch(np.array(rows, np.float32).reshape(len(rows), self.dimension), np.array(places, np.int64))


def embed_questions(
    questions: Sequence[str], embedder: Embedder, *, version: str, tell: Callable[[int, int], None] = lambda *_: None
) -> QuestionVectors:
    """Embed every question once; `version` is the embedder's folder. `tell` is told how many of how many are done."""
    wanted = [one for one in dict.fromkeys(questions) if language_place(one, embedder.languages)]
    known: dict[str, Vectors] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        known |= dict(zip(some, embedder.encode([text_to_embed(one) for one in some]), strict=True))
        tell(len(known), len(wanted))
    return QuestionVectors(version, embedder.name, embedder.languages, embedder.dimension, known)


def vectors_of(questions: Sequence[str], embedder: Embedder) -> VectorBatch:
    """The vectors of some questions, as they are asked."""
    places = np.array([language_place(one, embedder.languages) for one in questions], np.int64)
    found = np.zeros((len(questions), embedder.dimension), np.float32)
    asked = np.flatnonzero(places).tolist()
    if asked:
        found[asked] = embedder.encode([text_to_embed(questions[place]) for place in asked])
    return VectorBatch(found, places)


def language_place(question: str, languages: Sequence[str]) -> int:
    """The place of the question's language among `languages`, from 1 up; 0 when it is none of them."""
    lang = language_of(text_to_embed(question))
    return languages.index(lang) + 1 if lang in languages else 0


def text_to_embed(question: str) -> str:
    """What is embedded: as much as the network is given, with half surrogate pairs, which are no text, replaced."""
    return question[:LONGEST_TEXT].encode("utf-8", "replace").decode()
