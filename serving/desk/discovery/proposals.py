"""The current proposals for a course's FAQ: reads the store and the home, groups the questions, drafts each entry."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import numpy as np
import structlog
from numpy.typing import NDArray

from knowledge_graph.graph.concept_graph import ConceptGraph
from models.embedding.embedder import EmbeddingFailed
from serving.assistant.retrieval.lookup import Dense
from serving.desk.approved_answers import entry_id
from serving.desk.course_tables import CourseTables
from serving.desk.discovery.asked_questions import read_asked
from serving.desk.discovery.coverage import KnownEntry, Meaning
from serving.desk.discovery.drafts import Draft, read_source, with_question, with_units
from serving.desk.discovery.groups import QuestionGroup, discover
from serving.desk.discovery.similarity import Matrix
from serving.desk.overlay import Overlay
from serving.index.search import SearchIndex
from serving.store.database import Store
from serving.store.tables.base import now

log = structlog.get_logger(__name__)

PERIOD = timedelta(days=120)
"""How far back questions are read. A choice: a semester."""

MOST_PROPOSED = 100
"""Groups that are proposed of one course. A choice, and what was measured (`benchmarks/faq_discovery.py`)."""

MOST_CONCEPTS = 5
"""Concepts that are named beside a proposal, those asked about most. A choice."""


class ProposalKnowledge(Protocol):
    """What is needed of `serving.gateway.knowledge.Knowledge`."""

    @property
    def graph(self) -> ConceptGraph: ...
    @property
    def index(self) -> SearchIndex: ...
    @property
    def dense(self) -> Dense | None: ...


@dataclass(frozen=True)
class Proposal:
    """A group of one course's questions with the entry that it could become. `concepts` are called by their names."""

    course_id: str
    group: QuestionGroup
    draft: Draft
    concepts: tuple[str, ...] = ()


async def propose(
    store: Store,
    knowledge: ProposalKnowledge,
    course_id: str,
    *,
    tables: CourseTables,
    overlay: Overlay,
    limit: int = MOST_PROPOSED,
) -> list[Proposal]:
    """At most `limit` proposals for one course, the most pressing first. Takes some seconds for many questions."""
    at = now()
    asked = await store.reading(lambda db: read_asked(db, course_id, since=at - PERIOD))

    def find() -> list[QuestionGroup]:
        entries = faq_of(course_id, tables, overlay)
        meaning = _meaning(knowledge, course_id, entries)
        try:
            return discover(asked, entries, now=at, meaning=meaning)[:limit]
        except EmbeddingFailed as error:
            log.warning("questions_compared_by_words_alone", course=course_id, reason=str(error))
            return discover(asked, entries, now=at)[:limit]

    groups = await asyncio.to_thread(find)
    sources = await store.reading(lambda db: [read_source(db, group) for group in groups])
    drafts = await asyncio.to_thread(
        lambda: [with_units(source, course_id, knowledge.index, tables) for source in sources]
    )
    named = [_names(knowledge.graph, group.concept_ids) for group in groups]
    return [
        Proposal(course_id, group, with_question(draft, group, concepts), concepts)
        for group, draft, concepts in zip(groups, drafts, named, strict=True)
    ]


def faq_of(course_id: str, tables: CourseTables, overlay: Overlay) -> list[KnownEntry]:
    """The entries that students get now: those of the last build but for what TAs withdrew or replaced, and what they
    approved since."""
    gone = overlay.decisions.withdrawn | overlay.decisions.replaced
    rows = [row for row in tables.faq(course_id) if (course_id, row["origin_id"]) not in gone]
    ids = [entry_id(course_id, row["origin_id"]) for row in rows]
    built = {key: KnownEntry(key, row["question"], row["answer"]) for key, row in zip(ids, rows, strict=True)}
    approved = [one for one in overlay.decisions.approved.values() if one.entry.course_id == course_id]
    newer = {one.entry.entry_id: KnownEntry(one.entry.entry_id, one.entry.title, one.entry.text) for one in approved}
    return [one for _, one in sorted({**built, **newer}.items())]


def _names(graph: ConceptGraph, concept_ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(graph.concept(each).name for each in concept_ids if each in graph)[:MOST_CONCEPTS]


def _meaning(knowledge: ProposalKnowledge, course_id: str, entries: Sequence[KnownEntry]) -> Meaning | None:
    """By the vectors of the index; entries that it has not yet, by those of their questions."""
    dense = knowledge.dense
    course = next((one for one in knowledge.graph.courses if one.course_id == course_id), None)
    if dense is None or course is None or course.lang not in dense.embedder.languages:
        return None
    ids = [entry.entry_id for entry in entries]

    def match(vectors: NDArray[np.float32]) -> Matrix:
        found = [dense.index.cosines(vector, ids, "qa") for vector in vectors]
        cosines = np.array([[row.get(each, 0.0) for each in ids] for row in found])
        if new := [place for place, each in enumerate(ids) if not found or each not in found[0]]:
            cosines[:, new] = vectors @ dense.embedder.encode([entries[place].question for place in new]).T
        return cosines

    return Meaning(dense.embedder.encode, match)
