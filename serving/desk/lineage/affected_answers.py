"""Forward from a source: the stored answers that rest on a cue, FAQ entry, document, concept, model or prompt.

An answer rests on the evidence it was made from and on the places it refers to, as they were recorded with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from serving.desk.lineage.material import IndexedMaterial, State
from serving.desk.lineage.places import (
    ConceptNamed,
    CueAt,
    DocumentPart,
    FaqPlace,
    IndexVersion,
    ModelNamed,
    Place,
    PromptNamed,
)
from serving.store.tables.conversation import Feedback, RestsOn, TurnRow

_SHORTEST_DIGEST = 8


@dataclass(frozen=True)
class AffectedAnswer:
    """An answer that rests on what was asked for.

    `thumb` is the student's, 1 or -1. `source` says whether the material is as it was, `None` where no material was
    asked for. `is_reference` when the student is sent to it.
    """

    trace_id: str
    asked_at: datetime
    course_id: str | None
    person_id: str
    question: str
    answer: str
    route: str | None
    thumb: int | None
    is_reference: bool
    source: State | None


def find_affected(
    db: Session,
    place: Place,
    *,
    course_id: str | None = None,
    since: datetime | None = None,
    material: IndexedMaterial | None = None,
) -> list[AffectedAnswer]:
    """The answers that rest on a place, oldest first, each once.

    `course_id` is the material's course, or of a model, prompt or index the course asked. `since`: only answers given
    from then on. With `material` each is compared with what the source says now.
    """
    turns, pieces = _find_turns(db, place, course_id, since)
    thumbs = _thumbs(db, [turn.trace_id for turn in turns])
    return [_answer(turn, pieces.get(turn.trace_id, []), thumbs.get(turn.trace_id), material) for turn in turns]


def _find_turns(
    db: Session, place: Place, course_id: str | None, since: datetime | None
) -> tuple[list[TurnRow], dict[str, list[RestsOn]]]:
    recent = [] if since is None else [TurnRow.asked_at >= since]
    if isinstance(place, ModelNamed | PromptNamed | IndexVersion):
        asked = [] if course_id is None else [TurnRow.course_id == course_id]
        query = select(TurnRow).where(_maker_condition(place), *asked, *recent)
        return list(db.scalars(query.order_by(TurnRow.asked_at, TurnRow.trace_id))), {}
    of_course = [] if course_id is None else [RestsOn.course_id == course_id]
    joined = select(TurnRow, RestsOn).join(RestsOn, RestsOn.trace_id == TurnRow.trace_id)
    rows = db.execute(joined.where(_rests_on(place), *of_course, *recent).order_by(TurnRow.asked_at, TurnRow.trace_id))
    turns: dict[str, TurnRow] = {}
    pieces: dict[str, list[RestsOn]] = {}
    for turn, piece in rows:
        turns[turn.trace_id] = turn
        pieces.setdefault(turn.trace_id, []).append(piece)
    return list(turns.values()), pieces


def _maker_condition(place: ModelNamed | PromptNamed | IndexVersion) -> ColumnElement[bool]:
    if isinstance(place, ModelNamed):
        return TurnRow.model == place.name
    if isinstance(place, IndexVersion):
        return TurnRow.index_version == place.version
    by_label = TurnRow.template == place.label
    if len(place.label) < _SHORTEST_DIGEST:
        return by_label
    return or_(by_label, TurnRow.prompt_sha256.startswith(place.label.lower(), autoescape=True))


def _rests_on(place: CueAt | FaqPlace | DocumentPart | ConceptNamed) -> ColumnElement[bool]:
    if isinstance(place, CueAt):
        end = func.coalesce(RestsOn.end_ms, RestsOn.start_ms + 1)
        return and_(RestsOn.video_id == place.video_id, RestsOn.start_ms <= place.at_ms, end > place.at_ms)
    if isinstance(place, FaqPlace):
        return and_(RestsOn.source == "faq", RestsOn.origin_id == place.origin_id)
    if isinstance(place, ConceptNamed):
        of_concept = and_(RestsOn.source.in_(("concept", "search")), RestsOn.origin_id == place.concept_id)
        return or_(of_concept, RestsOn.entry_id == place.concept_id)
    part = [RestsOn.document == place.document]
    part += [] if place.article is None else [RestsOn.article == place.article]
    part += [] if place.page is None else [RestsOn.page == place.page]
    return and_(*part)


def _thumbs(db: Session, trace_ids: Sequence[str]) -> dict[str, int]:
    thumbs: dict[str, int] = {}
    for start in range(0, len(trace_ids), 500):  # SQLite takes a limited number of values
        some = trace_ids[start : start + 500]
        query = select(Feedback.trace_id, Feedback.thumb).where(Feedback.trace_id.in_(some))
        thumbs |= {trace_id: thumb for trace_id, thumb in db.execute(query)}
    return thumbs


def _answer(
    turn: TurnRow, pieces: list[RestsOn], thumb: int | None, material: IndexedMaterial | None
) -> AffectedAnswer:
    return AffectedAnswer(
        trace_id=turn.trace_id,
        asked_at=turn.asked_at,
        course_id=turn.course_id,
        person_id=turn.person_id,
        question=turn.question,
        answer=turn.answer,
        route=turn.route,
        thumb=thumb,
        is_reference=any(piece.is_reference for piece in pieces),
        source=_worst([material.state(piece) for piece in pieces]) if material is not None and pieces else None,
    )


def _worst(states: Sequence[State]) -> State:
    order: tuple[State, ...] = ("gone", "changed", "same")
    return next(state for state in order if state in states)
