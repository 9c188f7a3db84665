"""The strategy `fused` (Maastricht 1.1-1.4): several wordings, each by words and by meaning, joined by their ranks.

The model writes three wordings of the question beside it. Each query gives a list by BM25 and, where the embedder
speaks the language, one by cosine; reciprocal rank fusion joins them, maximal marginal relevance removes what says the
same again, and a reranker, if there is one, has the last word. Without a model the question is the only query.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from knowledge_graph.lake.records import Mode
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.fusion import diverse, in_order, normalise_scores, reciprocal_ranks
from serving.assistant.retrieval.lookup import Lookup, QueryHits
from serving.assistant.retrieval.reranking import Reranker, rerank
from serving.assistant.retrieval.rewording import queries
from serving.assistant.understanding.understand import Understanding
from serving.index.engine import Vector
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.messages import Message

MMR_WEIGHT = 0.9
"""Lambda of maximal marginal relevance: how much relevance counts beside being new. On 70 questions to a sample course
recall@5 is .80 at .7, .81 at .8, .85 at .9 and .86 at 1; MRR@10 is .849, .865, .870 and .869."""

REWORDING_TOKENS = 120
"""Longest rewriting: three questions of forty tokens. A choice."""

REWORDING_TEMPERATURE = 0.2
"""As in every prompt of the paper (Maastricht, generation)."""

Prompt = Callable[[str], Sequence[Message]]
"""The messages that ask a model for other wordings of a question."""

Reword = Callable[[str], Awaitable[str]]
"""A question to the text a model writes for it. Raises `LlmError`."""


def rewording_by(llm: LanguageModel, prompt: Prompt) -> Reword:
    """What asks a model."""

    async def reword(question: str) -> str:
        written = await llm.complete(prompt(question), max_tokens=REWORDING_TOKENS, temperature=REWORDING_TEMPERATURE)
        return written.text

    return reword


@dataclass(frozen=True)
class Fused:
    """Gives the `top_k` best after fusion, diversity and reranking. `reword` and `reranker` may be left out."""

    lookup: Lookup
    top_k: int
    reword: Reword | None = None
    reranker: Reranker | None = None
    mmr_weight: float = MMR_WEIGHT
    name: str = "fused"

    async def retrieve(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None = None
    ) -> Retrieved:
        wordings, reworded = await self._queries(asked.question)
        vectors, encoded = await self.lookup.encode(asked, wordings)
        find = partial(self.lookup.find, course_id=course_id, domains=domains, mode=mode)
        founds = [
            await self.lookup.index.find(partial(find, asked, query, vector), query)
            for query, vector in zip(wordings, vectors, strict=True)
        ]
        ranked, reranked = await self._rerank(asked, self._fuse(asked, founds))
        decide = partial(self.lookup.decide, course_id=course_id, domains=domains, mode=mode, top_k=self.top_k)
        decided = await self.lookup.index.find(partial(decide, asked), asked.question)
        return Retrieved(
            ranked=ranked,
            best=decided.best,
            by_concepts=False,
            strategy=self.name,
            queries=wordings,
            notes=(*reworded, *encoded, *reranked),
            vector=vectors[0],
        )

    async def _queries(self, question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self.reword is None:
            return (question,), ()
        try:
            return queries(question, await self.reword(question)), ()
        except LlmError as error:
            return (question,), (f"No other wordings: {type(error).__name__}: {error}",)

    def _fuse(self, asked: Understanding, founds: Sequence[QueryHits]) -> tuple[PairCandidate, ...]:
        """Everything found, joined by ranks; the first `top_k` by marginal relevance."""
        fused = reciprocal_ranks([ranked for found in founds for ranked in rank_lists(found)])
        by_key = {key: found for found in reversed(founds) for key in found.entries}
        vectors: dict[str, Vector] = {key: each for found in founds for key, each in found.vectors.items()}
        chosen = diverse(normalise_scores(fused), vectors, weight=self.mmr_weight, k=self.top_k)
        return tuple(
            self.lookup.candidate(asked, by_key[key], key, fused[key], _parts(by_key[key], key, fused, value))
            for key, value in chosen
        )

    async def _rerank(
        self, asked: Understanding, ranked: tuple[PairCandidate, ...]
    ) -> tuple[tuple[PairCandidate, ...], tuple[str, ...]]:
        if self.reranker is None:
            return ranked, ()
        texts = [f"{one.entry.title}\n{one.entry.text}" for one in ranked]
        order, note = await rerank(asked.question, texts, self.reranker)
        if note:
            return ranked, (note,)
        return tuple(_with_score(ranked[place], score) for place, score in order), ()


def rank_lists(found: QueryHits) -> list[list[str]]:
    """The lists that one query gives: by words and by meaning, each best first."""
    return [in_order(found.weigh(scores)) for scores in (found.bm25, found.cosine) if scores]


def _parts(found: QueryHits, key: str, fused: Mapping[str, float], value: float) -> dict[str, float]:
    parts = {"bm25": found.bm25.get(key), "cosine": found.cosine.get(key), "rrf": fused[key], "mmr": value}
    return {name: part for name, part in parts.items() if part is not None}


def _with_score(candidate: PairCandidate, score: float) -> PairCandidate:
    return replace(candidate, score=score, parts={**candidate.parts, "rerank": score})
