"""`PairCandidate`, `Retrieved` and `Strategy`: what every retrieval strategy takes and gives. How they rank is
theirs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Mode
from serving.assistant.understanding.understand import Understanding
from serving.index.schema import Entry


@dataclass(frozen=True)
class PairCandidate:
    """A QA pair with all that went into its place.

    `score` orders candidates under one strategy and has no meaning under another; `parts` explain it by name ("bm25",
    "factor", "cosine", "title", "rrf", "mmr", ...). `match`, 0..1, is how well its question is the one asked, which
    eq. 7 is asked of under every strategy.
    """

    entry: Entry
    score: float
    match: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    asked_as: str = ""
    """Of an answer that a TA approved, the wording of its question that is nearest to the one asked."""


@dataclass(frozen=True)
class Retrieved:
    """The candidates by score, best first, and the best match of all.

    `by_concepts` is false when no concept was found and the content words were the query instead of NER(q). `queries`
    are all texts that were searched for, the question itself first. `notes` say what a strategy had to do without and
    why, one sentence each; empty when all went well.
    """

    ranked: tuple[PairCandidate, ...]
    best: PairCandidate | None
    by_concepts: bool
    strategy: str = "concept_aware"
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = field(default=None, repr=False, compare=False)
    """The question's embedding, where the strategy made one: nobody makes it again."""

    def without_explanations(self) -> "Retrieved":
        """The same with stored answers alone (Course Hero 2.4: the control of its experiment)."""
        best = self.best and _without_explanation(self.best)
        return replace(self, ranked=tuple(_without_explanation(one) for one in self.ranked), best=best)


def _without_explanation(candidate: PairCandidate) -> PairCandidate:
    return replace(candidate, entry=replace(candidate.entry, explanation=None, explanation_kind=None))


class Strategy(Protocol):
    """One way to find and rank the QA pairs that may answer a question."""

    @property
    def name(self) -> str: ...

    async def retrieve(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None = None
    ) -> Retrieved:
        """What may answer in a course whose domains are `domains`; in any course when `course_id` is `None`.

        A `mode` keeps what a catalogue expert of that mode knows. Never raises for a model that fails: `notes` tell.
        """
        ...


def rank(candidates: Iterable[PairCandidate], *, top_k: int) -> tuple[PairCandidate, ...]:
    """The `top_k` by score, best first, ties by id; what scores 0 is left out."""
    kept = [candidate for candidate in candidates if candidate.score > 0]
    return tuple(sorted(kept, key=lambda one: (-one.score, one.entry.entry_id))[:top_k])
