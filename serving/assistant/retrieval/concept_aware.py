"""Concept-aware ranking (LittleMu 3.2.3, eq. 5-6): BM25 over NER(q) in all sources, times the exact factors.

Where no concept is found the content words of the question are the query: NER(q) would be empty, and questions about
the course name none. The direct decision (eq. 7) is in `direct`.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.source_kinds import PAIR_SOURCES
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved, rank
from serving.assistant.retrieval.direct import best_match, match
from serving.assistant.understanding.understand import Understanding
from serving.index.analysis import content_terms, terms
from serving.index.engine import Hit
from serving.index.schema import Entry
from serving.index.search import SearchIndex

SearchWeight = Literal["h", "openness"]

CONCEPT_CANDIDATES = 50
"""g differs from candidate to candidate, so more concepts are looked at than are kept."""

_UNWEIGHTED = [source for source in PAIR_SOURCES if source not in ("concept", "search")]
"""Sources whose factor in eq. 6 is 1."""


def jaccard(left: Collection[str], right: Collection[str]) -> float:
    """Eq. 5: shared over all domains, 0..1; 0 when neither side has any."""
    union = set(left) | set(right)
    return len(set(left) & set(right)) / len(union) if union else 0.0


def course_similarity(entry: Entry, course_id: str | None, domains: Collection[str]) -> float:
    """g(z) of eq. 5. A course is wholly similar to itself, domains or not, and any course to none."""
    return 1.0 if course_id is None or entry.course_id == course_id else jaccard(entry.domains, domains)


def factor(source: str, *, g: float, h: float, search_weight: SearchWeight = "h") -> float:
    """The factor of eq. 6: g for concepts, h for search snippets, 1 otherwise.

    As printed, h shrinks search snippets for questions of knowledge, while the text promises them more weight for open
    questions: `openness` takes 1 - h instead.
    """
    if source == "concept":
        return g
    if source == "search":
        return h if search_weight == "h" else 1.0 - h
    return 1.0


def concept_query(concepts: Iterable[GraphConcept]) -> list[str]:
    """NER(q) of eq. 6: the terms of the concepts' names and aliases, each once."""
    names = [name for concept in concepts for name in (concept.name, *concept.aliases)]
    return list(dict.fromkeys(term for name in names for term in terms(name)))


@dataclass(frozen=True)
class ConceptAware:
    """The strategy `concept_aware`; gives the `top_k` best."""

    index: SearchIndex
    top_k: int
    search_weight: SearchWeight = "h"
    name: str = "concept_aware"

    async def retrieve(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None = None
    ) -> Retrieved:
        ranking = partial(
            retrieve,
            asked,
            self.index,
            course_id=course_id,
            domains=domains,
            top_k=self.top_k,
            search_weight=self.search_weight,
            mode=mode,
        )
        return await self.index.find(ranking, asked.question)


def retrieve(
    asked: Understanding,
    index: SearchIndex,
    *,
    course_id: str | None,
    domains: Collection[str],
    top_k: int,
    search_weight: SearchWeight = "h",
    mode: Mode | None = None,
) -> Retrieved:
    """Rank by NER(q), or by all content words when no concept is found; match against the whole question.

    Questions about the platform name no concept, and a question that names one may still be a stored FAQ word for word:
    so `best` also looks at what the whole question finds.
    """
    whole = content_terms(asked.question)
    query = concept_query(asked.concepts) or whole

    weight_of = weigher(asked, course_id=course_id, domains=domains, search_weight=search_weight)

    def weigh(hit: Hit) -> PairCandidate:
        weight = weight_of(hit.entry)
        parts = {"bm25": hit.score, "factor": weight}
        return PairCandidate(hit.entry, weight * hit.score, weight * match(asked, hit.entry, index), parts)

    found = [weigh(hit) for hit in hits(index, query, course_id=course_id, k=top_k, mode=mode)]
    also = (
        [weigh(hit) for hit in hits(index, whole, course_id=course_id, k=top_k, mode=mode)] if query != whole else found
    )
    return Retrieved(
        ranked=rank(found, top_k=top_k),
        best=best_match(asked, (*found, *also)),
        by_concepts=bool(asked.concepts),
        strategy="concept_aware",
        queries=(asked.question,),
    )


def weigher(
    asked: Understanding, *, course_id: str | None, domains: Collection[str], search_weight: SearchWeight
) -> Callable[[Entry], float]:
    """The factor of eq. 6 of any entry, for one question in one course."""

    def weigh(entry: Entry) -> float:
        g = course_similarity(entry, course_id, domains)
        return factor(entry.source, g=g, h=asked.h, search_weight=search_weight)

    return weigh


def hits(
    index: SearchIndex, query: str | Sequence[str], *, course_id: str | None, k: int, mode: Mode | None = None
) -> list[Hit]:
    """Enough of each factor of eq. 6 that no candidate of the true top `k` is missed; in no order."""
    groups = (
        (["concept"], max(k, CONCEPT_CANDIDATES)),
        (["search"], k),
        (_UNWEIGHTED, k),
    )
    return [
        hit
        for sources, most in groups
        for hit in index.search(query, course_id=course_id, sources=sources, mode=mode, k=most)
    ]
