"""What was asked in a course, read from the store for discovery."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from serving.assistant.generation.crisis import in_crisis
from serving.desk.discovery.groups import StudentTurn
from serving.desk.queue_entry import NOT_QUEUED
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import DismissedQuestion, TaQuestion

MOST_ASKED = 5_000
"""Questions of a course that are read, the newest. A choice."""

UNKNOWN_GAP = 0.5
"""Gap of an answer whose confidence is not known. A choice."""


def read_asked(db: Session, course_id: str, *, since: datetime) -> list[StudentTurn]:
    """What students asked, the newest first, but for what the FAQ answered to nobody's dislike.

    Left out as well: small talk and what was declined, graded work under a rule, and whoever spoke of harming
    themselves.
    """
    answers, dismissed, disliked = (
        _answers(db, course_id),
        _find_dismissed_traces(db, course_id),
        _find_disliked_answers(db, course_id),
    )
    query = (
        select(TurnRow)
        .join(Person, Person.person_id == TurnRow.person_id)
        .where(
            TurnRow.course_id == course_id,
            TurnRow.asked_at >= since,
            or_(TurnRow.route.is_(None), TurnRow.route.not_in(NOT_QUEUED)),
            Person.role == "student",
        )
        .order_by(TurnRow.asked_at.desc(), TurnRow.trace_id)
        .limit(MOST_ASKED)
    )
    return [
        StudentTurn(
            trace_id=turn.trace_id,
            person_id=turn.person_id,
            question=_understood(turn),
            asked_at=turn.asked_at,
            gap=1.0 if turn.trace_id in disliked else gap_of(turn),
            concept_ids=tuple(map(str, turn.shown.get("concepts") or ())),
            answer_id=answers.get(turn.trace_id),
            is_dismissed=turn.trace_id in dismissed,
        )
        for turn in db.scalars(query)
        if _is_for_all(turn) and not (_is_of_the_faq(turn) and turn.trace_id not in disliked)
    ]


def gap_of(turn: TurnRow) -> float:
    """How far an answer fell short of being sure, 0..1."""
    if turn.outcome != "answered" or turn.route in (None, "ask_ta") or turn.degraded:
        return 1.0
    return UNKNOWN_GAP if turn.confidence is None else min(max(1 - turn.confidence, 0.0), 1.0)


def _understood(turn: TurnRow) -> str:
    """The question as it was asked; a follow-up with what was put into it, so that it can be read by itself."""
    resolved = str(turn.shown.get("resolved") or "")
    return resolved if turn.shown.get("added") and resolved else turn.question


def _is_for_all(turn: TurnRow) -> bool:
    return turn.shown.get("rule") is None and not in_crisis(turn.question)


def _is_of_the_faq(turn: TurnRow) -> bool:
    return turn.route == "direct" and turn.source == "faq"


def _answers(db: Session, course_id: str) -> Mapping[str, str]:
    """The approved answer that a question got, by trace."""
    query = (
        select(TaQuestion)
        .where(TaQuestion.course_id == course_id, TaQuestion.state == "answered")
        .order_by(TaQuestion.closed_at, TaQuestion.question_id)
    )
    return {row.trace_id: row.answer_id for row in db.scalars(query) if row.trace_id and row.answer_id}


def _find_dismissed_traces(db: Session, course_id: str) -> frozenset[str]:
    query = select(DismissedQuestion.trace_id).join(TurnRow, TurnRow.trace_id == DismissedQuestion.trace_id)
    return frozenset(db.scalars(query.where(TurnRow.course_id == course_id)))


def _find_disliked_answers(db: Session, course_id: str) -> frozenset[str]:
    query = select(Feedback.trace_id).join(TurnRow, TurnRow.trace_id == Feedback.trace_id)
    return frozenset(db.scalars(query.where(TurnRow.course_id == course_id, Feedback.thumb < 0)))
