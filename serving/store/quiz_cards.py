"""Quiz cards of students who want to be remembered: one for each quiz question, with the time it is due again.

The schedule is FSRS (https://github.com/open-spaced-repetition): right is *good*, wrong is *again*. Nothing is kept of
whoever did not ask for it, and all of it goes when they do not want it any more.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from fsrs import Card, Rating, Scheduler
from sqlalchemy import case, delete, func, select
from sqlalchemy.orm import Session

from serving.store.people import keep_person
from serving.store.tables.base import now
from serving.store.tables.study import Memory, QuizCard

SCHEDULER = Scheduler(enable_fuzzing=False)
"""The published weights, a recall of nine tenths; without chance, so that the same answers give the same days."""


@dataclass(frozen=True)
class KnownCard:
    """How one item stands: due again at `due`, asked `reviews` times, last right or not."""

    item_id: str
    due: datetime
    reviews: int
    was_right: bool


@dataclass(frozen=True)
class CourseProgress:
    """A student's cards in one course: how many were asked, last right, and due now."""

    course_id: str
    asked: int
    right: int
    due: int


def remembers(db: Session, person_id: str) -> bool:
    """Whether a person wants to be remembered."""
    return db.get(Memory, person_id) is not None


def set_memory(db: Session, person_id: str, *, is_wanted: bool) -> None:
    """Remember a person from now on, or forget all that was remembered of them."""
    if not is_wanted:
        db.execute(delete(QuizCard).where(QuizCard.person_id == person_id))
        db.execute(delete(Memory).where(Memory.person_id == person_id))
    elif db.get(Memory, person_id) is None:
        keep_person(db, person_id)
        db.add(Memory(person_id=person_id))
        db.flush()


def cards_of(db: Session, person_id: str, course_id: str | None = None) -> dict[str, KnownCard]:
    """A person's cards in a course, or in all, by item."""
    found = select(QuizCard).where(QuizCard.person_id == person_id)
    if course_id is not None:
        found = found.where(QuizCard.course_id == course_id)
    return {one.item_id: KnownCard(one.item_id, one.due, one.reviews, one.was_right) for one in db.scalars(found)}


def forget_card(db: Session, person_id: str, item_id: str) -> None:
    """Forget how one item stood; it is asked again as if it never had been."""
    db.execute(delete(QuizCard).where(QuizCard.person_id == person_id, QuizCard.item_id == item_id))


def review(
    db: Session, person_id: str, course_id: str, item_id: str, *, is_right: bool, at: datetime | None = None
) -> datetime | None:
    """Record an answer; returns when the item is due again, `None` for a person who does not want to be remembered."""
    if not remembers(db, person_id):
        return None
    at = at or now()
    held = db.get(QuizCard, (person_id, course_id, item_id))
    card = Card() if held is None else Card.from_json(json.dumps(held.card))
    card, _ = SCHEDULER.review_card(card, Rating.Good if is_right else Rating.Again, at)
    if held is None:
        held = QuizCard(person_id=person_id, course_id=course_id, item_id=item_id, due=card.due)
        db.add(held)
    held.card, held.due, held.was_right, held.reviews = dict(card.to_dict()), card.due, is_right, held.reviews + 1
    db.flush()
    return card.due


def progress_of(db: Session, person_id: str, *, at: datetime) -> list[CourseProgress]:
    """How a person stands in each course that they were asked of."""
    query = select(
        QuizCard.course_id,
        func.count(),
        func.sum(case((QuizCard.was_right.is_(True), 1), else_=0)),
        func.sum(case((QuizCard.due <= at, 1), else_=0)),
    )
    rows = db.execute(query.where(QuizCard.person_id == person_id).group_by(QuizCard.course_id))
    return sorted((CourseProgress(row[0], row[1], row[2], row[3]) for row in rows), key=lambda one: one.course_id)


def next_item(
    items: Collection[str], cards: Mapping[str, KnownCard], *, seen: Collection[str], at: datetime
) -> str | None:
    """What to ask next of `items`: what is due, longest first; what was never asked, in their order; what is due next.
    What was `seen` in this sitting comes again only when it is due; `None` where nothing is left."""
    due = sorted((cards[one].due, one) for one in items if one in cards and cards[one].due <= at)
    if due:
        return due[0][1]
    fresh = [one for one in items if one not in cards and one not in seen]
    if fresh:
        return fresh[0]
    later = sorted((cards[one].due, one) for one in items if one in cards and one not in seen)
    return later[0][1] if later else None
