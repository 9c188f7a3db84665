"""The strategy `hybrid`: words and meaning in one sum.

score = factor * ((1 - w) * words + w * meaning), with the factor of eq. 6. Words are BM25 as a share of the largest
and, beside it, the share of the question that an entry speaks of; meaning is the cosine, stretched from 0 (the least
alike of those found) to 1. In a language that the embedder does not speak, and without one, words decide alone; with
`Lookup.lexical` false, meaning does.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from heapq import nlargest

from knowledge_graph.lake.records import Mode
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved, rank
from serving.assistant.retrieval.fusion import Scores, in_order, normalise_scores, stretch_scores, sum_weighted
from serving.assistant.retrieval.lookup import Lookup, QueryHits
from serving.assistant.understanding.understand import Understanding

DENSE_WEIGHT = 0.4
"""w, the weight of meaning. On 1,062 course questions hit@1 .884 at .3, .883 at .4, .874 at .5."""

SUPPORT_WEIGHT = 0.3
"""Weight of support in the words' part. On the same questions hit@1 .883 with it, .877 without; on 1,061 others .892
and .886."""

NEAREST = 3
"""Entries that are nearest in meaning, beside the best by the sum. A choice."""


@dataclass(frozen=True)
class Hybrid:
    """Gives the `top_k` best by the sum, and a few that are nearest in meaning."""

    lookup: Lookup
    top_k: int
    dense_weight: float = DENSE_WEIGHT
    name: str = "hybrid"

    async def retrieve(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None = None
    ) -> Retrieved:
        (vector,), notes = await self.lookup.encode(asked, [asked.question])
        find = partial(self.lookup.find, course_id=course_id, domains=domains, mode=mode)
        found = await self.lookup.index.find(partial(find, asked, asked.question, vector), asked.question)
        decide = partial(self.lookup.decide, course_id=course_id, domains=domains, mode=mode, top_k=self.top_k)
        decided = await self.lookup.index.find(partial(decide, asked), asked.question)
        return Retrieved(
            ranked=rank(self._candidates(asked, found), top_k=self.top_k + NEAREST),
            best=decided.best,
            by_concepts=False,
            strategy=self.name,
            queries=(asked.question,),
            notes=notes,
            vector=vector,
        )

    def _candidates(self, asked: Understanding, found: QueryHits) -> list[PairCandidate]:
        """The `top_k` best and, in Chinese, the nearest in meaning: what is asked in other words shares few characters
        with its entry. Support and the match with the question are worked out only for those that they can matter to.
        """
        near = in_order(found.cosine)[: self.top_k + NEAREST] if asked.lang == "zh" else []
        support = supports(found, [*contenders(found, self.dense_weight, self.top_k), *near])
        scores = combine_scores(found, self.dense_weight, support)
        best = in_order(scores)[: self.top_k]
        best += [key for key in near if key in scores and key not in best][:NEAREST]
        return [self.lookup.candidate(asked, found, key, scores[key], _parts(found, support, key)) for key in best]


def combine_scores(found: QueryHits, dense_weight: float, support: Scores) -> dict[str, float]:
    """The sum by id, 0..1; of one part alone where nothing was looked for, or found, by the other. What `support`
    leaves out counts as supported by nothing."""
    words = sum_weighted([(1.0 - SUPPORT_WEIGHT, normalise_scores(found.bm25)), (SUPPORT_WEIGHT, support)])
    meaning = stretch_scores(found.cosine)
    weight = dense_weight if words and meaning else float(bool(meaning))
    return found.weigh(sum_weighted([(1.0 - weight, words), (weight, meaning)]))


def contenders(found: QueryHits, dense_weight: float, k: int) -> list[str]:
    """Those that may be among the `k` best by the sum, whatever their support, 0..1, turns out to be."""
    least = combine_scores(found, dense_weight, dict.fromkeys(found.factors, 0.0))
    most = combine_scores(found, dense_weight, dict.fromkeys(found.factors, 1.0))
    floor = min(nlargest(k, least.values()), default=0.0) if len(least) >= k else 0.0
    return [key for key, score in most.items() if score >= floor]


def supports(found: QueryHits, keys: Iterable[str]) -> dict[str, float]:
    """Support by id; of nobody where words were not searched."""
    return {} if found.support is None else {key: found.support(key) for key in dict.fromkeys(keys)}


def _parts(found: QueryHits, support: Scores, key: str) -> dict[str, float]:
    parts = {"bm25": found.bm25.get(key), "support": support.get(key), "cosine": found.cosine.get(key)}
    return {name: value for name, value in parts.items() if value is not None}
