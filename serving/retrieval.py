"""Concept-aware ranking and the direct decision (LittleMu eq. 5-7). Pure functions over hits of the index."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.graph_records import GraphConcept
from knowledge_graph.records import Lang
from knowledge_graph.text import normal_form
from serving.index.analysis import content_terms, terms
from serving.index.schema import Entry
from serving.index.search import Hit, SearchIndex
from serving.understanding.understand import Understanding

SearchWeight = Literal["h", "openness"]

CONCEPT_CANDIDATES = 50
"""g differs from candidate to candidate, so more concepts are looked at than are kept."""

_BEST_SOURCE = {"faq": 0, "document": 1, "catalog": 2, "concept": 3, "scholar": 4, "search": 5}


_PUNCTUATION = re.compile(r"[^\w\s'’-]+")


@dataclass(frozen=True)
class Candidate:
    """A QA pair with all that went into its place.

    `score` is `factor` * `bm25` (eq. 6); `match` is `factor` * `SearchIndex.match`, 0..1, which eq. 7 is asked of.
    """

    entry: Entry
    bm25: float
    factor: float
    score: float
    match: float


@dataclass(frozen=True)
class Retrieved:
    """The top K candidates by S, best first, and the best match of all.

    `by_concepts` is false when no concept was found and the content words were the query instead of NER(q).
    """

    ranked: tuple[Candidate, ...]
    best: Candidate | None
    by_concepts: bool


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


def rank(
    candidates: Iterable[Candidate],
    *,
    top_k: int,
) -> tuple[Candidate, ...]:
    """The `top_k` by S, best first, ties by id; what scores 0 is left out."""
    kept = [candidate for candidate in candidates if candidate.score > 0]
    return tuple(sorted(kept, key=lambda one: (-one.score, one.entry.entry_id))[:top_k])


def retrieve(
    asked: Understanding,
    index: SearchIndex,
    *,
    course_id: str | None,
    domains: Collection[str],
    top_k: int,
    search_weight: SearchWeight = "h",
) -> Retrieved:
    """Rank by NER(q), or by all content words when no concept is found; match against the whole question.

    Questions about the platform name no concept, and a question that names one may still be a stored FAQ word for word:
    so `best` also looks at what the whole question finds.
    """
    whole = content_terms(asked.question)
    query = concept_query(asked.concepts) or whole

    def weigh(hit: Hit) -> Candidate:
        g = course_similarity(hit.entry, course_id, domains)
        weight = factor(hit.entry.source, g=g, h=asked.h, search_weight=search_weight)
        match = weight * _match(asked, hit.entry, index)
        return Candidate(hit.entry, hit.score, weight, weight * hit.score, match)

    found = [weigh(hit) for hit in _hits(query, index, course_id, top_k)]
    also = [weigh(hit) for hit in _hits(whole, index, course_id, top_k)] if query != whole else found
    best = min((one for one in (*found, *also) if _may_answer(asked, one)), key=_by_match, default=None)
    return Retrieved(rank(found, top_k=top_k), best, bool(asked.concepts))


def direct_answer(retrieved: Retrieved, beta: float) -> Candidate | None:
    """Eq. 7: the best match when it is above beta; exactly beta is not."""
    best = retrieved.best
    return best if best is not None and best.match > beta else None


def _may_answer(asked: Understanding, candidate: Candidate) -> bool:
    """Whether a stored answer may stand for a complex question at all, however alike the wording.

    A definition alone answers nothing that compares, or asks why or how; and another pair must speak of every concept
    that was asked about: "binary tree or binary search tree" is not answered by "heap or binary search tree".
    """
    entry = candidate.entry
    if asked.kind is None:
        return True
    return entry.source != "concept" and all(_speaks_of(entry, concept) for concept in asked.concepts)


def _speaks_of(entry: Entry, concept: GraphConcept) -> bool:
    text = _phrase(f"{entry.title} {entry.text}", concept.lang)
    return any(_phrase(name, concept.lang) in text for name in (concept.name, *concept.aliases))


def _phrase(text: str, lang: Lang) -> str:
    """Normal form without punctuation; between spaces where words are, so that only whole words match."""
    words = normal_form(_PUNCTUATION.sub(" ", text), lang)
    return words if lang == "zh" else f" {words} "


def _match(asked: Understanding, entry: Entry, index: SearchIndex) -> float:
    if asked.defines is not None and entry.source == "concept" and _is_pair_of(entry, asked.defines):
        return 1.0
    return index.match(asked.question, entry)


def _is_pair_of(entry: Entry, concept: GraphConcept) -> bool:
    return entry.origin_id == concept.concept_id or content_terms(entry.title) == content_terms(concept.name)


def _hits(query: Sequence[str], index: SearchIndex, course_id: str | None, top_k: int) -> list[Hit]:
    """Enough of each factor of eq. 6 that no candidate of the true top K is missed."""
    groups = (
        (["concept"], CONCEPT_CANDIDATES),
        (["search"], top_k),
        (["faq", "document", "catalog", "scholar"], top_k),
    )
    return [hit for sources, k in groups for hit in index.search(query, course_id=course_id, sources=sources, k=k)]


def _by_match(candidate: Candidate) -> tuple[float, int, float, str]:
    source = _BEST_SOURCE.get(candidate.entry.source, len(_BEST_SOURCE))
    return (-candidate.match, source, -candidate.score, candidate.entry.entry_id)
