"""The direct decision: whether a stored answer is given as it is (LittleMu eq. 7). The same under every strategy.

Its threshold beta is calibrated on the lexical match of stored questions (`serving.index.calibration`), so whatever
ranks the candidates, this is what decides.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Lang
from knowledge_graph.lake.source_kinds import PAIR_SOURCES
from knowledge_graph.text.sentences import normal_form
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.understanding.understand import Understanding
from serving.index.analysis import content_terms
from serving.index.schema import Entry
from serving.index.search import SearchIndex

_BEST_SOURCE: dict[str, int] = {source: place for place, source in enumerate(PAIR_SOURCES)}
_PUNCTUATION = re.compile(r"[^\w\s'’-]+")


def direct_answer(retrieved: Retrieved, beta: float) -> PairCandidate | None:
    """Eq. 7: the best match when it is above beta; exactly beta is not."""
    best = retrieved.best
    return best if best is not None and best.match > beta else None


def best_match(asked: Understanding, candidates: Iterable[PairCandidate]) -> PairCandidate | None:
    """The one with the largest match among those that may answer; ties by whose it is, the course's own before the
    platform's, then by source, score and id."""
    return min((one for one in candidates if may_answer(asked, one)), key=_by_match, default=None)


def match(asked: Understanding, entry: Entry, index: SearchIndex) -> float:
    """How well the stored question is the one asked, 0..1: 1 for the definition that is all that was asked for."""
    if asked.defines is not None and entry.source == "concept" and _is_pair_of(entry, asked.defines):
        return 1.0
    return index.match(asked.question, entry)


def may_answer(asked: Understanding, candidate: PairCandidate) -> bool:
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


@lru_cache(maxsize=2048)
def _phrase(text: str, lang: Lang) -> str:
    """Normal form without punctuation; between spaces where words are, so that only whole words match."""
    words = normal_form(_PUNCTUATION.sub(" ", text), lang)
    return words if lang == "zh" else f" {words} "


def _is_pair_of(entry: Entry, concept: GraphConcept) -> bool:
    return entry.origin_id == concept.concept_id or content_terms(entry.title) == content_terms(concept.name)


def _by_match(candidate: PairCandidate) -> tuple[float, bool, int, float, str]:
    source = _BEST_SOURCE.get(candidate.entry.source, len(_BEST_SOURCE))
    return (-candidate.match, candidate.entry.is_platform, source, -candidate.score, candidate.entry.entry_id)
