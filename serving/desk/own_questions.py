"""A student's own questions to the TAs and their outcome; nobody else's can be seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from serving.desk.refusals import NotAtTheDesk
from serving.store.caller import Caller
from serving.store.tables.base import now
from serving.store.tables.review import ReviewedAnswer, TaQuestion

State = Literal["open", "answered", "rejected", "withdrawn"]

MOST = 200
"""Questions shown to one student, the newest. A choice."""

_KNOWN_TO_ASKER = ("asked", "thumbs_down")
"""Reasons of what the student did; what entered the queue by itself is shown when it is answered."""


@dataclass(frozen=True)
class OwnQuestion:
    """One question with its answer. `reviewer` is who stands behind it, `reply` what was said instead of an answer.

    `is_stale`: a source of the answer has changed since. `is_new`: the student has not seen what came of it.
    """

    question_id: str
    course_id: str | None
    question: str
    note: str
    state: State
    asked_at: datetime
    trace_id: str | None = None
    answer_id: str | None = None
    answer: str | None = None
    reviewer: str | None = None
    is_stale: bool = False
    reply: str = ""
    closed_at: datetime | None = None
    is_new: bool = False


def questions_of(db: Session, caller: Caller) -> list[OwnQuestion]:
    """The caller's questions, newest first."""
    found = db.scalars(
        select(TaQuestion)
        .where(TaQuestion.person_id == caller.person_id, _is_shown())
        .order_by(TaQuestion.created_at.desc(), TaQuestion.question_id)
        .limit(MOST)
    ).all()
    return _with_answers(db, found)


def question_of(db: Session, question_id: str, caller: Caller) -> OwnQuestion:
    """One of the caller's own. Raises `NotAtTheDesk` for any other."""
    return _with_answers(db, [_own(db, question_id, caller)])[0]


def remember_seen(db: Session, question_id: str, caller: Caller) -> OwnQuestion:
    """Remember that the asker saw the outcome. Raises `NotAtTheDesk`."""
    row = _own(db, question_id, caller)
    if row.state != "open" and row.seen_at is None:
        row.seen_at = now()
    return _with_answers(db, [row])[0]


def count_unseen(db: Session, caller: Caller) -> int:
    """How many of the caller's questions were decided and not seen yet."""
    mine = select(func.count()).where(
        TaQuestion.person_id == caller.person_id,
        TaQuestion.state.in_(("answered", "rejected")),
        TaQuestion.seen_at.is_(None),
        _is_shown(),
    )
    return db.scalar(mine) or 0


def _is_shown() -> ColumnElement[bool]:
    return or_(TaQuestion.reason.in_(_KNOWN_TO_ASKER), TaQuestion.state == "answered")


def _own(db: Session, question_id: str, caller: Caller) -> TaQuestion:
    row = db.get(TaQuestion, question_id)
    if row is None or row.person_id != caller.person_id:
        raise NotAtTheDesk(f"There is no question '{question_id[:64]}' of yours.")
    return row


def _with_answers(db: Session, rows: Iterable[TaQuestion]) -> list[OwnQuestion]:
    listed = list(rows)
    ids = {row.answer_id for row in listed if row.answer_id}
    found = db.scalars(select(ReviewedAnswer).where(ReviewedAnswer.answer_id.in_(ids))).all() if ids else []
    answers = {answer.answer_id: answer for answer in found if answer.state == "approved"}
    return [_own_question(row, answers.get(row.answer_id or "")) for row in listed]


def _own_question(row: TaQuestion, answer: ReviewedAnswer | None) -> OwnQuestion:
    given = answer if row.state == "answered" else None
    return OwnQuestion(
        question_id=row.question_id,
        course_id=row.course_id,
        question=row.question,
        note=row.note,
        state=cast(State, "withdrawn" if row.state == "answered" and given is None else row.state),
        asked_at=row.created_at,
        trace_id=row.trace_id,
        answer_id=given.answer_id if given is not None else None,
        answer=given.answer if given is not None else None,
        reviewer=given.reviewer if given is not None else None,
        is_stale=given is not None and given.is_stale,
        reply=row.reply,
        closed_at=row.closed_at,
        is_new=row.state in ("answered", "rejected") and row.seen_at is None,
    )
