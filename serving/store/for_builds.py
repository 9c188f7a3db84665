"""What a build reads from the store: approved answers, unanswered questions, and how many were answered.

Reading only; what is decided is written by `serving.desk` and `serving.store.graph_edits`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import String, and_, case, exists, func, or_, select, type_coerce
from sqlalchemy.orm import Session

from serving.store.answered_questions import is_answered_in_full, is_question
from serving.store.tables.conversation import RestsOn, TurnRow
from serving.store.tables.review import GraphEdit, ReviewedAnswer

NOTHING = hashlib.sha256().hexdigest()
"""The digest of a course of which nothing was decided."""


@dataclass(frozen=True)
class DecisionDigest:
    """What was decided of one course: a digest of what holds now, and how often what was done, ever growing.

    The names of `tally` are a noun in the singular and a verb: `answer approved`.
    """

    digest: str
    tally: dict[str, int]


@dataclass(frozen=True)
class QuestionCounts:
    """Questions of one course. `answered` are those answered in full; of the others, why they were not, as far as it is
    known: a student may have stopped one.
    """

    course_id: str | None
    asked: int
    answered: int
    handed_on: int
    without_model: int
    failed: int


def read_approved_answers(db: Session, course_id: str) -> list[ReviewedAnswer]:
    """The answers that TAs stand behind, oldest first."""
    found = select(ReviewedAnswer).where(ReviewedAnswer.course_id == course_id, ReviewedAnswer.state == "approved")
    return list(db.scalars(found.order_by(ReviewedAnswer.created_at, ReviewedAnswer.answer_id)))


def digest_answers(db: Session) -> dict[str, DecisionDigest]:
    """For each course, a digest of its approved answers, by version and time of change.

    Staleness does not count: the build itself finds that.
    """
    row = ReviewedAnswer
    # As they are kept: making times of 10,000 of them takes 17 ms of the 27 that this takes.
    at = type_coerce(row.updated_at, String)
    counting: dict[str, _Counting] = {}
    for course_id, answer_id, version, state, changed in db.execute(
        select(row.course_id, row.answer_id, row.version, row.state, at)
    ):
        holds = state == "approved"
        edits = version - 1 if holds else version - 2  # withdrawing is a version too
        counting.setdefault(course_id, _Counting()).count(f"{answer_id} {version} {changed}", edits=edits, holds=holds)
    return {course_id: each.to_digest("answer", "approved", "withdrawn") for course_id, each in counting.items()}


def digest_edits(db: Session) -> dict[str, DecisionDigest]:
    """For each course, the corrections of its graph that no teacher took back; a correction is never changed."""
    counting: dict[str, _Counting] = {}
    for course_id, edit_id, is_undone in db.execute(
        select(GraphEdit.course_id, GraphEdit.edit_id, GraphEdit.withdrawn_at.is_not(None))
    ):
        counting.setdefault(course_id, _Counting()).count(edit_id, edits=0, holds=not is_undone)
    return {course_id: each.to_digest("correction", "made", "taken back") for course_id, each in counting.items()}


def list_unanswered_questions(db: Session, course_id: str) -> list[tuple[str, int]]:
    """Questions of a course that were handed on or answered without any reference, and how often each was asked.

    Chat needs no reference. Sorted by question.
    """
    row = TurnRow
    referred = exists().where(RestsOn.trace_id == row.trace_id, RestsOn.is_reference)
    open_ended = or_(row.route == "ask_ta", and_(row.route.in_(("teach", "explain")), ~referred))
    found = select(row.question, func.count()).where(row.course_id == course_id, row.outcome == "answered", open_ended)
    return sorted((question, count) for question, count in db.execute(found.group_by(row.question)))


def count_outcomes(db: Session, since: datetime) -> list[QuestionCounts]:
    """For each course, and for no course under `None`, the outcomes of the questions since a time."""
    row = TurnRow
    failed = row.outcome == "failed"
    handed_on = and_(~failed, row.route == "ask_ta")
    without = and_(~failed, row.route != "ask_ta", row.degraded)
    whats = (is_answered_in_full(), handed_on, without, failed)
    counted = (func.coalesce(func.sum(case((one, 1), else_=0)), 0) for one in whats)
    found = select(row.course_id, func.count(), *counted).where(row.asked_at >= since, is_question())
    rows: Sequence[tuple[Any, ...]] = db.execute(found.group_by(row.course_id)).all()
    return sorted((QuestionCounts(*each) for each in rows), key=lambda one: one.course_id or "")


@dataclass
class _Counting:
    """The decisions of one course while they are read."""

    made: int = 0
    edited: int = 0
    holding: list[str] = field(default_factory=list)

    def count(self, what: str, *, edits: int, holds: bool) -> None:
        self.made += 1
        self.edited += edits
        if holds:
            self.holding.append(what)

    def to_digest(self, noun: str, made: str, ended: str) -> DecisionDigest:
        tally = {f"{noun} {made}": self.made, f"{noun} edited": self.edited}
        tally[f"{noun} {ended}"] = self.made - len(self.holding)
        return DecisionDigest(hashlib.sha256("\n".join(sorted(self.holding)).encode()).hexdigest(), tally)
