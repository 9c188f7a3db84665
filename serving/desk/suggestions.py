"""What a TA sees as help beside a question: what the course says of it, what TAs said to such questions before, and the
answer that the student got.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, Protocol

from sqlalchemy.orm import Session

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.assistant.references.reference import NO_NAMES, Reference, from_evidence
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.concept_aware import retrieve
from serving.assistant.understanding.understand import understand
from serving.desk.course_tables import CourseTables
from serving.desk.material_units import MaterialUnit, units_of
from serving.desk.overlay import Overlay
from serving.index.evidence import from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.store.tables.conversation import TurnRow

MOST = 5
"""Entries of each kind that are shown. A choice: what fits beside a form."""

Address = Callable[[Reference], str | None]
"""Where a reference opens (`serving.gateway.links`)."""

Kind = Literal["qa", "passage", "reviewed"]


class Knows(Protocol):
    """What is needed of `serving.gateway.knowledge.Knowledge`."""

    @property
    def graph(self) -> ConceptGraph: ...
    @property
    def index(self) -> SearchIndex: ...


@dataclass(frozen=True)
class Suggestion:
    """Something to answer from. `match`, 0..1, says how well it is the question asked; `units` is what an answer made
    from it rests on, `url` where it opens.
    """

    kind: Kind
    entry_id: str
    source: str
    label: str
    title: str
    text: str
    match: float
    units: tuple[MaterialUnit, ...]
    url: str | None = None
    origin_id: str | None = None
    reviewer: str | None = None


@dataclass(frozen=True)
class Given:
    """The answer that a student got. `confidence` is 0..1, `None` where nothing looked."""

    trace_id: str
    question: str
    answer: str
    route: str | None
    notice: str
    confidence: float | None
    outcome: str


def read_given_answer(db: Session, trace_id: str | None) -> Given | None:
    """The answer behind a question in the queue; `None` when there was none, or its data was deleted."""
    turn = db.get(TurnRow, trace_id) if trace_id is not None else None
    if turn is None:
        return None
    notice = str(turn.shown.get("notice") or "")
    return Given(turn.trace_id, turn.question, turn.answer, turn.route, notice, turn.confidence, turn.outcome)


def suggestions(
    knowledge: Knows,
    course_id: str | None,
    question: str,
    *,
    tables: CourseTables,
    overlay: Overlay | None = None,
    address: Address = lambda reference: None,
    limit: int = MOST,
) -> list[Suggestion]:
    """Answers of TAs to such questions, then stored pairs, then passages: at most `limit` of each, best first.

    Without a model, and without the network. Takes some milliseconds: each entry's units are read from the lake.
    """
    courses = {course.course_id: course for course in knowledge.graph.courses}
    if course_id is not None and course_id not in courses:
        return []
    domains = courses[course_id].domains if course_id is not None else ()
    index, shown = knowledge.index, overlay or Overlay()
    asked = understand(question, graph=knowledge.graph, intent=None, course_id=course_id).for_search
    near = shown.near(asked.question, course_id=course_id, index=index, most=limit)
    found = retrieve(asked, index, course_id=course_id, domains=domains, top_k=limit + 1)
    reviewed = [(one.approved.entry, one.overlap) for one in near]
    pairs = _others(found, shown, {entry.entry_id for entry, _ in reviewed})[:limit]
    hits = index.search(asked.question, kind="passage", course_id=course_id, k=limit)
    passages = [(hit.entry, index.match(asked.question, hit.entry)) for hit in hits]
    groups: list[tuple[Kind, list[tuple[Entry, float]]]] = [
        ("reviewed", reviewed),
        ("qa", pairs),
        ("passage", passages),
    ]
    return [
        _suggestion(kind, entry, match, tables, address, asked.lang)
        for kind, entries in groups
        for entry, match in entries
    ]


def _others(found: Retrieved, overlay: Overlay, told: Collection[str]) -> list[tuple[Entry, float]]:
    """Other entries with their match, best first; each once, without those in `told` or hidden."""
    ranked = [*([found.best] if found.best is not None else []), *found.ranked]
    each = {one.entry.entry_id: (one.entry, one.match) for one in ranked if not overlay.hides(one.entry)}
    return [pair for key, pair in each.items() if key not in told]


def _suggestion(
    kind: Kind, entry: Entry, match: float, tables: CourseTables, address: Address, lang: Lang
) -> Suggestion:
    is_lecture = entry.locator is not None and entry.locator.video_id is not None
    names = tables.lecture_names(entry.course_id) if is_lecture and entry.course_id is not None else NO_NAMES
    reference = from_evidence(from_entry(1, entry), lang, names)
    return Suggestion(
        kind=kind,
        entry_id=entry.entry_id,
        source=entry.source,
        label=reference.label,
        title=entry.title,
        text=entry.text,
        match=match,
        units=tuple(units_of([entry], tables)),
        url=address(reference),
        origin_id=entry.origin_id,
        reviewer=entry.reviewer,
    )
