"""Reviewed answers as the desk shows them: listed, and one with what it rests on, what changed and what was decided."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.difference import DifferencePiece, difference
from serving.desk.history import history_of
from serving.desk.queue import names_of
from serving.desk.refusals import NotAtTheDesk
from serving.store.caller import Caller
from serving.store.tables.review import Review, ReviewedAnswer, ReviewedSource

AnswerState = Literal["approved", "withdrawn"]


@dataclass(frozen=True)
class AnswerSource:
    """A unit that an answer rests on; `pieces` is what differs from when it was approved, empty while nothing does."""

    row: ReviewedSource
    pieces: tuple[DifferencePiece, ...] = ()


@dataclass(frozen=True)
class DecisionRow:
    """One row of an answer's history; `by` is `None` for the machine."""

    row: Review
    by: str | None


@dataclass(frozen=True)
class ReviewedWhole:
    """A reviewed answer with its sources and its history."""

    answer: ReviewedAnswer
    sources: tuple[AnswerSource, ...]
    history: tuple[DecisionRow, ...]


def list_reviewed_answers(
    db: Session,
    *,
    courses: Collection[str] | None,
    limit: int,
    offset: int = 0,
    state: AnswerState | None = "approved",
    only_stale: bool = False,
) -> Sequence[ReviewedAnswer]:
    """The answers of some courses, `None` for all; what was changed last first."""
    found = select(ReviewedAnswer).order_by(ReviewedAnswer.updated_at.desc(), ReviewedAnswer.answer_id)
    if courses is not None:
        found = found.where(ReviewedAnswer.course_id.in_(courses))
    if state is not None:
        found = found.where(ReviewedAnswer.state == state)
    if only_stale:
        found = found.where(ReviewedAnswer.is_stale)
    return db.scalars(found.limit(limit).offset(offset)).all()


def read_reviewed_answer(db: Session, answer_id: str, caller: Caller) -> ReviewedWhole:
    """Raises `NotAtTheDesk`, also where its course is closed to the caller."""
    answer = db.get(ReviewedAnswer, answer_id)
    if answer is None or not caller.may_see(answer.course_id):
        raise NotAtTheDesk(f"There is no reviewed answer '{answer_id[:64]}'.")
    sources = tuple(_source(row) for row in sources_of(db, answer_id))
    decisions = history_of(db, answer_id)
    names = names_of(db, (row.person_id for row in decisions))
    history = tuple(DecisionRow(row, names.get(row.person_id or "")) for row in decisions)
    return ReviewedWhole(answer, sources, history)


def sources_of(db: Session, answer_id: str) -> Sequence[ReviewedSource]:
    found = select(ReviewedSource).where(ReviewedSource.answer_id == answer_id)
    return db.scalars(found.order_by(ReviewedSource.label, ReviewedSource.unit)).all()


def _source(row: ReviewedSource) -> AnswerSource:
    return AnswerSource(row, () if row.changed_to is None else tuple(difference(row.text, row.changed_to)))
