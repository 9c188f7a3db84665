"""`Lookup`: the two ways to find entries that strategies share, by words (BM25) and by meaning (vectors).

Either can be left out (R069). What is found keeps the factor of eq. 6, so that no strategy shows a definition of an
unrelated course. How lists become one ranking is the strategies'.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from knowledge_graph.lake.records import Mode
from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.concept_aware import SearchWeight, hits, retrieve, weigher
from serving.assistant.retrieval.direct import match
from serving.assistant.understanding.understand import Understanding
from serving.index.engine import NearestNeighbours, Vector
from serving.index.schema import Entry
from serving.index.search import SearchIndex

DEPTH = 50
"""Entries of one list before lists are joined. A choice: deeper changed no figure on 2,123 course questions."""


@dataclass(frozen=True)
class Dense:
    """An embedder with the vectors that it made of the entries."""

    embedder: Embedder
    index: NearestNeighbours


@dataclass(frozen=True)
class QueryHits:
    """What the lists of one query hold: entries by id, their factor of eq. 6, and scores without it: BM25, cosine, and
    support, the share of the query by weight that an entry speaks of (`SearchIndex.support`).

    Support is worked out when it is asked for, as it takes longer than the rest; `None` where words were not searched.

    An entry that only one way found has a score in the other where it could be worked out, else none. Entries whose
    factor is 0 are not here. A cosine is the largest of an entry's vectors'; `vectors` has one of each, to compare
    entries with each other.
    """

    entries: Mapping[str, Entry]
    factors: Mapping[str, float]
    bm25: Mapping[str, float]
    cosine: Mapping[str, float]
    support: Callable[[str], float] | None = None
    vectors: Mapping[str, Vector] = field(default_factory=dict)

    def weigh(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Scores times the factor of eq. 6; those that come to 0 or less are left out."""
        products = {key: self.factors[key] * score for key, score in scores.items()}
        return {key: score for key, score in products.items() if score > 0}


@dataclass(frozen=True)
class Lookup:
    """Both indexes of one version. `lexical` false searches by meaning alone, no `dense` by words alone."""

    index: SearchIndex
    dense: Dense | None = None
    lexical: bool = True
    search_weight: SearchWeight = "h"
    depth: int = DEPTH

    def is_dense_for(self, lang: str) -> bool:
        """Whether questions in this language can be compared by meaning."""
        return self.dense is not None and lang in self.dense.embedder.languages

    async def encode(self, asked: Understanding, queries: Sequence[str]) -> tuple[list[Vector | None], tuple[str, ...]]:
        """The vector of each query, `None` where there is none, and a note when the embedder failed."""
        if self.dense is None or not self.is_dense_for(asked.lang):
            return [None] * len(queries), ()
        try:
            return list(await asyncio.to_thread(self.dense.embedder.encode, list(queries))), ()
        except EmbeddingFailed as error:
            return [None] * len(queries), (f"Searched by words alone: {error}",)

    def find(
        self,
        asked: Understanding,
        query: str,
        vector: Vector | None,
        *,
        course_id: str | None,
        domains: Collection[str],
        mode: Mode | None = None,
    ) -> QueryHits:
        """What one query finds. By words always when there is no vector, for then there is nothing else."""
        by_words = self.lexical or vector is None
        found = hits(self.index, query, course_id=course_id, k=self.depth, mode=mode) if by_words else []
        bm25 = {hit.entry.entry_id: hit.score for hit in found}
        entries = {hit.entry.entry_id: hit.entry for hit in found}
        cosine, vectors = self._by_meaning(vector, asked.lang, entries, course_id, mode)
        others = self.index.entries("qa", [key for key in cosine if key not in entries])
        entries |= {one.entry_id: one for one in others if self.index.allows(one, course_id)}
        weigh = weigher(asked, course_id=course_id, domains=domains, search_weight=self.search_weight)
        factors = {key: weight for key, entry in entries.items() if (weight := weigh(entry)) > 0}

        def keep_known(scores: Mapping[str, float]) -> dict[str, float]:
            return {key: score for key, score in scores.items() if key in factors}

        def support(key: str) -> float:
            return self.index.support(query, _whole(entries[key]))

        known = {key: entries[key] for key in factors}
        return QueryHits(known, factors, keep_known(bm25), keep_known(cosine), support if by_words else None, vectors)

    def _by_meaning(
        self,
        vector: Vector | None,
        lang: str,
        also: Mapping[str, Entry],
        course_id: str | None,
        mode: Mode | None,
    ) -> tuple[dict[str, float], dict[str, Vector]]:
        """Cosines of the nearest entries and of those in `also` that are in the question's language, and a vector of
        each of them."""
        if vector is None or self.dense is None:
            return {}, {}
        platforms = self.index.platforms_for(course_id)
        search = partial(self.dense.index.search, kind="qa", course_id=course_id, platforms=platforms)
        near = dict(search(vector, lang=lang, mode=mode, k=self.depth))
        rest = [key for key, entry in also.items() if key not in near and entry.lang == lang]
        cosine = near | self.dense.index.cosines(vector, rest, "qa")
        return cosine, self.dense.index.vectors(list(cosine), "qa")

    def decide(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None, top_k: int
    ) -> Retrieved:
        """The concept-aware ranking, whose `best` is the direct decision of every strategy."""
        return retrieve(
            asked,
            self.index,
            course_id=course_id,
            domains=domains,
            top_k=top_k,
            search_weight=self.search_weight,
            mode=mode,
        )

    def candidate(
        self, asked: Understanding, found: QueryHits, key: str, score: float, parts: Mapping[str, float]
    ) -> PairCandidate:
        """One of the entries found, with its match."""
        weight, entry = found.factors[key], found.entries[key]
        return PairCandidate(entry, score, weight * match(asked, entry, self.index), {**parts, "factor": weight})


def _whole(entry: Entry) -> str:
    return f"{entry.section or ''}\n{entry.title}\n{entry.text}"
