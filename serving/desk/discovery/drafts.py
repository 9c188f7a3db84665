"""The draft entry of a proposal: from an approved answer, else from the best answer given so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.references.marks import MarkScanner
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import question_kind
from serving.desk.answers import sources_of
from serving.desk.course_tables import CourseTables
from serving.desk.discovery.asked_questions import gap_of
from serving.desk.discovery.groups import QuestionGroup
from serving.desk.material_units import MaterialUnit, units_of, units_there
from serving.index.schema import Kind
from serving.index.search import SearchIndex
from serving.store.answered_questions import ANSWERING
from serving.store.tables.conversation import RestsOn, TurnRow
from serving.store.tables.review import ReviewedAnswer

DraftKind = Literal["approved", "material", "none"]

MOST_LOOKED_AT = 200
"""Answers to a group's questions among which the surest is looked for, the newest. A choice."""

_WHAT_IS: Mapping[Lang, str] = {"en": 'What does "{}" mean?', "zh": "什么是{}？"}
_HOW_DIFFERENT: Mapping[Lang, str] = {
    "en": "What is the difference between {} and {}?",
    "zh": "{}和{}有什么区别？",
}


@dataclass(frozen=True)
class Draft:
    """An entry as it could be. `kind` is where the answer is from; `none` has none: the TA writes it.

    `question` is no single student's wording, and empty where there is no other: the TA writes it.
    `rests` is the material that the answer is from; `answer_id` the approved answer that would get new wordings.
    """

    kind: DraftKind
    question: str
    answer: str = ""
    rests: tuple[MaterialUnit, ...] = ()
    answer_id: str | None = None


@dataclass(frozen=True)
class DraftSource:
    """What the store has for a draft: `units` by name, and entries of the index by id."""

    draft: Draft
    units: tuple[str, ...] = ()
    entry_ids: tuple[str, ...] = ()


def read_source(db: Session, group: QuestionGroup) -> DraftSource:
    """The approved answer to one of the group's questions, else the surest of the answers that were given."""
    known = db.get(ReviewedAnswer, group.answer_id) if group.answer_id is not None else None
    if known is not None and known.state == "approved":
        units = tuple(one.unit for one in sources_of(db, known.answer_id) if one.changed_to != "")
        return DraftSource(Draft("approved", known.question, known.answer, answer_id=known.answer_id), units=units)
    turns = db.scalars(select(TurnRow).where(TurnRow.trace_id.in_(group.trace_ids[:MOST_LOOKED_AT])))
    given = [turn for turn in turns if turn.outcome == "answered" and turn.route in ANSWERING and not turn.degraded]
    if not given:
        return DraftSource(Draft("none", group.shared))
    best = min(given, key=lambda turn: (gap_of(turn), turn.asked_at, turn.trace_id))
    cited = select(RestsOn.entry_id).where(RestsOn.trace_id == best.trace_id, RestsOn.is_reference)
    ids = tuple(db.scalars(cited.order_by(RestsOn.entry_id)))
    return DraftSource(Draft("material", group.shared, _plain(best)), entry_ids=ids)


def with_units(source: DraftSource, course_id: str, index: SearchIndex, tables: CourseTables) -> Draft:
    """The draft with the material that it rests on, as it reads now."""
    entries = [entry for kind in get_args(Kind) for entry in index.entries(kind, source.entry_ids)]
    units = units_of([entry for entry in entries if entry.course_id == course_id], tables)
    return replace(source.draft, rests=(*units_there(source.units, course_id, tables), *units))


def with_question(draft: Draft, group: QuestionGroup, concepts: Sequence[str]) -> Draft:
    """The draft with a question that is nobody's own words, where it has none and the group asks what one concept is
    or how two of them differ; `concepts` are their names."""
    if draft.question:
        return draft
    lang, kind = language_of(group.question), question_kind(group.question)
    if kind == "definition" and len(concepts) == 1 and not find_aspects(group.question):
        return replace(draft, question=_WHAT_IS[lang].format(*concepts))
    if kind == "comparison" and len(concepts) == 2:
        return replace(draft, question=_HOW_DIFFERENT[lang].format(*sorted(concepts)))
    return draft


def _plain(turn: TurnRow) -> str:
    """An answer without the marks of its references: an entry of the FAQ has none."""
    scanner = MarkScanner({int(one["number"]) for one in turn.shown.get("references") or ()})
    told = ""
    for piece in (*scanner.feed(turn.answer), *scanner.flush()):
        told = told.rstrip(" ") if piece.numbers else told + piece.text
    return told.strip()
