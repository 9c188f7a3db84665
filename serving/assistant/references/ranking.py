"""Course Hero's two steps (section 3): passages found by the words of the answer, then weighed by what they mean.

Belongs here: what is known of each candidate, as signals from 0 to 1. What they are worth is calibration.py's, where
meaning comes from semantic.py's.

Departures from the paper: the passages are compared with question and answer together, not with the answer alone. On
79 labelled English answers of the sample courses that took the average precision of the cosine from .69 to .76. And
the cosine is one signal of several, which took it to .86.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from serving.index import confidence
from serving.index.analysis import content_terms, terms
from serving.index.schema import Entry
from serving.index.search import SearchIndex

CANDIDATES = 20
"""Passages that the first step finds (Course Hero section 3)."""

LEXICAL = ("overlap", "support", "title")
SEMANTIC = (*LEXICAL, "cosine", "cosine_gap")

Signals = Mapping[str, float]
"""What is known of a candidate, each by name.

`overlap`: weighted Dice overlap of answer and passage. `support`: share of the answer that the passage speaks of.
`title`: share of the passage's title that the answer speaks of. `cosine`: of the vectors of answer and passage.
`cosine_gap`: how far that is below the best candidate's, at most 0. In all of them "answer" is question and answer.
"""

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Response:
    """What a reference has to support: the answer, its explanation if there is one, and what was asked."""

    question: str
    answer: str
    explanation: str = ""

    @property
    def query(self) -> str:
        """What the first step searches with: answer and explanation."""
        return f"{self.answer}\n{self.explanation}".strip()

    @property
    def text(self) -> str:
        """What the second step compares the passages with."""
        return f"{self.question}\n{self.query}".strip()


@dataclass(frozen=True)
class ReferenceCandidate:
    """A passage, what is known of it, and how likely it is to support the answer, 0..1."""

    entry: Entry
    signals: Signals
    score: float


def find_candidates(
    response: Response, index: SearchIndex, *, course_id: str | None, k: int = CANDIDATES
) -> list[Entry]:
    """Step 1: the `k` passages of the course that BM25 finds with the answer; with the question if there is none."""
    query = content_terms(response.query or response.question)
    return [hit.entry for hit in index.search(query, kind="passage", course_id=course_id, k=k)]


def lexical_signals(response: Response, entries: Sequence[Entry], index: SearchIndex) -> list[dict[str, float]]:
    """`LEXICAL` of each entry, in their order."""
    if not entries:
        return []
    asked, said = content_terms(response.text), terms(response.text)
    return [
        {
            "overlap": confidence.overlap(asked, _content(entry.text), index.idf),
            "support": confidence.share(asked, terms(f"{entry.title}\n{entry.text}"), index.idf),
            "title": confidence.share(content_terms(entry.title), said, index.idf),
        }
        for entry in entries
    ]


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[str, ...]:
    return tuple(content_terms(text))


def semantic_signals(response: Vectors, passages: Vectors) -> list[dict[str, float]]:
    """`cosine` and `cosine_gap` of passages (n, dimension) to a response (dimension,), all rows of unit length."""
    cosines = passages @ response
    best = cosines.max(initial=-1.0)
    return [{"cosine": float(one), "cosine_gap": float(one - best)} for one in cosines]


def rank_candidates(candidates: Sequence[ReferenceCandidate]) -> list[ReferenceCandidate]:
    """Best first; ties by id."""
    return sorted(candidates, key=lambda one: (-one.score, one.entry.entry_id))
