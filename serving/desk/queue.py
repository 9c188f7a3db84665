"""The TAs' queue: in which order it is worked on, and who works on what.

Those who ask the same in one course wait together (`serving.desk.deduplication`): they are one `QueueItem`, whose id is
that of any of its rows. How questions get in is in `queue_entry.py`, what is decided on them in `decisions.py`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, Subquery, case, func, literal, or_, select
from sqlalchemy.orm import Session

from serving.desk.approved_answers import PREFIX
from serving.desk.own_questions import questions_of
from serving.desk.queue_entry import REASONS, Reason, ask, automatic_reason, put_in_queue, reason_of
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk
from serving.store.caller import Caller
from serving.store.tables.base import now
from serving.store.tables.conversation import RestsOn
from serving.store.tables.identity import Person
from serving.store.tables.review import Review, TaQuestion

__all__ = ["REASONS", "QueueItem", "Reason", "ask", "automatic_reason", "put_in_queue", "questions_of"]

CLAIM = timedelta(minutes=30)
"""How long a claim holds; then the item is free again. A choice."""


NAMELESS = "Another TA"
"""The name of a person without a name among TAs; pages say it in the reader's language."""


@dataclass(frozen=True)
class QueueItem:
    """One question to decide on.

    `waiting` counts the students who asked it, who are `asked_by`; `resting` the answers given from the reviewed answer
    `answer_id` that came back. `notes` and `trace_ids` are all its askers', oldest first. `claimed_by` is who works on
    it, and `claimed_name` what they are called; `None` when it is free.
    """

    question_id: str
    same_as: str
    course_id: str | None
    lang: str
    question: str
    notes: tuple[str, ...]
    reason: Reason
    waiting: int
    resting: int
    asked_at: datetime
    trace_id: str | None = None
    trace_ids: tuple[str, ...] = ()
    answer_id: str | None = None
    claimed_by: str | None = None
    claimed_name: str | None = None
    claimed_at: datetime | None = None
    asked_by: frozenset[str] = frozenset()


def place(item: QueueItem) -> tuple[bool, int, int, datetime, str]:
    """What the queue is sorted by: asked by students first, then where most wait, then what most answers rest on,
    then the oldest.
    """
    return (item.reason != "asked", -item.waiting, -item.resting, item.asked_at, item.same_as)


def open_questions(
    db: Session, *, courses: Collection[str] | None, limit: int, reason: Reason | None = None, offset: int = 0
) -> list[QueueItem]:
    """The queue of some courses, `None` for all, in the order of `place`; `reason` keeps items for that alone."""
    grouped = _groups(courses)
    at = grouped.c
    order = (at.rank != REASONS.index("asked"), at.waiting.desc(), at.resting.desc(), at.asked_at, at.same_as)
    wanted = select(at.same_as, at.resting).order_by(*order).limit(limit).offset(offset)
    if reason is not None:
        wanted = wanted.where(at.rank == REASONS.index(reason))
    resting: dict[str, int] = {row.same_as: row.resting for row in db.execute(wanted)}
    rows = db.scalars(select(TaQuestion).where(TaQuestion.same_as.in_(resting), TaQuestion.state == "open")).all()
    alike: dict[str, list[TaQuestion]] = defaultdict(list)
    for row in rows:
        alike[row.same_as].append(row)
    names = names_of(db, (row.claimed_by for row in rows))
    at_present = now()
    return sorted((_item(each, resting[key], names, at_present) for key, each in alike.items()), key=place)


def one_question(db: Session, question_id: str, caller: Caller | None = None) -> QueueItem:
    """The open item with this id. Raises `NotAtTheDesk`, also where its course is closed to the `caller`, and
    `AlreadyDecided`.
    """
    return _whole(db, open_rows(db, question_id, caller, locked=False), now())


def claim(db: Session, question_id: str, caller: Caller, *, at: datetime | None = None) -> QueueItem:
    """Take an item to work on. Raises `AlreadyDecided` with the name of who has it."""
    at = at or now()
    rows = open_rows(db, question_id, caller)
    require_free(db, rows, caller, at=at)
    for row in rows:
        row.claimed_by, row.claimed_at = caller.person_id, at
    return _whole(db, rows, at)


def release(db: Session, question_id: str, caller: Caller) -> QueueItem:
    """Give an item back that the caller has taken; what another has stays theirs."""
    rows = open_rows(db, question_id, caller)
    for row in rows:
        if row.claimed_by == caller.person_id:
            row.claimed_by, row.claimed_at = None, None
    return _whole(db, rows, now())


def counts(db: Session, *, courses: Collection[str] | None) -> dict[Reason, int]:
    """How many items are open for each reason; every reason is there."""
    grouped = _groups(courses)
    found = db.execute(select(grouped.c.rank, func.count().label("items")).group_by(grouped.c.rank))
    by_rank: dict[int, int] = {row.rank: row.items for row in found}
    return {reason: by_rank.get(place, 0) for place, reason in enumerate(REASONS)}


def open_rows(
    db: Session, question_id: str, caller: Caller | None = None, *, locked: bool = True
) -> Sequence[TaQuestion]:
    """Everybody's rows of an open item, the strongest reason first, then the oldest; `locked` until the work is done.

    Raises `NotAtTheDesk` and `AlreadyDecided`.
    """
    course_of(db, question_id, caller)
    row = db.get_one(TaQuestion, question_id)
    alike = select(TaQuestion).where(TaQuestion.same_as == row.same_as, TaQuestion.state == "open")
    alike = alike.order_by(TaQuestion.question_id).execution_options(populate_existing=True)
    rows = db.scalars(alike.with_for_update() if locked else alike).all()
    if row not in rows:
        db.refresh(row)
        raise AlreadyDecided(f"{find_decider(db, row)} decided on this question already. Look at the queue again.")
    return sorted(rows, key=_strongest_first)


