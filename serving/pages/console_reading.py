"""What the console shows of a question and of approved answers, gathered from the store. Nothing is decided.

No student's name is known here; a person is a short code, the same on every visit, from which the id is not found.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import read_if_whole
from serving.desk.history import history_of
from serving.desk.queue import QueueItem, names_of, one_question
from serving.desk.refusals import NotAtTheDesk
from serving.store.caller import Caller
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.review import Review, ReviewedAnswer, ReviewedSource

AROUND = 3
"""Turns of the session shown before and after the question. A choice."""

MOST_LISTED = 200
"""Approved answers or entries of the FAQ in the list at once; the search finds the others. A choice."""

FAQS_REMEMBERED = 32
"""FAQs kept in memory between two searches. A choice: the courses that TAs work on at one time."""

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Opinion:
    """A student's thumb with its reasons and comment. `code` stands for the student."""

    code: str
    thumb: int
    reasons: tuple[str, ...]
    comment: str


@dataclass(frozen=True)
class OpenedItem:
    """All there is to see of an item. `turn` is the answer it is about; `around` the session with that turn in it."""

    item: QueueItem
    turn: TurnRow | None = None
    around: tuple[TurnRow, ...] = ()
    code: str = ""
    opinions: tuple[Opinion, ...] = ()
    standing: "ApprovedStanding | None" = None


@dataclass(frozen=True)
class ApprovedStanding:
    """An approved answer, what it rests on, and what was decided about it, newest first, each with who did."""

    answer: ReviewedAnswer
    rests: tuple[ReviewedSource, ...]
    history: tuple[tuple[Review, str], ...]

    @property
    def changed_sources(self) -> list[ReviewedSource]:
        return [one for one in self.rests if one.changed_to is not None]

    @property
    def units_left(self) -> list[str]:
        """The units that are still in the material."""
        return [one.unit for one in self.rests if one.changed_to != ""]


@dataclass(frozen=True)
class FaqRow:
    """An entry of a course's FAQ as the last build read it."""

    course_id: str
    origin_id: str
    question: str
    answer: str
    reviewer: str


def code_of(person_id: str) -> str:
    """Four characters that stand for a person."""
    return hashlib.sha256(f"console:{person_id}".encode()).hexdigest()[:4]


def open_item(db: Session, question_id: str, caller: Caller) -> OpenedItem:
    """Raises `NotAtTheDesk` and `AlreadyDecided`."""
    item = one_question(db, question_id, caller)
    standing = standing_of(db, item.answer_id, caller) if item.answer_id is not None else None
    turn = db.get(TurnRow, item.trace_id) if item.trace_id is not None else None
    if turn is None or not caller.may_see(turn.course_id):
        return OpenedItem(item, standing=standing)
    return OpenedItem(
        item=item,
        turn=turn,
        around=tuple(_around(db, turn, caller)),
        code=code_of(turn.person_id),
        opinions=tuple(_opinions(db, item.trace_ids or (turn.trace_id,))),
        standing=standing,
    )


def standing_of(db: Session, answer_id: str, caller: Caller) -> ApprovedStanding:
    """Raises `NotAtTheDesk`, also for a course that is closed to the caller."""
    answer = db.get(ReviewedAnswer, answer_id)
    if answer is None or not caller.may_see(answer.course_id):
        raise NotAtTheDesk(f"There is no reviewed answer '{answer_id[:64]}'.")
    rests = select(ReviewedSource).where(ReviewedSource.answer_id == answer_id).order_by(ReviewedSource.unit)
    history = list(reversed(history_of(db, answer_id)))
    names = names_of(db, (one.person_id for one in history))
    told = tuple((one, names.get(one.person_id or "", "")) for one in history)
    return ApprovedStanding(answer, tuple(db.scalars(rests)), told)


def list_approved(
    db: Session, *, courses: Collection[str] | None, sought: str = "", limit: int = MOST_LISTED
) -> list[ReviewedAnswer]:
    """Approved answers that hold every word sought, those with a changed source first, then the newest."""
    conditions: list[ColumnElement[bool]] = [ReviewedAnswer.state == "approved"]
    if courses is not None:
        conditions.append(ReviewedAnswer.course_id.in_(courses))
    for word in sought.split():
        columns = (ReviewedAnswer.question, ReviewedAnswer.answer, ReviewedAnswer.reviewer)
        conditions.append(or_(*(column.icontains(word, autoescape=True) for column in columns)))
    order = (ReviewedAnswer.is_stale.desc(), ReviewedAnswer.updated_at.desc(), ReviewedAnswer.answer_id)
    return list(db.scalars(select(ReviewedAnswer).where(*conditions).order_by(*order).limit(limit)))


def faq_rows(data_dir: DataDir, courses: Iterable[str], sought: str = "", *, limit: int = MOST_LISTED) -> list[FaqRow]:
    """Entries of the FAQ that hold every word sought, in the order of their files."""
    wanted = sought.casefold().split()
    paths = ((course_id, data_dir.table("faq", course_id)) for course_id in courses)
    found = (
        row
        for course_id, path in paths
        if path.is_file()
        for row in _faq_of(course_id, path, path.stat().st_mtime_ns)
        if all(word in f"{row.question}\n{row.answer}".casefold() for word in wanted)
    )
    return list(islice(found, limit))


def age_of(at: datetime, now: datetime) -> tuple[str, int]:
    """The key of the words for how long ago that was, and their number."""
    past = max(now - at, timedelta())
    if past < timedelta(minutes=1):
        return "now", 0
    if past < timedelta(hours=1):
        return "minutes", past // timedelta(minutes=1)
    if past < timedelta(days=1):
        return "hours", past // timedelta(hours=1)
    return "days", past.days


def references_of(turn: TurnRow) -> Sequence[Json]:
    return [one for one in turn.shown.get("references") or () if isinstance(one, Mapping)]


@lru_cache(maxsize=FAQS_REMEMBERED)
def _faq_of(course_id: str, path: Path, changed_ns: int) -> tuple[FaqRow, ...]:
    """A course's FAQ as it stood at a time."""
    return tuple(
        FaqRow(course_id, row["origin_id"], row["question"], row["answer"], row["reviewer"] or "")
        for row in read_if_whole(path, ("origin_id", "question", "answer", "reviewer"))
    )


def _around(db: Session, turn: TurnRow, caller: Caller) -> list[TurnRow]:
    near = TurnRow.position.between(turn.position - AROUND, turn.position + AROUND)
    found = db.scalars(select(TurnRow).where(TurnRow.session_id == turn.session_id, near).order_by(TurnRow.position))
    return [one for one in found if caller.may_see(one.course_id)]


def _opinions(db: Session, trace_ids: Sequence[str]) -> list[Opinion]:
    found = db.scalars(select(Feedback).where(Feedback.trace_id.in_(trace_ids)).order_by(Feedback.updated_at))
    return [Opinion(code_of(one.person_id), one.thumb, tuple(one.reasons), one.comment) for one in found]