def course_of(db: Session, question_id: str, caller: Caller | None) -> str | None:
    """The course of a question in any state. Raises `NotAtTheDesk`."""
    row = db.get(TaQuestion, question_id)
    if row is None or (caller is not None and not caller.may_see(row.course_id)):
        raise NotAtTheDesk(f"There is no question '{question_id[:64]}' in the queue.")
    return row.course_id


def require_free(db: Session, rows: Iterable[TaQuestion], caller: Caller, *, at: datetime | None = None) -> None:
    """Raises `AlreadyDecided` when somebody else holds a valid claim."""
    for row in rows:
        if _is_claimed(row, at or now()) and row.claimed_by != caller.person_id:
            name = names_of(db, [row.claimed_by]).get(row.claimed_by or "", NAMELESS)
            raise AlreadyDecided(f"{name} is working on this question. Take another one.")


def find_decider(db: Session, row: TaQuestion) -> str:
    """Who decided on a question that is not open any more."""
    alike = select(TaQuestion.question_id).where(TaQuestion.same_as == row.same_as)
    last = db.scalars(
        select(Review)
        .where(or_(Review.question_id.in_(alike), Review.answer_id == row.answer_id), Review.person_id.is_not(None))
        .order_by(Review.at.desc(), Review.review_id)
        .limit(1)
    ).first()
    return names_of(db, [last.person_id])[last.person_id or ""] if last is not None else NAMELESS


def names_of(db: Session, person_ids: Iterable[str | None]) -> dict[str, str]:
    """What people at the desk are called among each other."""
    wanted = {one for one in person_ids if one is not None}
    if not wanted:
        return {}
    found = db.execute(select(Person.person_id, Person.name).where(Person.person_id.in_(wanted)))
    names: dict[str, str | None] = {row.person_id: row.name for row in found}
    return {person_id: names.get(person_id) or NAMELESS for person_id in wanted}


def _groups(courses: Collection[str] | None) -> Subquery:
    """The open items: what they are sorted by, and the `rank` of their strongest reason in `REASONS`."""
    rank = case({reason: place for place, reason in enumerate(REASONS)}, value=TaQuestion.reason, else_=len(REASONS))
    grouped = (
        select(
            TaQuestion.same_as,
            func.min(rank).label("rank"),
            func.count(TaQuestion.person_id.distinct()).label("waiting"),
            func.min(TaQuestion.created_at).label("asked_at"),
            func.max(TaQuestion.answer_id).label("answer_id"),
            func.max(TaQuestion.course_id).label("course_id"),
        )
        .where(TaQuestion.state == "open")
        .group_by(TaQuestion.same_as)
    )
    if courses is not None:
        grouped = grouped.where(TaQuestion.course_id.in_(courses))
    inner = grouped.subquery()
    resting = _resting(inner.c.course_id, literal(PREFIX) + inner.c.answer_id).correlate(inner).scalar_subquery()
    return select(inner, resting.label("resting")).subquery()


def _resting(course_id: Any, origin_id: Any) -> Select[int]:
    """How many answers were given from one entry; by the course too, for that is how `rests_on` is indexed."""
    given = select(func.count(RestsOn.trace_id.distinct()))
    return given.where(RestsOn.course_id == course_id, RestsOn.origin_id == origin_id)


def _whole(db: Session, rows: Sequence[TaQuestion], at: datetime) -> QueueItem:
    answer_id = next((row.answer_id for row in rows if row.answer_id), None)
    count = db.scalar(_resting(rows[0].course_id, f"{PREFIX}{answer_id}")) or 0 if answer_id else 0
    return _item(rows, count, names_of(db, (row.claimed_by for row in rows)), at)


def _item(rows: Iterable[TaQuestion], resting: int, names: Mapping[str, str], at: datetime) -> QueueItem:
    """The rows of one item as one: worded by the oldest of the strongest reason."""
    ordered = sorted(rows, key=_strongest_first)
    first = ordered[0]
    oldest_first = sorted(ordered, key=lambda row: (row.created_at, row.question_id))
    taken = next((row for row in ordered if _is_claimed(row, at)), None)
    traces = tuple(row.trace_id for row in oldest_first if row.trace_id)
    people = frozenset(row.person_id for row in ordered if row.person_id)
    return QueueItem(
        question_id=first.question_id,
        same_as=first.same_as,
        course_id=first.course_id,
        lang=first.lang,
        question=first.question,
        notes=tuple(dict.fromkeys(row.note for row in oldest_first if row.note)),
        reason=reason_of(first),
        waiting=len(people),
        resting=resting,
        asked_at=oldest_first[0].created_at,
        trace_id=first.trace_id or next(iter(traces), None),
        trace_ids=traces,
        answer_id=next((row.answer_id for row in ordered if row.answer_id), None),
        claimed_by=taken.claimed_by if taken is not None else None,
        claimed_name=names.get(taken.claimed_by or "") if taken is not None else None,
        claimed_at=taken.claimed_at if taken is not None else None,
        asked_by=people,
    )


def _strongest_first(row: TaQuestion) -> tuple[int, datetime, str]:
    return (REASONS.index(reason_of(row)), row.created_at, row.question_id)


def _is_claimed(row: TaQuestion, at: datetime) -> bool:
    """A claim of the future, after the clock was set back, is as old as none."""
    return row.claimed_at is not None and timedelta(0) <= at - row.claimed_at < CLAIM
